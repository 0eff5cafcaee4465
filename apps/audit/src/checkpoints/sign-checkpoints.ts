import { asService } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { type Logger, LOGGER, Periodic } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AuditConfig } from '../audit.config.ts';
import { canonicalJson } from '../chain/canonical-json.ts';
import { type Chain, ChainsRepository } from '../chain/chains.repository.ts';
import { CheckpointSigned } from './checkpoint.event.ts';
import { CheckpointKeys } from './checkpoint-keys.ts';
import { CheckpointsRepository } from './checkpoints.repository.ts';

const SYSTEM = asService('audit');
const ROWS_PER_CHECKPOINT = 1_000;
const CHAINS_AT_ONCE = 100;

/** Signs the ends of the chains every minute and every 1000 rows, keeps the checkpoints and publishes them. */
@Injectable()
export class SignCheckpoints implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweep: Periodic;

  constructor(
    private readonly work: UnitOfWork,
    private readonly chains: ChainsRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly keys: CheckpointKeys,
    config: AuditConfig,
    @Inject(LOGGER) log: Logger,
  ) {
    this.sweep = new Periodic('checkpoints', config.auditCheckpointSeconds * 1000, () => this.execute(), log);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.keys.prepare();
    this.sweep.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweep.stop();
  }

  /** A checkpoint for each chain that has grown since its last. */
  async execute(): Promise<void> {
    await this.keys.follow();
    await this.work.run(SYSTEM, (tx) => tx.query('SELECT prepare_months()'));
    for (let signed = CHAINS_AT_ONCE; signed === CHAINS_AT_ONCE;) {
      signed = await this.work.run(SYSTEM, async (tx) => {
        const grown = await this.chains.lockGrown(tx, CHAINS_AT_ONCE);
        for (const chain of grown) await this.sign(tx, chain);
        return grown.length;
      });
    }
  }

  /** Part of the transaction that appends, whose chain is locked. */
  async afterAppending(tx: Tx, chain: Chain): Promise<void> {
    if (chain.length - chain.checkpointedLength >= ROWS_PER_CHECKPOINT) await this.sign(tx, chain);
  }

  /** Vouches for a chain as it is now, for what stands in it must outlast its subject. */
  async seal(tx: Tx, name: string): Promise<void> {
    const chain = await this.chains.lock(tx, name);
    if (chain.length > chain.checkpointedLength) await this.sign(tx, chain);
  }

  private async sign(tx: Tx, chain: Chain): Promise<void> {
    const state = { chain: chain.chain, length: chain.length, head: chain.head, signedAt: new Date().toISOString() };
    const checkpoint = { ...state, jws: await this.keys.sign(canonicalJson(state)) };
    await this.checkpoints.add(tx, chain.partnerId, checkpoint);
    await this.chains.noteCheckpoint(tx, chain);
    tx.emit(CheckpointSigned, checkpoint, { aggregateId: chain.chain });
  }
}
