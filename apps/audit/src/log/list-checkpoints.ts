import { asService, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { Checkpoint } from '../checkpoints/checkpoint.event.ts';
import { CheckpointKeys } from '../checkpoints/checkpoint-keys.ts';
import { CheckpointsRepository } from '../checkpoints/checkpoints.repository.ts';
import { chainFor } from './reach.ts';

/** Lists a chain's checkpoints and the public keys: the offline verifier needs both in addition to an export. */
@Injectable()
export class ListCheckpoints {
  constructor(
    private readonly work: UnitOfWork,
    private readonly checkpoints: CheckpointsRepository,
    private readonly keys: CheckpointKeys,
  ) {}

  async execute(caller: UserCaller, asked: string | undefined): Promise<{ data: Checkpoint[]; jwks: object }> {
    const chain = chainFor(caller, asked);
    const data = await this.work.read(asService('audit', caller.origin), (reader) =>
      this.checkpoints.ofChain(reader, chain),
    );
    return { data, jwks: await this.keys.publicKeys() };
  }
}
