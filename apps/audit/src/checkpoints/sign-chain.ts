import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { canonicalJson } from '@gatehouse/crypto';
import { type Chain, ChainsRepository } from '../chain/chains.repository.ts';
import { type Checkpoint, checkpointSigned } from './checkpoint.event.ts';
import { CheckpointKeys } from './checkpoint-keys.ts';
import { CheckpointsRepository } from './checkpoints.repository.ts';
import { PublishedCheckpoints } from './published-checkpoints.ts';

/** Signs the end of one chain, stores the checkpoint and publishes it. The caller must have locked the chain. */
@Injectable()
export class SignChain {
  constructor(
    private readonly chains: ChainsRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly keys: CheckpointKeys,
    private readonly published: PublishedCheckpoints,
  ) {}

  /** @throws Error if the broker does not return the published checkpoints */
  async all(tx: Tx, chains: readonly Chain[]): Promise<void> {
    const published = await Promise.all(chains.map(({ chain }) => this.published.newest(chain)));
    for (const [at, chain] of chains.entries()) await this.signAfter(tx, chain, published[at] ?? null);
  }

  /** Signs the chain if the broker answers; otherwise the next periodic run signs it. */
  async ifPossible(tx: Tx, chain: Chain): Promise<void> {
    const published = await this.published.newest(chain.chain).catch(() => undefined);
    if (published !== undefined) await this.signAfter(tx, chain, published);
  }

  /**
   * Compares the chain with the published checkpoint first: a new checkpoint would replace it, and with it the
   * evidence of truncated entries.
   */
  private async signAfter(tx: Tx, chain: Chain, published: Checkpoint | null): Promise<void> {
    if (published && !(await this.published.isKept(tx, published))) return;
    const state = { chain: chain.chain, length: chain.length, head: chain.head, signedAt: new Date().toISOString() };
    const checkpoint = { ...state, jws: await this.keys.sign(canonicalJson(state)) };
    await this.checkpoints.add(tx, chain.partnerId, checkpoint);
    await this.chains.noteCheckpoint(tx, chain);
    tx.emit(checkpointSigned(chain.chain), checkpoint, { aggregateId: chain.chain });
  }
}
