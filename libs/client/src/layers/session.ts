import type { Tokens, TokenStore } from '../tokens.ts';
import { codeOf, type Layer, post, type Send } from './layer.ts';

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

/** Renews a session once, for all requests that find its access token expired at the same time. */
class Renewal {
  private pending: Promise<Tokens | null> | null = null;

  constructor(
    private readonly refreshUrl: string,
    private readonly store: TokenStore,
    private readonly send: Send,
  ) {}

  /** @returns null if the session cannot be renewed */
  after(expired: Tokens): Promise<Tokens | null> {
    this.pending ??= this.renew(expired).finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  private async renew(expired: Tokens): Promise<Tokens | null> {
    const current = await this.store.read();
    if (current === null || current.accessToken !== expired.accessToken) return current;
    const response = await this.send(post(this.refreshUrl, { refreshToken: current.refreshToken }));
    if (response.ok) {
      const tokens = (await response.json()) as Tokens;
      await this.store.write(tokens);
      return tokens;
    }
    if (response.status === UNAUTHENTICATED) await this.store.write(null);
    return null;
  }
}

/** Sends the access token with each request, and renews the session when it has expired. */
export const session =
  (store: TokenStore, refreshUrl: string): Layer =>
  (next) => {
    const renewal = new Renewal(refreshUrl, store, next);
    return async (request) => {
      const tokens = await store.read();
      if (tokens === null || request.headers.has('authorization')) return next(request);
      const response = await next(withToken(request, tokens.accessToken));
      if (response.status !== UNAUTHENTICATED || (await codeOf(response)) !== 'token_expired') return response;
      const renewed = await renewal.after(tokens);
      return renewed === null ? response : next(withToken(request, renewed.accessToken));
    };
  };
