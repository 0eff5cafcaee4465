import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { AuditLogEntry } from '../chain/link.ts';
import type { AuditExportQuery } from './audit-log.dto.ts';
import { csvHeader, csvLine } from './csv.ts';
import { type ChainPosition, EntriesRepository, type EntryFilter } from './entries.repository.ts';
import { chainFor, Reach } from './reach.ts';

const BATCH = 1_000;

/** The whole log in the caller's reach, in the order of its chains, however long: one batch at a time, at the pace of its reader. */
@Injectable()
export class ExportEntries {
  constructor(private readonly work: UnitOfWork, private readonly entries: EntriesRepository, private readonly reach: Reach) {}

  async execute(caller: UserCaller, { format = 'jsonl', orgId, chain, ...filter }: AuditExportQuery): Promise<Readable> {
    const orgIds = orgId === undefined ? undefined : await this.reach.organization(caller, orgId);
    const narrowed = { ...filter, orgIds, chain: chain === undefined ? undefined : chainFor(caller, chain) };
    await this.work.run(caller, async (tx) => tx.audit({ action: 'audit.export', resource: { type: 'audit_log', id: null }, details: { format, filters: Object.keys({ ...filter, orgId, chain }) } }));
    return Readable.from(this.lines(await this.reach.withMerged(caller), narrowed, format), { objectMode: false });
  }

  private async *lines(caller: UserCaller, filter: EntryFilter, format: 'jsonl' | 'csv'): AsyncGenerator<string> {
    if (format === 'csv') yield csvHeader();
    const lineOf = format === 'csv' ? csvLine : (entry: object): string => `${JSON.stringify(entry)}\n`;
    for await (const batch of this.batches(caller, filter)) yield batch.map(lineOf).join('');
  }

  private async *batches(caller: UserCaller, filter: EntryFilter): AsyncGenerator<AuditLogEntry[]> {
    let batch = await this.read(caller, filter, null);
    while (batch.length > 0) {
      yield batch;
      batch = await this.read(caller, filter, batch.at(-1) ?? null);
    }
  }

  private read(caller: UserCaller, filter: EntryFilter, after: ChainPosition | null): Promise<AuditLogEntry[]> {
    return this.work.read(caller, (reader) => this.entries.inOrder(reader, filter, after, BATCH));
  }
}
