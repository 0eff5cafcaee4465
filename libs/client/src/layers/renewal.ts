import type { Tokens, TokenStore } from '../tokens.ts';
import { post, type Send } from './layer.ts';

/** Where the refresh token is: with the program, or in a cookie that the browser sends by itself. */
export type SessionPlace = 'program' | 'cookie';

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

const UNAUTHENTICATED = 401;
/** All pages of the product use this name, so that one tab of a browser renews the session at a time. */
const LOCK = 'gatehouse-refresh';

/** Runs the work in one tab at a time, in browsers that have Web Locks. */
export function inOneTab<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = (globalThis as { readonly navigator?: { readonly locks?: Locks } }).navigator ?? {};
  return locks ? locks.request(LOCK, work) : work();
}

/** Renews a session once, for all requests that find its access token expired at the same time. */
export class Renewal {
  private pending: Promise<Tokens | null> | null = null;

  constructor(
    private readonly refreshUrl: string,
    private readonly place: SessionPlace,
    private readonly store: TokenStore,
    private readonly send: Send,
  ) {}

  /** @returns null if the session cannot be renewed */
  after(expired: Tokens): Promise<Tokens | null> {
    const renew = (): Promise<Tokens | null> => this.renew(expired);
    this.pending ??= (this.place === 'cookie' ? inOneTab(renew) : renew()).finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  private async renew(expired: Tokens): Promise<Tokens | null> {
    const current = await this.store.read();
    if (current === null || current.accessToken !== expired.accessToken) return current;
    const response = await this.requestTwice(current);
    if (response.ok) {
      const tokens = (await response.json()) as Tokens;
      await this.store.write(tokens);
      return tokens;
    }
    if (response.status === UNAUTHENTICATED) await this.store.write(null);
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
