import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ReplayRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { isWhereNamed, type NamedThing } from '../organizations/one-organization.ts';
import { noReplay, replayView } from './replay.view.ts';
import { ReplaysRepository } from './replays.repository.ts';

@Injectable()
export class CancelReplay {
  constructor(
    private readonly work: UnitOfWork,
    private readonly replays: ReplaysRepository,
  ) {}

  /** @throws ProblemError replay_not_found, conflict */
  execute(caller: UserCaller, named: NamedThing): Promise<ReplayRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const replay = await this.replays.lock(tx, caller.scope, named.id);
      if (!replay || !isWhereNamed(named, replay)) throw noReplay();
      if (replay.state !== 'queued' && replay.state !== 'running')
        throw new ProblemError('conflict', `The replay is ${replay.state}.`);
      return replayView(await this.replays.cancel(tx, replay.id));
    });
  }
}
