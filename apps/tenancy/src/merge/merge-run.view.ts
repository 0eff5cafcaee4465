import type { MergeRunResponse } from '@gatehouse/contracts-tenancy';
import type { OrganizationRunEntity } from './organization-run.entity.ts';
import type { MergeRun } from './organization-runs.repository.ts';

/** The rows that the services have moved, of those that the preview counted. */
export function progressOfRun({
  state,
  total,
  progress,
}: Pick<OrganizationRunEntity, 'state' | 'total' | 'progress'>): { done: number; total: number } {
  const moved = Object.values(progress).reduce((sum, service) => sum + service.moved, 0);
  return { done: state === 'completed' ? total : Math.min(moved, total), total };
}

export function mergeRunView(run: MergeRun): MergeRunResponse {
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
