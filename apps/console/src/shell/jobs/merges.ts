import type { DataOf } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getQuery } from '../../api/client.ts';

export type MergeRun = DataOf<'/orgs/organizations/merge-runs', 'get'>['data'][number];

const RUNS_SHOWN = 20;
const POLL_MS = { first: 1000, later: 5000, quickReads: 10 };

export const isRunning = ({ state }: Pick<MergeRun, 'state'>): boolean => state === 'queued' || state === 'running';

/** Every second at first, then every five; not at all while nothing runs, because an event tells of the next run. */
export function pollAfter(runs: readonly MergeRun[] | undefined, reads: number): number | false {
  if (!runs?.some(isRunning)) return false;
  return reads <= POLL_MS.quickReads ? POLL_MS.first : POLL_MS.later;
}

const recentRuns = getQuery('merge', '/orgs/organizations/merge-runs', {
  query: { limit: RUNS_SHOWN },
  select: ({ data }) => data,
  refetchInterval: ({ state }) => pollAfter(state.data?.data, state.dataUpdateCount),
});

/** The runs to show: those under way, and those that ended while they were watched. */
export const runsShown = (runs: readonly MergeRun[], watched: ReadonlySet<string>, dismissed: ReadonlySet<string>) =>
  runs.filter((run) => isRunning(run) || (watched.has(run.jobId) && !dismissed.has(run.jobId)));

/** The merges under way of all users. They are read from the server, so they survive navigation and reload. */
export function useMerges(enabled: boolean) {
  const runs = useQuery({ ...recentRuns, enabled }).data ?? [];
  const [watched, setWatched] = useState<ReadonlySet<string>>(new Set());
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const fresh = runs.filter((run) => isRunning(run) && !watched.has(run.jobId));
  if (fresh.length > 0) setWatched(new Set([...watched, ...fresh.map(({ jobId }) => jobId)]));
  const dismiss = (jobId: string) => setDismissed(new Set([...dismissed, jobId]));
  return { runs: runsShown(runs, watched, dismissed), dismiss };
}
