import { isProblem, type ProblemCode } from './problems.ts';

/** The tokens of a session. */
export interface Tokens {
  /** Lives for 15 minutes. */
  readonly accessToken: string;
  /** Renews the session once. Absent where a browser keeps it in a cookie. */
  readonly refreshToken?: string;
}

/** Where a client keeps the tokens of its session. */
export interface TokenStore {
  read(): Tokens | null | Promise<Tokens | null>;
  /** @param tokens null ends the session */
  write(tokens: Tokens | null): void | Promise<void>;
}

/** Keeps tokens as long as the program runs. */
export function memoryTokens(tokens: Tokens | null = null): TokenStore {
  let kept = tokens;
  return {
    read: () => kept,
    write: (next) => {
      kept = next;
    },
  };
}

export type Send = (request: Request) => Promise<Response>;

/** One concern of sending requests. A layer that sends a request again sends a clone of it. */
export type Layer = (next: Send) => Send;

/** Puts layers before `send`; the first one is the outermost. */
export const chain = (send: Send, ...layers: readonly Layer[]): Send =>
  layers.reduceRight((next, layer) => layer(next), send);

/** The code of an error answer; null if it has none. The answer can still be read. */
export async function codeOf(response: Response): Promise<ProblemCode | null> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return isProblem(body) ? body.code : null;
}

/** A request with a JSON body. */
const post = (url: string, body: object): Request =>
  new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const HEADER = 'idempotency-key';
const METHODS = ['POST', 'PATCH'];

/**
 * Gives each change of a signed-in caller a key, so that it can be sent again without a second effect. A key that the
 * program has set stays.
 */
export const idempotency: Layer = (next) => (request) => {
  const takesKey = METHODS.includes(request.method) && request.headers.has('authorization');
  if (takesKey && !request.headers.has(HEADER)) request.headers.set(HEADER, crypto.randomUUID());
  return next(request);
};

/** Asks the user for a code of the second factor; null gives up. */
export type SecondFactor = () => Promise<string | null>;

const FORBIDDEN = 403;

/** Proves the second factor when a request needs it, and sends the request again. */
export const stepUp =
  (store: TokenStore, stepUpUrl: string, secondFactor: SecondFactor): Layer =>
  (next) =>
  async (request) => {
    const response = await next(request.clone());
    if (response.status !== FORBIDDEN || (await codeOf(response)) !== 'mfa_required') return response;
    const code = await secondFactor();
    if (code === null) return response;
    const answer = await next(post(stepUpUrl, { code }));
    if (!answer.ok) return answer;
    await store.write((await answer.json()) as Tokens);
    return next(request);
  };

const UNAUTHENTICATED = 401;

const withToken = (request: Request, token: string): Request => {
  const copy = request.clone();
  copy.headers.set('authorization', `Bearer ${token}`);
  return copy;
};

/** Sends an API key with each request. */
export const apiKey =
  (key: string): Layer =>
  (next) =>
  (request) =>
    next(withToken(request, key));

/** Sends the access token with each request, and renews the session when it has expired. */
export const session =
  (store: TokenStore, refreshUrl: string, place: SessionPlace): Layer =>
  (next) => {
    const renewal = new Renewal(refreshUrl, place, store, next);
    return async (request) => {
      const tokens = await store.read();
      if (tokens === null || request.headers.has('authorization')) return next(request);
      const response = await next(withToken(request, tokens.accessToken));
      if (response.status !== UNAUTHENTICATED || (await codeOf(response)) !== 'token_expired') return response;
      const renewed = await renewal.after(tokens);
      if (renewed === null) return response;
      return 'status' in renewed ? renewed.clone() : next(withToken(request, renewed.accessToken));
    };
  };

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

/** Where the refresh token is: with the program, or in a cookie that the browser sends by itself. */
export type SessionPlace = 'program' | 'cookie';

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** All pages of the product use this name, so that one tab of a browser renews the session at a time. */
const LOCK = 'gatehouse-refresh';

/** Runs the work in one tab at a time, in browsers that have Web Locks. */
export function inOneTab<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = (globalThis as { readonly navigator?: { readonly locks?: Locks } }).navigator ?? {};
  return locks ? locks.request(LOCK, work) : work();
}

/** Renews a session once, for all requests that find its access token expired at the same time. */
class Renewal {
  private pending: Promise<Tokens | Response | null> | null = null;

  constructor(
    private readonly refreshUrl: string,
    private readonly place: SessionPlace,
    private readonly store: TokenStore,
    private readonly send: Send,
  ) {}

  /** @returns null if the session has ended; the answer if it cannot be renewed now */
  after(expired: Tokens): Promise<Tokens | Response | null> {
    const renew = (): Promise<Tokens | Response | null> => this.renew(expired);
    this.pending ??= (this.place === 'cookie' ? inOneTab(renew) : renew()).finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  private async renew(expired: Tokens): Promise<Tokens | Response | null> {
    const current = await this.store.read();
    if (current === null || current.accessToken !== expired.accessToken) return current;
    const response = await this.requestTwice(current);
    if (response.ok) {
      const tokens = (await response.json()) as Tokens;
      await this.store.write(tokens);
      return tokens;
    }
    if (response.status !== UNAUTHENTICATED) return response;
    await this.store.write(null);
    return null;
  }

  /** A lost answer is asked for again at once: the server takes the old refresh token for ten seconds more. */
  private requestTwice(current: Tokens): Promise<Response> {
    return this.send(this.requestFor(current)).catch(() => this.send(this.requestFor(current)));
  }

  private requestFor({ refreshToken }: Tokens): Request {
    return this.place === 'cookie'
      ? new Request(this.refreshUrl, { method: 'POST' })
      : post(this.refreshUrl, { refreshToken });
  }
}
