import { asService, type ServiceCaller, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable } from '@nestjs/common';
import { type Chain, ChainsRepository } from '../chain/chains.repository.ts';
import { type AuditLogEntry, type ChainEnd, GENESIS, hashOf } from '../chain/link.ts';
import { CheckpointKeys } from '../checkpoints/checkpoint-keys.ts';
import { type Checkpoint, CheckpointsRepository } from '../checkpoints/checkpoints.repository.ts';
import { isSigned, PublishedCheckpoints, type Verifier } from '../checkpoints/published-checkpoints.ts';
import type { ChainVerdictResponse } from './audit-log.dto.ts';
import { EntriesRepository, type SequenceRange } from './entries.repository.ts';
import { chainFor, noSuchChain } from './reach.ts';

/** The end of a chain as known before its entries are read. */
interface KnownEnd {
  readonly chain: Chain | null;
  /** The length that the newest stored checkpoint covers. */
  readonly vouchedFor: number;
  /** The newest published checkpoint; null if there is none or the broker is away. */
  readonly published: Checkpoint | null;
  readonly isBrokerAway: boolean;
}

@Injectable()
export class KnownEnds {
  constructor(
    private readonly work: UnitOfWork,
    private readonly chains: ChainsRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly published: PublishedCheckpoints,
  ) {}

  /**
   * Reads the published checkpoint before the chain, so that the chain has all entries that the checkpoint covers.
   */
  async of(service: ServiceCaller, name: string): Promise<KnownEnd> {
    const published = await this.published.newest(name).catch(() => undefined);
    const stored = await this.work.read(service, async (reader) => ({
      chain: await this.chains.find(reader, name),
      vouchedFor: await this.checkpoints.lastLength(reader, name),
    }));
    return { ...stored, published: published ?? null, isBrokerAway: published === undefined };
  }
}

/** Small, because entries may be large and two ranges are in memory at once. */
const STRETCH = 250;

interface VerificationContext {
  readonly caller: ServiceCaller;
  readonly chain: string;
  /** The number of entries that the chain must have. */
  readonly length: number;
  /** The newest published checkpoint, if any. */
  readonly published: Checkpoint | null;
  readonly keys: Verifier;
  readonly signal: AbortSignal;
}

/** A range of the chain, as read from the database. */
interface Read {
  readonly stretch: SequenceRange;
  readonly entries: readonly AuditLogEntry[];
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * Recomputes all hashes of a chain and compares it with its signed checkpoints, including the newest published one:
 * an altered entry has a wrong hash, and missing last entries contradict a checkpoint.
 */
@Injectable()
export class VerifyChain {
  private readonly verifications: ReturnType<Metrics['counter']>;

  constructor(
    private readonly work: UnitOfWork,
    private readonly entries: EntriesRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly checkpointKeys: CheckpointKeys,
    private readonly ends: KnownEnds,
    metrics: Metrics,
  ) {
    this.verifications = metrics.counter('gatehouse_audit_verifications_total', 'Verifications of a chain by result', {
      result: ['valid', 'invalid'],
    });
  }

  /** @param signal aborts the verification when its client disconnects */
  async verify(caller: UserCaller, asked: string | undefined, signal: AbortSignal): Promise<ChainVerdictResponse> {
    const name = chainFor(caller, asked);
    // Only the service can read the whole chain; the caller learns just the verdict and a hash.
    const service = asService('audit', caller.origin);
    const known = await this.ends.of(service, name);
    if (!known.chain && !known.published && asked !== undefined) throw noSuchChain();
    return this.judge(service, name, known, signal);
  }

  /** Verifies a chain on behalf of the service itself. */
  async ofChain(service: ServiceCaller, name: string, signal: AbortSignal): Promise<ChainVerdictResponse> {
    return this.judge(service, name, await this.ends.of(service, name), signal);
  }

  private async judge(
    caller: ServiceCaller,
    name: string,
    known: KnownEnd,
    signal: AbortSignal,
  ): Promise<ChainVerdictResponse> {
    const { published, isBrokerAway } = known;
    const { length, head } = known.chain ?? { length: 0, head: GENESIS };
    const most = Math.max(length, known.vouchedFor, published?.length ?? 0);
    const keys = await this.checkpointKeys.verifier();
    const firstBadSequence = await this.firstBad({ caller, chain: name, length: most, published, keys, signal });
    this.verifications.inc({ result: firstBadSequence === null ? 'valid' : 'invalid' });
    return {
      valid: firstBadSequence === null,
      chain: name,
      length,
      head,
      ...(firstBadSequence !== null && { firstBadSequence }),
      ...(isBrokerAway && { publishedCheckpoint: 'unreachable' }),
    };
  }

  /** @returns the sequence of the first entry that is altered or missing, or null */
  private async firstBad(walk: VerificationContext): Promise<number | null> {
    let end: ChainEnd = { length: 0, head: GENESIS };
    for await (const { stretch, entries, checkpoints } of this.stretches(walk)) {
      const vouching = [...checkpoints, ...publishedIn(stretch, walk.published)];
      const bad = brokenAt(end, entries, stretch.upTo) ?? (await contradictedAt(vouching, entries, walk.keys));
      const last = entries.at(-1);
      if (bad !== null || !last) return bad;
      end = { length: last.sequence, head: last.hash };
    }
    return null;
  }

  /** Reads each range while the previous one is checked, so that the database and this process work in parallel. */
  private async *stretches({ caller, chain, length, signal }: VerificationContext): AsyncGenerator<Read> {
    const stretchAfter = (after: number): SequenceRange => ({ chain, after, upTo: Math.min(after + STRETCH, length) });
    let ahead = length > 0 ? this.read(caller, stretchAfter(0)) : null;
    while (ahead) {
      const read: Read = await ahead;
      signal.throwIfAborted();
      ahead = read.stretch.upTo < length ? this.read(caller, stretchAfter(read.stretch.upTo)) : null;
      // After a fault the range read ahead is never awaited, so its error is ignored.
      ahead?.catch(() => undefined);
      yield read;
    }
  }

  private read(caller: ServiceCaller, stretch: SequenceRange): Promise<Read> {
    return this.work.read(caller, async (reader) => ({
      stretch,
      entries: await this.entries.stretch(reader, {}, stretch),
      checkpoints: await this.checkpoints.ofChain(reader, stretch.chain, stretch.after, stretch.upTo),
    }));
  }
}

const follows = (previous: Pick<AuditLogEntry, 'sequence' | 'hash'>, entry: AuditLogEntry): boolean =>
  entry.sequence === previous.sequence + 1 && entry.previousHash === previous.hash && entry.hash === hashOf(entry);

/** @returns the sequence of the first entry that does not follow its predecessor, or that is missing before `upTo` */
function brokenAt(end: ChainEnd, entries: readonly AuditLogEntry[], upTo: number): number | null {
  const at = entries.findIndex(
    (entry, index) => !follows(entries[index - 1] ?? { sequence: end.length, hash: end.head }, entry),
  );
  if (at >= 0) return end.length + at + 1;
  return end.length + entries.length < upTo ? end.length + entries.length + 1 : null;
}

const publishedIn = ({ after, upTo }: SequenceRange, published: Checkpoint | null): Checkpoint[] =>
  published && published.length > after && published.length <= upTo ? [published] : [];

/** @returns the length of the first checkpoint that is forged, or that states another end than the entries have */
async function contradictedAt(
  checkpoints: readonly Checkpoint[],
  entries: readonly AuditLogEntry[],
  keys: VerificationContext['keys'],
): Promise<number | null> {
  const hashes = new Map(entries.map(({ sequence, hash }) => [sequence, hash]));
  for (const checkpoint of checkpoints) {
    if (hashes.get(checkpoint.length) !== checkpoint.head || !(await isSigned(checkpoint, keys)))
      return checkpoint.length;
  }
  return null;
}
