import { parentPort } from 'node:worker_threads';
import { verifyResponse } from './sso/saml/verification/verify-response.ts';
import type { JobAnswer } from './sso/saml/verification/worker-pool.ts';

/** The worker's side of a `WorkerPool`: reports that it has started, then answers each job. */
function serveJobs<I, O>(work: (input: I) => Promise<O>): void {
  const answer = (message: JobAnswer<O>): void => parentPort?.postMessage(message);
  parentPort?.on('message', (input: I) => {
    work(input).then(
      (output) => answer({ output }),
      (error: unknown) => answer({ fault: error instanceof Error ? error.message : 'the job failed' }),
    );
  });
  answer({});
}

serveJobs(verifyResponse);
