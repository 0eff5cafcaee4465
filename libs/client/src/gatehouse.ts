import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './contract.ts';
import {
  apiKey,
  chain,
  idempotency,
  inOneTab,
  type Layer,
  memoryTokens,
  retries,
  type SecondFactor,
  type Send,
  session,
  type SessionPlace,
  stepUp,
  type TokenStore,
} from './layers.ts';
import { GatehouseError, isProblem, ok } from './problems.ts';

type Methods<P extends keyof paths> = keyof paths[P];
type JsonIn<R> = R extends { content: { 'application/json': infer D } } ? D : never;
type Succeeded = 200 | 201 | 202;

/** What one operation answers: `DataOf<'/pam/rules', 'get'>`. */
export type DataOf<P extends keyof paths, M extends Methods<P>> = paths[P][M] extends { responses: infer R }
  ? JsonIn<R[keyof R & Succeeded]>
  : never;

/** The body that one operation takes: `BodyOf<'/pam/rules', 'post'>`. */
export type BodyOf<P extends keyof paths, M extends Methods<P>> = paths[P][M] extends { requestBody?: infer B }
  ? JsonIn<NonNullable<B>>
  : never;

export interface GatehouseOptions {
  /** The product's address: `https://gatehouse.example.com`. */
  readonly baseUrl: string;
  /** Signs in with an API key instead of a session. API keys never satisfy a second factor. */
  readonly apiKey?: string;
  /**
   * `cookie`, for pages of the product itself: the browser keeps the refresh token in a cookie that no script reads,
   * and only the access token is in memory.
   */
  readonly session?: 'cookie';
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
  /**
   * Continues the session that the browser's cookie stands for, after a page was loaded.
   * @returns whether there is one
   * @throws GatehouseError if the server cannot tell
   */
  resume(): Promise<boolean>;
  /** Ends the session, here and at the server. */
  signOut(): Promise<void>;
}

const API = '/api/v1';
const RETRIES = 3;
const MAX_WAIT_SECONDS = 30;
const UNAUTHENTICATED = 401;

interface Session {
  readonly api: Client<paths>;
  readonly store: TokenStore;
  readonly secondFactor: SecondFactor;
  readonly place: SessionPlace;
}

const failed = ({ status }: Response, error: unknown): GatehouseError =>
  new GatehouseError(status, isProblem(error) ? error : null);
/** The member of a sign-in that asks for the cookie. */
const modeOf = ({ place }: Session): { session?: 'cookie' } => (place === 'cookie' ? { session: place } : {});

async function keep({ store, place }: Session, signedIn: LoginAnswer): Promise<SignInResult> {
  const { accessToken, refreshToken, user } = signedIn;
  const isWhole = place === 'cookie' || refreshToken !== undefined;
  if (!accessToken || !isWhole || !user) throw new GatehouseError(200, null);
  await store.write(place === 'cookie' ? { accessToken } : { accessToken, refreshToken });
  return { kind: 'signed-in', user };
}

async function signIn(own: Session, request: SignInRequest): Promise<SignInResult> {
  const mode = modeOf(own);
  const first = await ok(own.api.POST('/auth/login', { body: { ...request, ...mode } }));
  if (first.memberships) return { kind: 'membership', memberships: first.memberships };
  if (!first.mfaToken) return keep(own, first);
  const code = await own.secondFactor();
  if (code === null) return { kind: 'second-factor', methods: first.methods ?? [] };
  const body = { mfaToken: first.mfaToken, code, ...mode };
  return keep(own, await ok(own.api.POST('/auth/mfa/verify', { body })));
}

async function resume({ api, store, place }: Session): Promise<boolean> {
  if ((await store.read()) !== null) return true;
  if (place !== 'cookie') return false;
  return inOneTab(async () => {
    const { data, error, response } = await api.POST('/auth/refresh');
    if (data) await store.write({ accessToken: data.accessToken });
    else if (response.status !== UNAUTHENTICATED) throw failed(response, error);
    return data !== undefined;
  });
}

async function signOut(own: Session): Promise<void> {
  if (!(await resume(own))) return;
  const { error, response } = await own.api.POST('/auth/logout', { body: {} });
  await own.store.write(null);
  if (!response.ok && response.status !== UNAUTHENTICATED) throw failed(response, error);
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
  const place = options.session ?? 'program';
  const identified: readonly Layer[] =
    options.apiKey === undefined
      ? [stepUp(store, `${base}/auth/mfa/step-up`, secondFactor), session(store, `${base}/auth/refresh`, place)]
      : [apiKey(options.apiKey)];
  const again = retries({
    retries: options.retries ?? RETRIES,
    maxWaitSeconds: options.maxWaitSeconds ?? MAX_WAIT_SECONDS,
  });
  const send = chain(options.fetch ?? ((request) => fetch(request)), ...identified, idempotency, again);
  const api = createClient<paths>({ baseUrl: base, fetch: send });
  const own: Session = { api, store, secondFactor, place };
  return Object.assign(api, {
    signIn: (request: SignInRequest) => signIn(own, request),
    resume: () => resume(own),
    signOut: () => signOut(own),
  });
}
