import type { Layer } from './layer.ts';

export interface RetryOptions {
  /** How often a request is sent again. */
  readonly retries: number;
  /** The longest wait in seconds that `Retry-After` may ask for. */
  readonly maxWaitSeconds: number;
}

const RATE_LIMITED = 429;
const UNAVAILABLE = 503;
const CONFLICT = 409;
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
const FIRST_WAIT_SECONDS = 0.25;

const isRepeatable = ({ method, headers }: Request): boolean =>
  IDEMPOTENT.includes(method) || headers.has('idempotency-key');

/** A request that was limited has had no effect; a conflict with `Retry-After` means that its key is still in use. */
function mayTryAgain(request: Request, response: Response): boolean {
  if (response.status === RATE_LIMITED) return true;
  if (response.status === CONFLICT) return response.headers.has('retry-after');
  return response.status === UNAVAILABLE && isRepeatable(request);
}

const waitFor = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** @returns the seconds after which to send the request again; infinity if it must not be */
function waitAfter(request: Request, response: Response | null, backoff: number): number {
  if (request.signal.aborted) return Infinity;
  if (response === null) return isRepeatable(request) ? backoff : Infinity;
  return mayTryAgain(request, response) ? Number(response.headers.get('retry-after') ?? backoff) : Infinity;
}

/** Sends a request again after a lost connection, 503 or 429, if that cannot repeat an effect. */
export const retries =
  ({ retries: times, maxWaitSeconds }: RetryOptions): Layer =>
  (next) =>
  async (request) => {
    for (let attempt = 0; attempt < times; attempt++) {
      const answer = next(request.clone());
      const response = await answer.catch(() => null);
      const seconds = waitAfter(request, response, FIRST_WAIT_SECONDS * 2 ** attempt);
      if (!(seconds <= maxWaitSeconds)) return answer;
      await response?.body?.cancel();
      await waitFor(seconds);
    }
    return next(request);
  };
