import { asService } from '@gatehouse/contracts-core';
import { canonicalJson } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every, LOGGER, type Logger, untilAvailable } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditConfig } from '../audit.config.ts';
import { type Chain, ChainsRepository } from '../chain/chains.repository.ts';
import { CheckpointKeys } from './checkpoint-keys.ts';
import { checkpointSigned, PublishedCheckpoints } from './published-checkpoints.ts';
import { type Checkpoint, CheckpointsRepository } from './checkpoints.repository.ts';

const SYSTEM = asService('audit');
const ROWS_PER_CHECKPOINT = 1_000;
const CHAINS_AT_ONCE = 100;

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

/** Signs the ends of the chains every minute and every 1000 rows, stores the checkpoints and publishes them. */
@Injectable()
export class SignCheckpoints implements OnApplicationBootstrap {
  constructor(
    private readonly work: UnitOfWork,
    private readonly chains: ChainsRepository,
    private readonly keys: CheckpointKeys,
    private readonly signing: SignChain,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await untilAvailable(this.log, () => this.keys.prepare());
  }

  /**
   * Creates a checkpoint for each chain that has grown since its last one.
   * @throws Error while the broker does not return the published checkpoints
   */
  @Every(({ auditCheckpointSeconds }: AuditConfig) => auditCheckpointSeconds * 1000, 'checkpoints')
  async sign(): Promise<void> {
    await this.keys.follow();
    await this.work.background(SYSTEM, (tx) => this.chains.prepareMonths(tx));
    for (let after: string | undefined = ''; after !== undefined;) after = await this.signGrown(after);
  }

  /** Runs within the appending transaction, which has locked the chain. */
  async afterAppending(tx: Tx, chain: Chain): Promise<void> {
    if (chain.length - chain.checkpointedLength >= ROWS_PER_CHECKPOINT) await this.signing.ifPossible(tx, chain);
  }

  /** Signs a chain in its present state, because the log must outlast the organisation that it describes. */
  async seal(tx: Tx, name: string): Promise<void> {
    const chain = await this.chains.lock(tx, name);
    if (chain.length > chain.checkpointedLength) await this.signing.ifPossible(tx, chain);
  }

  /** @returns the last chain of a full batch, if more chains may follow */
  private signGrown(after: string): Promise<string | undefined> {
    return this.work.background(SYSTEM, async (tx) => {
      const grown = await this.chains.lockGrown(tx, CHAINS_AT_ONCE, after);
      await this.signing.all(tx, grown);
      return grown[CHAINS_AT_ONCE - 1]?.chain;
    });
  }
}
