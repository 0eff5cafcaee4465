import {
  API_PREFIX,
  asService,
  type Caller,
  ProblemError,
  requireInOrder,
  type UserCaller,
} from '@gatehouse/contracts-core';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import {
  type AuditExportLinkResponse,
  type AuditExportQuery,
  type CreateAuditExportDto,
  filtersGiven,
} from '../log/audit-log.dto.ts';
import { chainFor } from '../log/reach.ts';
import { ExportAuthor } from './export-author.ts';
import { ExportLinksRepository } from './export-links.repository.ts';

interface OpenedExport {
  readonly author: UserCaller;
  readonly query: AuditExportQuery;
}

const notFound = (): ProblemError =>
  new ProblemError('audit_export_not_found', 'This address is not valid or has expired; request another export.');

@Injectable()
export class ExportsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly exportLinksRepository: ExportLinksRepository,
    private readonly exportAuthor: ExportAuthor,
  ) {}

  /** POST /audit-logs/exports. The token is in the query of the address, because logs hold no queries. */
  async createExportLink(
    caller: UserCaller,
    { filter, format = 'jsonl', chain }: CreateAuditExportDto,
  ): Promise<AuditExportLinkResponse> {
    requireInOrder({ ...filter }, 'from', 'to');
    if (chain !== undefined) chainFor(caller, chain);
    const [id, token, { partnerId, sessionId }] = [newId(), randomToken(), caller];
    const author = { partnerId, sessionId, apiKeyId: caller.kind === 'api_key' ? caller.id : null };
    const link = { ...author, tokenHash: sha256Hex(token), query: { ...filter, format, chain } };
    const details = { exportId: id, format, filters: filtersGiven({ ...filter, chain }) };
    const prepare = async (tx: Tx): Promise<object> => {
      await this.exportLinksRepository.insert(tx, link);
      tx.audit({ action: 'audit.export.prepare', resource: { type: 'audit_log', id: null }, details });
      return link;
    };
    const repetition = shownOnce(() => id);
    await this.work.once(caller, caller.idempotency, prepare, repetition);
    return { url: `${API_PREFIX}/audit-logs/exports/file?token=${token}` };
  }

  /** GET /audit-logs/exports/file: uses up the address of an export, in the name of its author. */
  async openExportLink(caller: Caller, token: string): Promise<OpenedExport> {
    const service = asService('audit', caller.origin);
    const tokenHash = sha256Hex(token);
    const link = await this.work.read(service, (reader) => this.exportLinksRepository.find(reader, tokenHash));
    if (!link) throw notFound();
    const author = await this.exportAuthor.find(caller, link);
    const isFirst = await this.work.autocommit(service, (statement) =>
      this.exportLinksRepository.consume(statement, tokenHash),
    );
    if (!author || !isFirst) throw notFound();
    return { author, query: link.query };
  }
}
