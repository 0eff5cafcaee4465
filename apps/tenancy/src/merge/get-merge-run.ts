import { ProblemError, seesOrg, type UserCaller } from '@gatehouse/contracts-core';
import type { MergeRunResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { mergeRunView } from './merge-run.view.ts';
import { OrganizationRunsRepository } from './organization-runs.repository.ts';

@Injectable()
export class GetMergeRun {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationRunsRepository: OrganizationRunsRepository,
  ) {}

  /** @throws ProblemError merge_run_not_found */
  async execute(caller: UserCaller, jobId: string): Promise<MergeRunResponse> {
    const run = await this.work.read(caller, (reader) =>
      this.organizationRunsRepository.findMerge(reader, caller, jobId),
    );
    const isInReach =
      run && seesOrg(caller.scope, run.partnerId, run.orgId) && seesOrg(caller.scope, run.partnerId, run.survivorId);
    if (!isInReach) throw new ProblemError('merge_run_not_found', 'Merge run not found.');
    return mergeRunView(run);
  }
}
