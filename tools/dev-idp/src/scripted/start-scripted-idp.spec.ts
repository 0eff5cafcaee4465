import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { breakSignature, startScriptedIdp, type ScriptedIdp } from '../index.ts';

describe('the scripted OpenID provider', () => {
  let idp: ScriptedIdp;
  beforeAll(async () => void (idp = await startScriptedIdp({ clientSecret: SECRET })));
  beforeEach(() => idp.clear());
  afterAll(() => idp.stop());

  it('behaves unless told otherwise, and counts each request', async () => {
    const { id_token, access_token } = await redeem();
    const { payload } = await jwtVerify(id_token, await jwks(), expected());
    expect(payload).toMatchObject({ sub: 'scripted-1', nonce: 'n', email_verified: true });
    const userinfo = await fetch(`${idp.issuer}/userinfo`, { headers: { authorization: `Bearer ${access_token}` } });
    expect(await userinfo.json()).toMatchObject({ sub: 'scripted-1' });
    expect(idp.hits).toEqual({ discovery: 0, jwks: 1, authorize: 1, token: 1, userinfo: 1 });
  });

  it('refuses a wrong verifier, a wrong secret, another redirect address and an unknown code', async () => {
    expect(await redeem({ code_verifier: 'w'.repeat(43) })).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await redeem({}, 'wrong')).toMatchObject({ status: 401, error: 'invalid_client' });
    expect(await redeem({ redirect_uri: 'http://127.0.0.1:9/' })).toMatchObject({ error: 'invalid_grant' });
    expect(await redeem({ code: 'unknown' })).toMatchObject({ error: 'invalid_grant' });
  });

  it('mints tokens that a correct verifier refuses', async () => {
    const verify = async (token: string) => jwtVerify(token, await jwks(), expected());
    idp.once({ idToken: { mutate: breakSignature } });
    await expect(verify((await redeem()).id_token)).rejects.toThrow('signature verification failed');
    idp.once({ idToken: { key: 'foreign' } });
    await expect(verify((await redeem()).id_token)).rejects.toThrow('signature verification failed');
    idp.once({ idToken: { claims: (claims) => ({ ...claims, iss: 'https://other.example' }) } });
    await expect(verify((await redeem()).id_token)).rejects.toThrow('"iss"');
    idp.once({ idToken: { alg: 'HS256', hmacKey: idp.publicKeyPem() } });
    await expect(verify((await redeem()).id_token)).rejects.toThrow();
    idp.once({ idToken: { alg: 'none' } });
    const unsigned = (await redeem()).id_token;
    expect([decodeProtectedHeader(unsigned)['alg'], decodeJwt(unsigned).sub, unsigned.at(-1)]).toEqual([
      'none',
      'scripted-1',
      '.',
    ]);
    idp.once({ idToken: null });
    expect((await redeem()).id_token).toBeUndefined();
    await verify((await redeem()).id_token);
  });

  it('signs with ES256 and PS256, drops a header and rotates its keys', async () => {
    for (const alg of ['ES256', 'PS256'] as const) {
      idp.once({ idToken: { alg, header: alg === 'PS256' ? { kid: undefined } : {} } });
      expect(decodeProtectedHeader((await redeem()).id_token)).toMatchObject({ alg });
    }
    idp.once({ idToken: { header: { kid: undefined } } });
    expect(decodeProtectedHeader((await redeem()).id_token)).not.toHaveProperty('kid');
    const before = await jwks();
    idp.rotateKeys();
    const { id_token } = await redeem();
    await expect(jwtVerify(id_token, before)).rejects.toThrow('no applicable key');
    await jwtVerify(id_token, await jwks());
  });

  it('changes documents and status, delays, resets and keeps silent, once or always', async () => {
    idp.once({ discovery: { body: (document) => ({ ...document, issuer: 'https://other.example' }) } });
    const discover = () =>
      fetch(`${idp.issuer}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(300) });
    expect(await (await discover()).json()).toMatchObject({ issuer: 'https://other.example' });
    expect(await (await discover()).json()).toMatchObject({ issuer: idp.issuer });
    idp.always({ discovery: { status: 500, body: () => 'not json' } });
    expect((await discover()).status).toBe(500);
    idp.always({ discovery: { reset: true } });
    await expect(discover()).rejects.toThrow('fetch failed');
    idp.always({ discovery: { hang: true } });
    await expect(discover()).rejects.toThrow('timeout');
    idp.always({ discovery: { delayMs: 50 } });
    const begun = Date.now();
    await discover();
    expect(Date.now() - begun).toBeGreaterThanOrEqual(49);
  });

  it('sends the browser back with an error, or with another state', async () => {
    idp.once({ authorize: { body: ({ state }) => ({ error: 'access_denied', state }) } });
    expect((await authorize()).headers.get('location')).toBe(`${REDIRECT}?error=access_denied&state=s`);
  });

  const authorize = () =>
    fetch(
      `${idp.issuer}/authorize?${new URLSearchParams({
        client_id: idp.clientId,
        redirect_uri: REDIRECT,
        state: 's',
        nonce: 'n',
        code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      })}`,
      { redirect: 'manual' },
    );

  const code = async () => new URL((await authorize()).headers.get('location') ?? '').searchParams.get('code') ?? '';

  const basic = (id: string, secret: string) =>
    `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

  const redeem = async (changes: Record<string, string> = {}, secret = SECRET) => {
    const response = await fetch(`${idp.issuer}/token`, {
      method: 'POST',
      headers: { authorization: basic(idp.clientId, secret) },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: await code(),
        redirect_uri: REDIRECT,
        code_verifier: VERIFIER,
        ...changes,
      }),
    });
    return {
      status: response.status,
      ...((await response.json()) as { id_token: string; access_token: string; error?: string }),
    };
  };

  const jwks = async () => createLocalJWKSet((await (await fetch(`${idp.issuer}/jwks`)).json()) as JSONWebKeySet);
  const expected = () => ({ issuer: idp.issuer, audience: idp.clientId });
});

const REDIRECT = 'http://127.0.0.1:9/api/v1/sso/callback';
const VERIFIER = 'v'.repeat(43);
const SECRET = 'a:b%c+ü&é';
