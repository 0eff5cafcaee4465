import { asService, Refusal, type ServiceCaller, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable } from '@nestjs/common';
import { compactVerify, createLocalJWKSet } from 'jose';
import { canonicalJson } from '../chain/canonical-json.ts';
import { ChainsRepository } from '../chain/chains.repository.ts';
import { type AuditLogEntry, type ChainEnd, GENESIS, hashOf } from '../chain/link.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.event.ts';
import { ALGORITHM, CheckpointKeys } from '../checkpoints/checkpoint-keys.ts';
import { CheckpointsRepository } from '../checkpoints/checkpoints.repository.ts';
import type { ChainVerdict } from './audit-log.dto.ts';
import { EntriesRepository, type Stretch } from './entries.repository.ts';
import { chainFor } from './reach.ts';

/** Entries may be large, and two stretches are held at once. */
const STRETCH = 250;

interface Walk {
  readonly caller: ServiceCaller;
  readonly chain: string;
  /** How many entries there must be. */
  readonly length: number;
  readonly keys: ReturnType<typeof createLocalJWKSet>;
  readonly signal: AbortSignal;
}

/** A piece of the chain as it was read. */
interface Read {
  readonly stretch: Stretch;
  readonly entries: readonly AuditLogEntry[];
  readonly checkpoints: readonly Checkpoint[];
}

/** Recomputes a whole chain and holds it against its signed checkpoints: an altered entry breaks its hash, missing last entries contradict a checkpoint. */
@Injectable()
export class VerifyChain {
  private readonly verifications: ReturnType<Metrics['counter']>;

  constructor(
    private readonly work: UnitOfWork,
    private readonly chains: ChainsRepository,
    private readonly entries: EntriesRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly checkpointKeys: CheckpointKeys,
    metrics: Metrics,
  ) {
    this.verifications = metrics.counter('gatehouse_audit_verifications_total', 'Verifications of a chain by result', ['result']);
    for (const result of ['valid', 'invalid']) this.verifications.inc({ result }, 0);
  }

  /** @param signal ends the work when nobody waits for its outcome any more @throws Refusal partner_not_found */
  async execute(caller: UserCaller, asked: string | undefined, signal: AbortSignal): Promise<ChainVerdict> {
    const name = chainFor(caller, asked);
    // A chain is whole only as the service sees it; what is told of it are a verdict and a hash.
    const service = asService('audit', caller.origin);
    const { chain, vouchedFor } = await this.work.read(service, async (reader) => ({ chain: await this.chains.find(reader, name), vouchedFor: await this.checkpoints.lastLength(reader, name) }));
    if (!chain && asked !== undefined) throw new Refusal('partner_not_found', 'There is no such chain.');
    const { length, head } = chain ?? { length: 0, head: GENESIS };
    const firstBadSequence = await this.firstBad({ caller: service, chain: name, length: Math.max(length, vouchedFor), keys: await this.checkpointKeys.verifier(), signal });
    this.verifications.inc({ result: firstBadSequence === null ? 'valid' : 'invalid' });
    return { valid: firstBadSequence === null, chain: name, length, head, ...(firstBadSequence !== null && { firstBadSequence }) };
  }

  /** @returns the sequence of the first entry that is altered or missing, or null */
  private async firstBad(walk: Walk): Promise<number | null> {
    let end: ChainEnd = { length: 0, head: GENESIS };
    for await (const { stretch, entries, checkpoints } of this.stretches(walk)) {
      const bad = brokenAt(end, entries, stretch.upTo) ?? (await contradictedAt(checkpoints, entries, walk.keys));
      const last = entries.at(-1);
      if (bad !== null || !last) return bad;
      end = { length: last.sequence, head: last.hash };
    }
    return null;
  }

  /** Each stretch is read while the one before it is checked, so that the database and this process work at the same time. */
  private async *stretches({ caller, chain, length, signal }: Walk): AsyncGenerator<Read> {
    const stretchAfter = (after: number): Stretch => ({ chain, after, upTo: Math.min(after + STRETCH, length) });
    let ahead = length > 0 ? this.read(caller, stretchAfter(0)) : null;
    while (ahead) {
      const read: Read = await ahead;
      signal.throwIfAborted();
      ahead = read.stretch.upTo < length ? this.read(caller, stretchAfter(read.stretch.upTo)) : null;
      // What is not awaited any more, because a fault was found before it, fails for nobody.
      ahead?.catch(() => undefined);
      yield read;
    }
  }

  private read(caller: ServiceCaller, stretch: Stretch): Promise<Read> {
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
  const at = entries.findIndex((entry, index) => !follows(entries[index - 1] ?? { sequence: end.length, hash: end.head }, entry));
  if (at >= 0) return end.length + at + 1;
  return end.length + entries.length < upTo ? end.length + entries.length + 1 : null;
}

/** @returns the length of the first checkpoint that is forged, or that states another end than the entries have */
async function contradictedAt(checkpoints: readonly Checkpoint[], entries: readonly AuditLogEntry[], keys: Walk['keys']): Promise<number | null> {
  const hashes = new Map(entries.map(({ sequence, hash }) => [sequence, hash]));
  for (const checkpoint of checkpoints) {
    if (hashes.get(checkpoint.length) !== checkpoint.head || !(await isSigned(checkpoint, keys))) return checkpoint.length;
  }
  return null;
}

async function isSigned({ jws, chain, length, head, signedAt }: Checkpoint, keys: Walk['keys']): Promise<boolean> {
  try {
    const { payload } = await compactVerify(jws, keys, { algorithms: [ALGORITHM] });
    return Buffer.from(payload).toString() === canonicalJson({ chain, length, head, signedAt });
  } catch {
    return false;
  }
}
