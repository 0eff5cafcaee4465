import { API_PREFIX, type UserCaller } from '@gatehouse/contracts-core';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { AuditExportLinkResponse, CreateAuditExportDto } from '../log/audit-log.dto.ts';
import { chainFor } from '../log/reach.ts';
import { ExportLinksRepository } from './export-links.repository.ts';

/**
 * POST /audit-logs/exports. The token is in the query of the address, because logs hold addresses without their query.
 * An idempotency key has no effect here: a stored answer would hold the token.
 */
@Injectable()
export class CreateExportLink {
  constructor(
    private readonly work: UnitOfWork,
    private readonly exportLinksRepository: ExportLinksRepository,
  ) {}

  /** @throws ProblemError partner_not_found */
  async execute(
    caller: UserCaller,
    { filter, format = 'jsonl', chain }: CreateAuditExportDto,
  ): Promise<AuditExportLinkResponse> {
    if (chain !== undefined) chainFor(caller, chain);
    const token = randomToken();
    const { partnerId, sessionId } = caller;
    const author = { partnerId, sessionId, apiKeyId: caller.kind === 'api_key' ? caller.id : null };
    await this.work.run(caller, async (tx) => {
      const query = { ...filter, format, chain };
      await this.exportLinksRepository.insert(tx, { tokenHash: sha256Hex(token), ...author, query });
      tx.audit({
        action: 'audit.export.prepare',
        resource: { type: 'audit_log', id: null },
        details: { format, filters: Object.keys({ ...filter, ...(chain !== undefined && { chain }) }) },
      });
    });
    return { url: `${API_PREFIX}/audit-logs/exports/file?token=${token}` };
  }
}
