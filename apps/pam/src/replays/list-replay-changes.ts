import { offsetOf, type UserCaller } from '@gatehouse/contracts-core';
import type { ReplayChangeRecord, ReplayChangesQuery } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { GetReplay } from './get-replay.ts';
import { changeView } from './replay.view.ts';
import { ReplaysRepository } from './replays.repository.ts';

@Injectable()
export class ListReplayChanges {
  constructor(
    private readonly work: UnitOfWork,
    private readonly getReplay: GetReplay,
    private readonly replays: ReplaysRepository,
  ) {}

  /** @throws ProblemError replay_not_found */
  execute(
    caller: UserCaller,
    id: string,
    query: ReplayChangesQuery,
  ): Promise<{ changes: ReplayChangeRecord[]; total: number }> {
    return this.work.read(caller, async (reader) => {
      const replay = await this.getReplay.find(reader, caller, { id, orgId: query.orgId });
      const { from, to, deviceId, limit } = query;
      const filter = { from, to, deviceId, limit, offset: offsetOf(query) };
      const { rows, total } = await this.replays.changes(reader, replay.id, filter);
      return { changes: rows.map(changeView), total };
    });
  }
}
