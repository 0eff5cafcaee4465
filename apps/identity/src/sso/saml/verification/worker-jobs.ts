import { parentPort } from 'node:worker_threads';

/** A worker's answer to a job: its output, or the reason for its failure. */
export interface JobAnswer<O> {
  readonly output?: O;
  readonly fault?: string;
}

/** The worker's side of a `WorkerPool`: reports that it has started, then answers each job. */
export function serveJobs<I, O>(work: (input: I) => Promise<O>): void {
  const answer = (message: JobAnswer<O>): void => parentPort?.postMessage(message);
  parentPort?.on('message', (input: I) => {
    work(input).then(
      (output) => answer({ output }),
      (error: unknown) => answer({ fault: error instanceof Error ? error.message : 'the job failed' }),
    );
  });
  answer({});
}
