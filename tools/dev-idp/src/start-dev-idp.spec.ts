import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, signInAs, startDevIdp, type DevIdp } from './index.ts';

describe('the local OpenID provider', () => {
  let idp: DevIdp;
  let automatic: DevIdp;
  beforeAll(async () => {
    [idp, automatic] = await Promise.all([startDevIdp(), startDevIdp({ autoLogin: true })]);
  });
  afterAll(() => Promise.all([idp.stop(), automatic.stop()]));

  it('describes itself in a discovery document under its issuer', async () => {
    const document = await (await fetch(`${idp.issuer}/.well-known/openid-configuration`)).json();
    expect(document).toMatchObject({ issuer: idp.issuer, code_challenge_methods_supported: ['S256'] });
  });

  it('signs a person in through its page and proves it with a signed ID token and userinfo', async () => {
    const back = await signInAs('Ada@acme.example', authorizationUrl(idp));
    expect(new URL(back).searchParams.get('state')).toBe('s1');
    const tokens = await redeem(idp, back);
    const keys = createRemoteJWKSet(new URL(`${idp.url}/jwks`));
    const { payload } = await jwtVerify(tokens.id_token, keys, { issuer: idp.issuer, audience: DEMO_CLIENT_ID });
    expect(payload).toMatchObject({ sub: 'dev-ada', nonce: 'n1', amr: ['pwd', 'mfa'] });
    const userinfo = await fetch(`${idp.url}/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect(await userinfo.json()).toMatchObject({
      sub: 'dev-ada',
      email: 'ada@acme.example',
      email_verified: true,
      name: 'Ada Lovelace',
      groups: ['engineering'],
    });
  });

  it('refreshes', async () => {
    const { refresh_token } = await redeem(idp, await signInAs('ada@acme.example', authorizationUrl(idp)));
    const fresh = await token(idp, { grant_type: 'refresh_token', refresh_token });
    expect(decodeJwt(fresh.id_token).sub).toBe('dev-ada');
  });

  it('refuses an authorization without PKCE, a wrong verifier and a second use of a code', async () => {
    const withoutPkce = authorizationUrl(automatic, { code_challenge: undefined, code_challenge_method: undefined });
    expect(await signInAs('ada@acme.example', withoutPkce)).toContain('error=invalid_request');
    const back = await signInAs('ada@acme.example', authorizationUrl(automatic));
    expect((await redeem(automatic, back, 'x'.repeat(43))).error).toBe('invalid_grant');
    const again = await signInAs('ada@acme.example', authorizationUrl(automatic));
    expect((await redeem(automatic, again)).error).toBeUndefined();
    expect((await redeem(automatic, again)).error).toBe('invalid_grant');
  });

  it('refuses a redirect address that is not the local callback', async () => {
    const response = await fetch(authorizationUrl(automatic, { redirect_uri: 'http://127.0.0.1:4567/elsewhere' }), {
      redirect: 'manual',
    });
    expect(response.status).toBe(400);
  });

  it('in automatic mode answers the first request with a code for the hinted person, else for the first user', async () => {
    const hinted = await fetch(authorizationUrl(automatic, { login_hint: 'grace@acme.example' }), {
      redirect: 'manual',
    });
    const { id_token } = await redeem(automatic, hinted.headers.get('location') ?? '');
    expect(decodeJwt(id_token).sub).toBe('dev-grace');
    const first = await fetch(authorizationUrl(automatic), { redirect: 'manual' });
    expect(decodeJwt((await redeem(automatic, first.headers.get('location') ?? '')).id_token).sub).toBe('dev-ada');
  });

  it('knows namesakes, each a person with a subject and an address of their own', async () => {
    const tokens = await redeem(idp, await signInAs('ada+7@acme.example', authorizationUrl(idp)));
    const userinfo = await fetch(`${idp.url}/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect(await userinfo.json()).toMatchObject({
      sub: 'dev-ada+7',
      email: 'ada+7@acme.example',
      email_verified: true,
    });
    expect(decodeJwt(tokens.id_token).sub).toBe('dev-ada+7');
    await expect(signInAs('nobody+7@acme.example', authorizationUrl(idp))).rejects.toThrow('401');
  });

  it('shows the page again, with an alert, for an unknown address', async () => {
    await expect(signInAs('nobody@acme.example', authorizationUrl(idp))).rejects.toThrow('401');
  });
});

const REDIRECT = 'http://127.0.0.1:4567/api/v1/sso/callback';

interface Tokens {
  access_token: string;
  id_token: string;
  refresh_token: string;
  error?: string;
}

const verifier = randomBytes(32).toString('base64url');

function authorizationUrl(idp: DevIdp, changes: Record<string, string | undefined> = {}): string {
  const query = {
    client_id: DEMO_CLIENT_ID,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'openid profile email groups',
    state: 's1',
    nonce: 'n1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${idp.url}/auth?${new URLSearchParams(given)}`;
}

async function token(idp: DevIdp, form: Record<string, string>): Promise<Tokens> {
  const basic = Buffer.from(`${DEMO_CLIENT_ID}:${DEMO_CLIENT_SECRET}`).toString('base64');
  const response = await fetch(`${idp.url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams(form),
  });
  return (await response.json()) as Tokens;
}

const redeem = (idp: DevIdp, back: string, codeVerifier = verifier) =>
  token(idp, {
    grant_type: 'authorization_code',
    code: new URL(back).searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: codeVerifier,
  });
