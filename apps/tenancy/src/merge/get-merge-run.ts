import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
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

  /** @throws ProblemError merge_run_not_found, also when one of the two organisations is outside the caller's reach */
  async execute(caller: UserCaller, jobId: string): Promise<MergeRunResponse> {
    const run = await this.work.read(caller, (reader) =>
      this.organizationRunsRepository.findMerge(reader, caller, jobId),
    );
    if (!run) throw new ProblemError('merge_run_not_found', 'Merge run not found.');
    return mergeRunView(run);
  }
}
