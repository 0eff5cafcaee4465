import { parentPort } from 'node:worker_threads';

/** What a worker answers to a job: its output, or the reason why there is none. */
export interface JobAnswer<O> {
  readonly output?: O;
  readonly fault?: string;
}

/** The worker's side of a `WorkerPool`: says when it has started, then answers each job. */
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
