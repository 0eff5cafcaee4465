import { asService, type Caller, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { AuditExportQuery } from '../log/audit-log.dto.ts';
import { ExportAuthor } from './export-author.ts';
import { ExportLinksRepository } from './export-links.repository.ts';

export interface OpenedExport {
  readonly author: UserCaller;
  readonly query: AuditExportQuery;
}

const notFound = (): ProblemError =>
  new ProblemError('audit_export_not_found', 'This address does not work, or not any more; ask for another export.');

/** GET /audit-logs/exports/file: uses up the address of an export, in the name of its author. */
@Injectable()
export class OpenExportLink {
  constructor(
    private readonly work: UnitOfWork,
    private readonly exportLinksRepository: ExportLinksRepository,
    private readonly exportAuthor: ExportAuthor,
  ) {}

  /** @throws ProblemError audit_export_not_found, unavailable */
  async execute(caller: Caller, token: string): Promise<OpenedExport> {
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
