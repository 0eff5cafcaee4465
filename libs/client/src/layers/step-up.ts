import type { Tokens, TokenStore } from '../tokens.ts';
import { codeOf, type Layer, post } from './layer.ts';

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
