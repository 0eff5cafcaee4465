import { expectStatus, send } from './http.ts';
import type { Person } from './people.ts';

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface SsoSignIn {
  readonly baseUrl: string;
  readonly orgId: string;
  /** The user whom the provider signs in. */
  readonly email: string;
  readonly signal?: AbortSignal;
}

const tokensIn = ({ text }: { text: string }): Tokens => JSON.parse(text) as Tokens;

/**
 * One full sign-in as a browser does it: start, provider, callback, exchange.
 * @throws Error with the answer that came instead of a session
 */
export async function signInThroughProvider({ baseUrl, orgId, email, signal }: SsoSignIn): Promise<Tokens> {
  const start = await expectStatus(302, `${baseUrl}/api/v1/sso/login/${orgId}`, { signal });
  const authorization = new URL(start.location);
  authorization.searchParams.set('login_hint', email);
  const { pathname, search } = new URL((await send(authorization.href, { signal })).location);
  const back = await expectStatus(302, `${baseUrl}${pathname}${search}`, { headers: { cookie: start.cookie }, signal });
  const code = /#ssoCode=(.+)$/.exec(back.location)?.[1];
  if (!code) throw new Error(`the callback led to ${back.location}`);
  return tokensIn(
    await expectStatus(200, `${baseUrl}/api/v1/sso/exchange`, {
      method: 'POST',
      headers: { cookie: back.cookie },
      body: { code },
      signal,
    }),
  );
}

export const signInWithPassword = async (baseUrl: string, { email, password }: Person): Promise<Tokens> =>
  tokensIn(await expectStatus(200, `${baseUrl}/api/v1/auth/login`, { method: 'POST', body: { email, password } }));

export const refresh = async (baseUrl: string, { refreshToken }: Tokens): Promise<Tokens> =>
  tokensIn(await expectStatus(200, `${baseUrl}/api/v1/auth/refresh`, { method: 'POST', body: { refreshToken } }));
