import type { ServiceCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type Chain, ChainsRepository } from '../chain/chains.repository.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.event.ts';
import { CheckpointsRepository } from '../checkpoints/checkpoints.repository.ts';
import { PublishedCheckpoints } from '../checkpoints/published-checkpoints.ts';

/** The end of a chain as known before its entries are read. */
export interface KnownEnd {
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
