import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MergeRunQuery, MergeRunResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import {
  type MergeRun,
  type OrganizationRunEntity,
  OrganizationRunsRepository,
} from './organization-runs.repository.ts';

/** The rows that the services have moved, of those that the preview counted. */
export function progressOfRun({
  state,
  total,
  progress,
}: Pick<OrganizationRunEntity, 'state' | 'total' | 'progress'>): { done: number; total: number } {
  const moved = Object.values(progress).reduce((sum, service) => sum + service.moved, 0);
  return { done: state === 'completed' ? total : Math.min(moved, total), total };
}

function mergeRunView(run: MergeRun): MergeRunResponse {
  const { state, error } = run;
  return {
    jobId: run.id,
    orgId: run.orgId,
    orgName: run.orgName,
    survivorId: run.survivorId,
    survivorName: run.survivorName,
    startedBy: run.startedBy,
    startedAt: run.createdAt,
    finishedAt: run.finishedAt,
    state,
    progress: progressOfRun(run),
    tables: run.tables,
    warnings: run.warnings,
    ...(error && { error }),
  };
}

@Injectable()
export class MergeService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationRunsRepository: OrganizationRunsRepository,
  ) {}

  /** Lists merges under way and past ones, so that every administrator finds them again. */
  async listMergeRuns(caller: UserCaller, query: MergeRunQuery): Promise<Page<MergeRunResponse>> {
    const { rows, total } = await this.work.read(caller, (reader) =>
      this.organizationRunsRepository.listMerges(reader, caller, query),
    );
    return { rows: rows.map(mergeRunView), total };
  }

  /** @throws ProblemError merge_run_not_found, also when one of the two organisations is outside the caller's reach */
  async getMergeRun(caller: UserCaller, jobId: string): Promise<MergeRunResponse> {
    const run = await this.work.read(caller, (reader) =>
      this.organizationRunsRepository.findMerge(reader, caller, jobId),
    );
    if (!run) throw new ProblemError('merge_run_not_found', 'There is no such merge.');
    return mergeRunView(run);
  }
}
