import {
  asService,
  invalid,
  isInstant,
  ProblemError,
  requireInOrder,
  type UserCaller,
} from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { AuditConfig } from '../audit.config.ts';
import { type Chain, ChainsRepository } from '../chain/chains.repository.ts';
import type { AuditLogEntry } from '../chain/link.ts';
import { CheckpointKeys } from '../checkpoints/checkpoint-keys.ts';
import type { Checkpoint } from '../checkpoints/checkpoints.repository.ts';
import { CheckpointsRepository } from '../checkpoints/checkpoints.repository.ts';
import { type AuditExportQuery, type AuditLogQuery, filtersGiven } from './audit-log.dto.ts';
import { EntriesRepository, type EntryFilter, isCompared, type PageEnd } from './entries.repository.ts';
import { csvHeader, csvLine, jsonLine } from './formats/export-formats.ts';
import { chainFor, noSuchChain, Reach } from './reach.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const cursorAt = ({ timestamp, id }: PageEnd): string => Buffer.from(`${timestamp} ${id}`).toString('base64url');

function readCursor(cursor: string | undefined): PageEnd | null {
  if (cursor === undefined) return null;
  const [timestamp, id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!isInstant(timestamp) || !UUID.test(id)) throw invalid('cursor', 'must be the nextCursor of a page');
  return { timestamp, id };
}

/** Entries in memory at once: a larger number is no faster and causes more garbage collection. */
const STRETCH = 250;

async function* jsonLinesOf(stretches: AsyncIterable<AuditLogEntry[]>): AsyncGenerator<string> {
  for await (const entries of stretches) yield entries.map(jsonLine).join('');
}

async function* csvOf(stretches: AsyncIterable<AuditLogEntry[]>): AsyncGenerator<string> {
  yield csvHeader();
  for await (const entries of stretches) yield entries.map(csvLine).join('');
}

@Injectable()
export class LogService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly checkpoints: CheckpointsRepository,
    private readonly keys: CheckpointKeys,
    private readonly entries: EntriesRepository,
    private readonly reach: Reach,
    private readonly config: AuditConfig,
    private readonly chains: ChainsRepository,
  ) {}

  /**
   * Lists a chain's checkpoints and the public keys: the offline verifier needs both in addition to an export.
   */
  async listCheckpoints(caller: UserCaller, asked: string | undefined): Promise<{ data: Checkpoint[]; jwks: object }> {
    const chain = chainFor(caller, asked);
    const data = await this.work.read(asService('audit', caller.origin), async (reader) => {
      if (asked !== undefined && !(await this.chains.find(reader, chain))) throw noSuchChain();
      return this.checkpoints.ofChain(reader, chain);
    });
    return { data, jwks: await this.keys.publicKeys() };
  }

  /**
   * Returns one page of the log, newest first. Keyset pagination stays correct while the log grows. A page whose window
   * holds fewer matches than it asked for is short, and its cursor goes on behind the window.
   */
  async listEntries(
    caller: UserCaller,
    { orgId, cursor, limit, ...filter }: AuditLogQuery,
  ): Promise<{ data: AuditLogEntry[]; nextCursor: string | null }> {
    requireInOrder(filter, 'from', 'to');
    const window = { after: readCursor(cursor), length: this.config.auditSearchedEntries };
    const orgIds = orgId === undefined ? undefined : await this.reach.organization(caller, orgId);
    const reader = await this.reach.withMerged(caller);
    const wanted = { ...filter, orgIds };
    return this.work.read(reader, async (tx) => {
      const found = await this.entries.newest(tx, wanted, window, limit + 1);
      const data = found.slice(0, limit);
      const end =
        found.length > limit ? data.at(-1) : isCompared(wanted) && (await this.entries.endOf(tx, wanted, window));
      return { data, nextCursor: end ? cursorAt(end) : null };
    });
  }

  /** GET /audit-logs/:id: one entry within the caller's reach. */
  async getEntry(caller: UserCaller, id: string): Promise<{ data: AuditLogEntry }> {
    const data = await this.work.read(await this.reach.withMerged(caller), (reader) => this.entries.find(reader, id));
    if (!data) throw new ProblemError('audit_entry_not_found', 'There is no such entry.');
    return { data };
  }

  /**
   * Streams the log within the caller's reach, chain by chain in chain order: reads one range at a time, as fast as the
   * client consumes it.
   */
  async exportEntries(
    caller: UserCaller,
    { format = 'jsonl', orgId, chain, ...filter }: AuditExportQuery,
  ): Promise<Readable> {
    requireInOrder(filter, 'from', 'to');
    const orgIds = orgId === undefined ? undefined : await this.reach.organization(caller, orgId);
    const chains = await this.chainsOf(caller, chain);
    await this.work.run(caller, async (tx) =>
      tx.audit({
        action: 'audit.export',
        resource: { type: 'audit_log', id: null },
        details: { format, filters: filtersGiven({ ...filter, orgId, chain }) },
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
      if (!chain && asked !== undefined) throw noSuchChain();
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
