import type { MergeRunResponse } from '@gatehouse/contracts-tenancy';
import type { MergeRun } from './organization-runs.repository.ts';

export function mergeRunView(run: MergeRun): MergeRunResponse {
  const { state, total, error } = run;
  const moved = Object.values(run.progress).reduce((sum, service) => sum + service.moved, 0);
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
    progress: { done: state === 'completed' ? total : Math.min(moved, total), total },
    tables: run.tables,
    warnings: run.warnings,
    ...(error && { error }),
  };
}
