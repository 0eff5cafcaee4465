import fastify from 'fastify';
import { createRemoteJWKSet, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { request } from 'undici';
import { serveParent } from './child.ts';

/** As in the product: the connections that a service has for requests. */
const CONNECTIONS = 10;
const CALLBACK = '/api/v1/sso/callback';

const [databaseUrl = '', issuer = '', clientId = '', clientSecret = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });

interface Discovered {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
}

interface Attempt {
  readonly nonce: string;
  readonly verifier: string;
}

const discovered = (await (await request(`${issuer}/.well-known/openid-configuration`)).body.json()) as Discovered;
const providerKeys = createRemoteJWKSet(new URL(discovered.jwks_uri));
const { privateKey } = await generateKeyPair('ES256');
const token = (): string => randomBytes(32).toString('base64url');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** One statement, which is a transaction of its own. */
const once = async <T extends object>(name: string, text: string, values: unknown[]): Promise<T | undefined> =>
  (await pool.query<T>({ name, text, values })).rows[0];

async function subjectOf(code: string, { nonce, verifier }: Attempt): Promise<string> {
  const { body } = await request(discovered.token_endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: `${url}${CALLBACK}`,
      code_verifier: verifier,
    }).toString(),
  });
  const { id_token: idToken } = (await body.json()) as { id_token: string };
  const { payload } = await jwtVerify(idToken, providerKeys, { issuer, audience: clientId });
  if (payload['nonce'] !== nonce) throw new Error('the nonce is another');
  return payload.sub ?? '';
}

/**
 * The smallest server that signs people in through a provider, with the product's four commits, its round trips and its
 * signatures: no gateway, cookie, limit, row security, membership or policy.
 */
const server = fastify();
server.get('/api/v1/sso/login/:orgId', async (_, reply) => {
  const [state, nonce, verifier] = [token(), token(), token()];
  await once('begin', 'INSERT INTO bench_attempts (state, nonce, verifier) VALUES ($1, $2, $3)', [
    hashOf(state),
    nonce,
    verifier,
  ]);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: `${url}${CALLBACK}`,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: hashOf(verifier),
    code_challenge_method: 'S256',
  });
  return reply.redirect(`${discovered.authorization_endpoint}?${query.toString()}`);
});
server.get<{ Querystring: { code: string; state: string } }>(CALLBACK, async ({ query }, reply) => {
  const attempt = await once<Attempt>(
    'claim',
    'DELETE FROM bench_attempts WHERE state = $1 RETURNING nonce, verifier',
    [hashOf(query.state)],
  );
  if (!attempt) return reply.code(400).send();
  const code = token();
  await once(
    'sign-in',
    `WITH person AS (INSERT INTO bench_people (subject, seen_at) VALUES ($1, now())
        ON CONFLICT (subject) DO UPDATE SET seen_at = now() RETURNING id),
      session AS (INSERT INTO bench_sessions (person_id, code_hash) SELECT id, $2 FROM person RETURNING id)
      INSERT INTO bench_events (subject, envelope) SELECT 'audit.identity', jsonb_build_object('session', id)
        FROM session`,
    [await subjectOf(query.code, attempt), hashOf(code)],
  );
  return reply.redirect(`${url}/#ssoCode=${code}`);
});
server.post<{ Body: { code: string } }>('/api/v1/sso/exchange', async ({ body }, reply) => {
  const refreshToken = token();
  const session = await once<{ id: string; person_id: string }>(
    'exchange',
    `WITH session AS (UPDATE bench_sessions SET code_hash = NULL, refresh_hash = $2 WHERE code_hash = $1
        RETURNING id, person_id),
      event AS (INSERT INTO bench_events (subject, envelope)
        SELECT 'audit.identity', jsonb_build_object('session', id) FROM session)
      SELECT id, person_id FROM session`,
    [hashOf(body.code), hashOf(refreshToken)],
  );
  if (!session) return reply.code(401).send();
  const accessToken = await new SignJWT({ sid: session.id })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
    .setSubject(session.person_id)
    .setIssuedAt()
    .setExpirationTime('15m')
    .sign(privateKey);
  return { accessToken, refreshToken };
});
const url = await server.listen({ host: '127.0.0.1', port: 0 });
serveParent({ url });
