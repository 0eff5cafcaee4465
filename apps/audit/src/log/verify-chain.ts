import { asService, Refusal, type ServiceCaller, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { compactVerify, createLocalJWKSet } from 'jose';
import { canonicalJson } from '../chain/canonical-json.ts';
import { type Chain, ChainsRepository } from '../chain/chains.repository.ts';
import { type AuditLogEntry, type ChainEnd, GENESIS, hashOf } from '../chain/link.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.event.ts';
import { ALGORITHM, CheckpointKeys } from '../checkpoints/checkpoint-keys.ts';
import { CheckpointsRepository } from '../checkpoints/checkpoints.repository.ts';
import type { ChainVerdict } from './audit-log.dto.ts';
import { EntriesRepository } from './entries.repository.ts';
import { chainFor } from './reach.ts';

const BATCH = 2_000;

interface Walk {
  readonly caller: ServiceCaller;
  readonly chain: Chain;
  readonly keys: ReturnType<typeof createLocalJWKSet>;
}

/** Recomputes a whole chain and holds it against its signed checkpoints: an altered entry breaks its hash, missing last entries contradict a checkpoint. */
@Injectable()
export class VerifyChain {
  constructor(
    private readonly work: UnitOfWork,
    private readonly chains: ChainsRepository,
    private readonly entries: EntriesRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly checkpointKeys: CheckpointKeys,
  ) {}

  async execute(caller: UserCaller, asked: string | undefined): Promise<ChainVerdict> {
    const name = chainFor(caller, asked);
    // A chain is whole only as the service sees it; what is told of it are a verdict and a hash.
    const service = asService('audit', caller.origin);
    const chain = await this.work.read(service, (reader) => this.chains.find(reader, name));
    if (!chain && asked !== undefined) throw new Refusal('partner_not_found', 'There is no such chain.');
    if (!chain) return { valid: true, chain: name, length: 0, head: GENESIS };
    const firstBadSequence = await this.firstBad({ caller: service, chain, keys: await this.checkpointKeys.verifier() });
    const { length, head } = chain;
    return { valid: firstBadSequence === null, chain: name, length, head, ...(firstBadSequence !== null && { firstBadSequence }) };
  }

  /** @returns the sequence of the first entry that is altered or missing, or null */
  private async firstBad({ caller, chain, keys }: Walk): Promise<number | null> {
    let end: ChainEnd = { length: 0, head: GENESIS };
    for (let found = BATCH; found === BATCH;) {
      const { batch, checkpoints } = await this.read(caller, chain.chain, end);
      const broken = batch.findIndex((entry, at) => !follows(batch[at - 1] ?? { sequence: end.length, hash: end.head }, entry));
      if (broken >= 0) return end.length + broken + 1;
      const contradicted = await firstContradiction(checkpoints, batch, keys);
      const last = batch.at(-1);
      if (last) end = { length: last.sequence, head: last.hash };
      if (contradicted !== null) return Math.min(contradicted, end.length + 1);
      found = batch.length;
    }
    return end.length < chain.length ? end.length + 1 : null;
  }

  /** The next entries, and the checkpoints about them; after the last entry also those about entries that should be there. */
  private read(caller: ServiceCaller, chain: string, { length }: ChainEnd): Promise<{ batch: AuditLogEntry[]; checkpoints: Checkpoint[] }> {
    return this.work.read(caller, async (reader) => {
      const batch = await this.entries.inOrder(reader, { chain }, { chain, sequence: length }, BATCH);
      const checkpoints = await this.checkpoints.ofChain(reader, chain, length, BATCH);
      return { batch, checkpoints: checkpoints.filter((checkpoint) => batch.length < BATCH || checkpoint.length <= length + batch.length) };
    });
  }
}

const follows = (previous: Pick<AuditLogEntry, 'sequence' | 'hash'>, entry: AuditLogEntry): boolean =>
  entry.sequence === previous.sequence + 1 && entry.previousHash === previous.hash && entry.hash === hashOf(entry);

/** @returns the length of the first checkpoint that is forged, or that states another end than the entries have */
async function firstContradiction(checkpoints: readonly Checkpoint[], entries: readonly AuditLogEntry[], keys: Walk['keys']): Promise<number | null> {
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
