import type { MergeRunResponse } from '@gatehouse/contracts-tenancy';
import type { MergeRun } from './organization-runs.repository.ts';

export function mergeRunView({ id, state, progress, total, tables, warnings, error }: MergeRun): MergeRunResponse {
  const moved = Object.values(progress).reduce((sum, service) => sum + service.moved, 0);
  const done = state === 'completed' ? total : Math.min(moved, total);
  return { jobId: id, state, progress: { done, total }, tables, warnings, ...(error && { error }) };
}
