import type { UserCaller } from '@gatehouse/contracts-core';
import type { ReplayRecord } from '@gatehouse/contracts-pam';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { isWhereNamed, type NamedThing } from '../organizations/one-organization.ts';
import { noReplay, replayView } from './replay.view.ts';
import { type ReplayRow, ReplaysRepository } from './replays.repository.ts';

@Injectable()
export class GetReplay {
  constructor(
    private readonly work: UnitOfWork,
    private readonly replays: ReplaysRepository,
  ) {}

  /** @throws ProblemError replay_not_found */
  execute(caller: UserCaller, named: NamedThing): Promise<ReplayRecord> {
    return this.work.read(caller, async (reader) => replayView(await this.find(reader, caller, named)));
  }

  /** @throws ProblemError replay_not_found */
  async find(reader: Reader, caller: UserCaller, named: NamedThing): Promise<ReplayRow> {
    const replay = await this.replays.find(reader, caller.scope, named.id);
    if (!replay || !isWhereNamed(named, replay)) throw noReplay();
    return replay;
  }
}
