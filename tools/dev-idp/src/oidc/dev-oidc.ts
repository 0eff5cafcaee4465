import { exportJWK, generateKeyPair } from 'jose';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account, PolicyParts, Provider, RequestContext } from 'oidc-provider';
import { type DevUser, userByEmail, userBySub } from '../dev-users.ts';
import { readForm, signInPage } from '../sign-in-page.ts';

type Payload = Record<string, unknown>;
interface Entry {
  readonly payload: Payload;
  readonly expiresAt: number;
}

/**
 * More entries than any test uses at once. The oldest are removed first, so that a long load test does not use ever
 * more memory.
 */
const MAX_ENTRIES = 20_000;

/** Storage in memory, one per provider, in the form that `oidc-provider` asks for (a class, built once per model). */
function memoryAdapter(): new (model: string) => object {
  const entries = new Map<string, Entry>();

  const live = (key: string): Payload | undefined => {
    const entry = entries.get(key);
    if (entry && entry.expiresAt > Date.now()) return entry.payload;
    entries.delete(key);
    return undefined;
  };

  return class MemoryAdapter {
    constructor(private readonly model: string) {}

    async upsert(id: string, payload: Payload, expiresInSeconds = 3600): Promise<void> {
      entries.set(`${this.model}:${id}`, { payload, expiresAt: Date.now() + expiresInSeconds * 1000 });
      const [oldest] = entries.keys();
      if (entries.size > MAX_ENTRIES && oldest) entries.delete(oldest);
    }

    async find(id: string): Promise<Payload | undefined> {
      return live(`${this.model}:${id}`);
    }

    async findByUid(uid: string): Promise<Payload | undefined> {
      for (const [key, { payload }] of entries) {
        if (key.startsWith(`${this.model}:`) && payload['uid'] === uid) return live(key);
      }
      return undefined;
    }

    async consume(id: string): Promise<void> {
      const payload = live(`${this.model}:${id}`);
      if (payload) payload['consumed'] = Math.floor(Date.now() / 1000);
    }

    async destroy(id: string): Promise<void> {
      entries.delete(`${this.model}:${id}`);
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, { payload }] of entries) {
        if (payload['grantId'] === grantId) entries.delete(key);
      }
    }
  };
}

/** A relying party. The product's callback on loopback is always allowed as a redirect address. */
export interface DevClient {
  clientId: string;
  clientSecret: string;
  redirectUris?: string[];
  /** Default `client_secret_basic`. */
  authMethod?: 'client_secret_basic' | 'client_secret_post';
  /** Default `RS256`. */
  idTokenAlgorithm?: 'RS256' | 'ES256';
}

export interface DevOidcOptions {
  readonly issuer: string;
  readonly users: readonly DevUser[];
  readonly clients: readonly DevClient[];
  /** Returns the user who is signed in without a page, given the request's `login_hint`; undefined shows the page. */
  readonly signInWithoutAsking?: (loginHint: string | undefined) => DevUser | undefined;
  readonly redirectUriAllowed: (uri: string) => boolean;
}

const HOUR = 3600;

/**
 * The protocol engine: `oidc-provider` with PKCE required, fresh ES256 and RS256 keys, and consent taken for granted.
 */
export async function devOidc(options: DevOidcOptions): Promise<Provider> {
  // Loaded on first use: much of this package works without it, and it warns on older releases of Node.js when loaded.
  const { Provider: OidcProvider, interactionPolicy } = await import('oidc-provider');
  const provider: Provider = new OidcProvider(options.issuer, {
    adapter: memoryAdapter(),
    jwks: { keys: await Promise.all([signingKey('RS256'), signingKey('ES256')]) },
    clients: options.clients.map(clientMetadata),
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access'],
    claims: {
      openid: ['sub', 'amr'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name'],
      groups: ['groups'],
    },
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: 60,
      IdToken: HOUR,
      RefreshToken: 24 * HOUR,
      Interaction: HOUR,
      Session: HOUR,
      Grant: 24 * HOUR,
    },
    issueRefreshToken: async () => true,
    findAccount: (_context: RequestContext, sub: string) => accountOf(userBySub(options.users, sub)),
    loadExistingGrant: (context: RequestContext) => grantEverything(provider, context),
    interactions: {
      url: (_context: RequestContext, { uid }: { uid: string }) => `/interaction/${uid}`,
      policy: policy(interactionPolicy, options, () => provider),
    },
    renderError: plainError,
  });
  const registered = provider.Client.prototype.redirectUriAllowed;
  provider.Client.prototype.redirectUriAllowed = function allow(uri) {
    return options.redirectUriAllowed(uri) || registered.call(this, uri);
  };
  return provider;
}

async function signingKey(alg: 'RS256' | 'ES256'): Promise<object> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `${alg}-${randomBytes(4).toString('hex')}` };
}

function clientMetadata(client: DevClient): object {
  return {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    redirect_uris: client.redirectUris ?? ['http://localhost:3000/api/v1/sso/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: client.authMethod ?? 'client_secret_basic',
    id_token_signed_response_alg: client.idTokenAlgorithm ?? 'RS256',
  };
}

function accountOf(user: DevUser | undefined): Account | undefined {
  if (!user) return undefined;
  const { amr: _onlyInIdToken, ...claims } = user;
  return { accountId: user.sub, claims: () => claims };
}

async function grantEverything(provider: Provider, { oidc }: RequestContext) {
  const grant = new provider.Grant({ accountId: oidc.account?.accountId ?? '', clientId: oidc.client.clientId });
  grant.addOIDCScope([...oidc.requestParamScopes].join(' '));
  await grant.save();
  return grant;
}

/** The library's policy after a first step that signs in the hinted user at once, so that no page is needed. */
function policy(
  interactionPolicy: PolicyParts,
  { signInWithoutAsking }: DevOidcOptions,
  provider: () => Provider,
): object {
  const prompts = interactionPolicy.base();
  if (!signInWithoutAsking) return prompts;
  const check = new interactionPolicy.Check('automatic', 'automatic sign-in', async (context) => {
    const { oidc } = context;
    const user = signInWithoutAsking(oidc.params['login_hint']);
    const account = accountOf(user);
    if (!user || !account) return false;
    oidc.session.loginAccount({ accountId: user.sub, amr: user.amr });
    oidc.entity('Account', account);
    const grant = await grantEverything(provider(), context);
    oidc.entity('Grant', grant);
    oidc.session.ensureClientContainer(oidc.client.clientId);
    oidc.session.grantIdFor(oidc.client.clientId, grant.jti);
    return false;
  });
  prompts.add(new interactionPolicy.Prompt({ name: 'automatic', requestable: false }, check), 0);
  return prompts;
}

function plainError(context: { type: string; body: string }, out: object): void {
  context.type = 'text/plain';
  context.body = Object.entries(out)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join('\n');
}

export const isInteraction = (path: string): boolean => path.startsWith('/interaction/');

/** Shows the sign-in page (GET) or signs the person in and goes back to the authorization request (POST). */
export async function interact(
  provider: Provider,
  users: readonly DevUser[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { uid, params } = await provider.interactionDetails(request, response);
  const form = request.method === 'POST' ? await readForm(request) : undefined;
  const email = form?.get('email') ?? params['login_hint'] ?? '';
  const user = form && userByEmail(users, email);
  if (user) {
    await provider.interactionFinished(request, response, { login: { accountId: user.sub, amr: user.amr } });
    return;
  }
  const failure = form ? 'No user here has this e-mail address.' : undefined;
  const knownEmails = users.map((known) => known.email);
  response.writeHead(form ? 401 : 200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(signInPage({ action: `/interaction/${uid}`, email, knownEmails, failure }));
}
