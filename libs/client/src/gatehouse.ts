import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './contract.ts';
import { idempotency } from './layers/idempotency.ts';
import { chain, type Layer, type Send } from './layers/layer.ts';
import { retries } from './layers/retries.ts';
import { apiKey, session } from './layers/session.ts';
import { type SecondFactor, stepUp } from './layers/step-up.ts';
import type { DataOf } from './operations.ts';
import { GatehouseError, isProblem, ok } from './problems.ts';
import { memoryTokens, type TokenStore } from './tokens.ts';

export interface GatehouseOptions {
  /** The product's address: `https://gatehouse.example.com`. */
  readonly baseUrl: string;
  /** Signs in with an API key instead of a session. API keys never satisfy a second factor. */
  readonly apiKey?: string;
  /** Where the tokens of the session are kept; in memory by default. */
  readonly tokens?: TokenStore;
  /** Asked for a code when a sign-in or a request needs the second factor. Without it, such a request is an error. */
  readonly secondFactor?: SecondFactor;
  /** How often a request is sent again after a lost connection, 503 or 429; 3 by default. */
  readonly retries?: number;
  /** The longest wait in seconds before a request is sent again; 30 by default. */
  readonly maxWaitSeconds?: number;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Send;
}

export interface SignInRequest {
  readonly email: string;
  readonly password: string;
  /** Which membership to sign in to, when there are several. */
  readonly membershipId?: string;
}

type LoginAnswer = DataOf<'/auth/login', 'post'>;

export type SignInResult =
  | { readonly kind: 'signed-in'; readonly user: NonNullable<LoginAnswer['user']> }
  /** The second factor is required and was not given. */
  | { readonly kind: 'second-factor'; readonly methods: readonly string[] }
  /** The user has several memberships: sign in again with one of them. */
  | { readonly kind: 'membership'; readonly memberships: NonNullable<LoginAnswer['memberships']> };

/** The API, typed by its contract, with the session of one caller. */
export interface Gatehouse extends Client<paths> {
  /** @throws GatehouseError with `invalid_credentials`, `mfa_code_invalid` and so on */
  signIn(request: SignInRequest): Promise<SignInResult>;
  /** Ends the session, here and at the server. */
  signOut(): Promise<void>;
}

const API = '/api/v1';
const RETRIES = 3;
const MAX_WAIT_SECONDS = 30;

type Session = Readonly<{ api: Client<paths>; store: TokenStore; secondFactor: SecondFactor }>;

async function keep({ store }: Session, signedIn: LoginAnswer): Promise<SignInResult> {
  const { accessToken, refreshToken, user } = signedIn;
  if (!accessToken || !refreshToken || !user) throw new GatehouseError(200, null);
  await store.write({ accessToken, refreshToken });
  return { kind: 'signed-in', user };
}

async function signIn(own: Session, request: SignInRequest): Promise<SignInResult> {
  const first = await ok(own.api.POST('/auth/login', { body: request }));
  if (first.memberships) return { kind: 'membership', memberships: first.memberships };
  if (!first.mfaToken) return keep(own, first);
  const code = await own.secondFactor();
  if (code === null) return { kind: 'second-factor', methods: first.methods ?? [] };
  return keep(own, await ok(own.api.POST('/auth/mfa/verify', { body: { mfaToken: first.mfaToken, code } })));
}

async function signOut({ api, store }: Session): Promise<void> {
  if ((await store.read()) === null) return;
  const { error, response } = await api.POST('/auth/logout', { body: {} });
  await store.write(null);
  if (!response.ok && response.status !== 401)
    throw new GatehouseError(response.status, isProblem(error) ? error : null);
}

/**
 * A client of one caller.
 *
 * ```ts
 * const gatehouse = createGatehouse({ baseUrl: 'https://gatehouse.example.com', secondFactor: askForCode });
 * await gatehouse.signIn({ email, password });
 * const params = { query: { status: ['pending'] } };
 * const { requests } = await ok(gatehouse.GET('/pam/elevation-requests', { params }));
 * ```
 */
export function createGatehouse(options: GatehouseOptions): Gatehouse {
  const base = `${options.baseUrl.replace(/\/+$/, '')}${API}`;
  const store = options.tokens ?? memoryTokens();
  const secondFactor = options.secondFactor ?? (() => Promise.resolve(null));
  const identified: readonly Layer[] =
    options.apiKey === undefined
      ? [stepUp(store, `${base}/auth/mfa/step-up`, secondFactor), session(store, `${base}/auth/refresh`)]
      : [apiKey(options.apiKey)];
  const again = retries({
    retries: options.retries ?? RETRIES,
    maxWaitSeconds: options.maxWaitSeconds ?? MAX_WAIT_SECONDS,
  });
  const send = chain(options.fetch ?? ((request) => fetch(request)), ...identified, idempotency, again);
  const api = createClient<paths>({ baseUrl: base, fetch: send });
  const own: Session = { api, store, secondFactor };
  return Object.assign(api, {
    signIn: (request: SignInRequest) => signIn(own, request),
    signOut: () => signOut(own),
  });
}
