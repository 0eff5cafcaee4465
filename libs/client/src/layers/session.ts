import type { TokenStore } from '../tokens.ts';
import { codeOf, type Layer } from './layer.ts';
import { Renewal, type SessionPlace } from './renewal.ts';

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
      return renewed === null ? response : next(withToken(request, renewed.accessToken));
    };
  };
