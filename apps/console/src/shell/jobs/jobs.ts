import { useSyncExternalStore } from 'react';

/** Long work of this tab, which goes on while its user looks at other screens. */
export interface Job {
  readonly id: string;
  readonly label: string;
  readonly state: 'running' | 'done' | 'failed';
  /** Between 0 and 1; absent while it cannot be told. */
  readonly progress?: number;
  /** What came of it. */
  readonly result?: string;
}

type Report = (progress: number) => void;

let jobs: readonly Job[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Job[]): void {
  jobs = next;
  for (const listener of listeners) listener();
}

const change = (id: string, part: Partial<Job>): void =>
  set(jobs.map((job) => (job.id === id ? { ...job, ...part } : job)));

interface Work {
  readonly id: string;
  readonly label: string;
  /** @returns what came of it, in words */
  readonly work: (report: Report) => Promise<string>;
  readonly explain: (error: unknown) => string;
}

/** Runs long work and shows it in the panel until it is dismissed. */
export async function runJob({ id, label, work, explain }: Work): Promise<void> {
  set([...jobs, { id, label, state: 'running' }]);
  try {
    const result = await work((progress) => change(id, { progress }));
    change(id, { state: 'done', progress: 1, result });
  } catch (error) {
    change(id, { state: 'failed', result: explain(error) });
  }
}

/** Work that runs stays. */
export const dismissJob = (id: string): void => set(jobs.filter((job) => job.id !== id || job.state === 'running'));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const currentJobs = (): readonly Job[] => jobs;
export const useJobs = (): readonly Job[] => useSyncExternalStore(subscribe, currentJobs);
