import type { UserCaller } from '@gatehouse/contracts-core';
import type { ReplayRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { replayView } from './replay.view.ts';
import { ReplaysRepository } from './replays.repository.ts';

@Injectable()
export class ListReplays {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly replays: ReplaysRepository,
  ) {}

  /** @throws ProblemError org_required, organization_not_found */
  execute(caller: UserCaller, named: string | undefined): Promise<ReplayRecord[]> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return (await this.replays.list(reader, caller.scope, orgId)).map(replayView);
    });
  }
}
