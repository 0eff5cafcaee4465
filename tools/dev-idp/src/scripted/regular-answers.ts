import { createHash, randomBytes } from 'node:crypto';
import { type Claims, type Endpoint, mintIdToken, publicJwks, type ScriptBook, type SigningKeys } from './id-token.ts';

export interface Request {
  readonly endpoint: Endpoint;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly form: URLSearchParams;
}

export interface Answer {
  readonly status: number;
  readonly body: Claims;
}

/** The state of one scripted provider. */
export interface World {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly book: ScriptBook;
  readonly keys: SigningKeys;
  /** Whom the next authorization signs in. */
  identity: Claims;
  readonly codes: Map<string, { readonly query: URLSearchParams; readonly identity: Claims }>;
  readonly accessTokens: Map<string, Claims>;
}

const ok = (body: Claims): Answer => ({ status: 200, body });
const failed = (status: number, error: string): Answer => ({ status, body: { error } });

/** What a well-behaved provider answers, one entry per endpoint. */
export const REGULAR: Record<Endpoint, (world: World, request: Request) => Answer | Promise<Answer>> = {
  discovery: ({ issuer }) =>
    ok({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['openid', 'profile', 'email'],
    }),
  jwks: async ({ keys }) => ok(await publicJwks(keys)),
  authorize: (world, { query }) => {
    const code = randomBytes(16).toString('base64url');
    world.codes.set(code, { query, identity: world.identity });
    return ok({ code, state: query.get('state') ?? undefined });
  },
  token: redeemCode,
  userinfo: ({ accessTokens }, { headers }) => {
    const identity = accessTokens.get(String(headers['authorization'] ?? '').replace(/^Bearer /, ''));
    return identity ? ok(identity) : failed(401, 'invalid_token');
  },
};

async function redeemCode(world: World, { headers, form }: Request): Promise<Answer> {
  if (!isClient(world, headers['authorization'], form)) return failed(401, 'invalid_client');
  const code = form.get('code') ?? '';
  const granted = world.codes.get(code);
  world.codes.delete(code);
  if (!granted || !matchesGrant(granted.query, form)) return failed(400, 'invalid_grant');
  const accessToken = randomBytes(16).toString('base64url');
  world.accessTokens.set(accessToken, granted.identity);
  const idToken = await idTokenFor(world, granted);
  return ok({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: randomBytes(16).toString('base64url'),
    ...(idToken === null ? {} : { id_token: idToken }),
  });
}

async function idTokenFor(
  world: World,
  { query, identity }: { query: URLSearchParams; identity: Claims },
): Promise<string | null> {
  const script = world.book.take('idToken');
  if (script === null) return null;
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: world.issuer,
    aud: world.client.id,
    iat: now,
    exp: now + 300,
    nonce: query.get('nonce') ?? undefined,
    ...identity,
  };
  return mintIdToken(claims, script ?? {}, world.keys, world.client.secret);
}

/** RFC 6749 2.3.1: both halves of the Basic credential are form-encoded before they are joined. */
function isClient({ client }: World, authorization: string | string[] | undefined, form: URLSearchParams): boolean {
  if (typeof authorization !== 'string')
    return form.get('client_id') === client.id && form.get('client_secret') === client.secret;
  const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString('utf8')
    .split(':');
  const [id, secret] = pair.map((half) => new URLSearchParams(`value=${half}`).get('value'));
  return pair.length === 2 && id === client.id && secret === client.secret;
}

/** RFC 7636 4.6 and RFC 6749 4.1.3. */
function matchesGrant(query: URLSearchParams, form: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return (
    form.get('grant_type') === 'authorization_code' &&
    form.get('redirect_uri') === query.get('redirect_uri') &&
    challenge === query.get('code_challenge')
  );
}
