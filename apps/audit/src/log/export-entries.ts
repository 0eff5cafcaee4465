import { asService, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { type Chain, ChainsRepository } from '../chain/chains.repository.ts';
import type { AuditLogEntry } from '../chain/link.ts';
import type { AuditExportQuery } from './audit-log.dto.ts';
import { csvHeader, csvLine } from './formats/csv.ts';
import { EntriesRepository, type EntryFilter } from './entries.repository.ts';
import { jsonLine } from './formats/json-lines.ts';
import { chainFor, Reach } from './reach.ts';

/** Entries in memory at once: a larger number is no faster and causes more garbage collection. */
const STRETCH = 250;

/**
 * Streams the log within the caller's reach, chain by chain in chain order: reads one range at a time, as fast as the
 * client consumes it.
 */
@Injectable()
export class ExportEntries {
  constructor(
    private readonly work: UnitOfWork,
    private readonly chains: ChainsRepository,
    private readonly entries: EntriesRepository,
    private readonly reach: Reach,
  ) {}

  async execute(
    caller: UserCaller,
    { format = 'jsonl', orgId, chain, ...filter }: AuditExportQuery,
  ): Promise<Readable> {
    const orgIds = orgId === undefined ? undefined : await this.reach.organization(caller, orgId);
    const chains = await this.chainsOf(caller, chain);
    await this.work.run(caller, async (tx) =>
      tx.audit({
        action: 'audit.export',
        resource: { type: 'audit_log', id: null },
        details: { format, filters: Object.keys({ ...filter, orgId, chain }) },
      }),
    );
    const stretches = this.stretches(await this.reach.withMerged(caller), chains, { ...filter, orgIds });
    return Readable.from(format === 'csv' ? csvOf(stretches) : jsonLinesOf(stretches), { objectMode: false });
  }

  /** Chains with their present length: entries appended later belong to the next export. */
  private chainsOf(caller: UserCaller, asked: string | undefined): Promise<Chain[]> {
    const name = asked === undefined && caller.level === 'system' ? null : chainFor(caller, asked);
    return this.work.read(asService('audit', caller.origin), async (reader) => {
      if (name === null) return this.chains.all(reader);
      const chain = await this.chains.find(reader, name);
      return chain ? [chain] : [];
    });
  }

  private async *stretches(
    caller: UserCaller,
    chains: readonly Chain[],
    filter: EntryFilter,
  ): AsyncGenerator<AuditLogEntry[]> {
    for (const { chain, length } of chains) {
      for (let after = 0; after < length; after += STRETCH) {
        const stretch = { chain, after, upTo: Math.min(after + STRETCH, length) };
        const found = await this.work.read(caller, (reader) => this.entries.stretch(reader, filter, stretch));
        if (found.length > 0) yield found;
      }
    }
  }
}

async function* jsonLinesOf(stretches: AsyncIterable<AuditLogEntry[]>): AsyncGenerator<string> {
  for await (const entries of stretches) yield entries.map(jsonLine).join('');
}

async function* csvOf(stretches: AsyncIterable<AuditLogEntry[]>): AsyncGenerator<string> {
  yield csvHeader();
  for await (const entries of stretches) yield entries.map(csvLine).join('');
}
