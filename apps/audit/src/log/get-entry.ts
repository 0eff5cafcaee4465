import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { AuditLogEntry } from '../chain/link.ts';
import { EntriesRepository } from './entries.repository.ts';
import { Reach } from './reach.ts';

/** GET /audit-logs/:id: one entry within the caller's reach. */
@Injectable()
export class GetEntry {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entries: EntriesRepository,
    private readonly reach: Reach,
  ) {}

  /** @throws ProblemError audit_entry_not_found */
  async execute(caller: UserCaller, id: string): Promise<{ data: AuditLogEntry }> {
    const data = await this.work.read(await this.reach.withMerged(caller), (reader) => this.entries.find(reader, id));
    if (!data) throw new ProblemError('audit_entry_not_found', 'There is no such entry in your reach.');
    return { data };
  }
}
