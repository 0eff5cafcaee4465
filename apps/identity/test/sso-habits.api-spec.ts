import { newId } from '@gatehouse/crypto';
import type { Claims, IdTokenScript, Reply, Script } from '@gatehouse/dev-idp';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { errorIn, landing, SsoHarness, startScriptedIdp } from './sso.harness.ts';

const idp = await startScriptedIdp();
const sso = await SsoHarness.start([idp.issuer]);
const partnerId = await sso.identity.partner();
afterAll(async () => {
  await sso.stop();
  await idp.stop();
});

describe('an OpenID provider of another maker', () => {
  beforeEach(() => {
    idp.clear();
    idp.identity = { sub: newId(), email: `p-${newId()}@acme.example`, email_verified: true, name: 'Pat' };
  });

  const claims = (change: (regular: Claims) => Claims): { idToken: IdTokenScript } => ({ idToken: { claims: change } });
  const answer = (change: object): Reply => ({ body: (regular) => ({ ...regular, ...change }) });
  const zipped: Reply = {
    headers: { 'content-encoding': 'gzip' },
    body: (regular) => gzipSync(JSON.stringify(regular)),
  };
  const marked: Reply = { body: (regular) => `\uFEFF${JSON.stringify(regular)}` };
  const signed = (more: object, script?: IdTokenScript): Script => ({
    userinfo: {
      headers: { 'content-type': 'application/jwt' },
      body: (regular) => idp.sign({ iss: idp.issuer, aud: idp.clientId, ...regular, ...more }, script),
    },
  });

  it.each<[string, () => Script]>([
    [
      'names several audiences and us as the authorized party',
      () => claims((regular) => ({ ...regular, aud: [idp.clientId, 'other'], azp: idp.clientId })),
    ],
    [
      'publishes keys that we do not know, and without use or algorithm',
      () => ({
        jwks: {
          body: ({ keys }) => ({
            keys: [
              { kty: 'AKP', kid: 'q', pub: 'AA' },
              { kty: 'oct', k: 'AA' },
              ...(keys as object[]).map((key) => ({ ...key, use: undefined, alg: undefined })),
            ],
          }),
        },
      }),
    ],
    [
      'signs with PS256',
      () => ({
        idToken: { alg: 'PS256' },
        jwks: { body: ({ keys }) => ({ keys: (keys as object[]).map((key) => ({ ...key, alg: undefined })) }) },
      }),
    ],
    [
      'knows client_secret_post only',
      () => ({
        discovery: answer({ token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'] }),
      }),
    ],
    ['says "true" instead of true', () => claims((regular) => ({ ...regular, email_verified: 'true' }))],
    [
      'gives the address in the ID token only',
      () => ({ userinfo: answer({ email: undefined, email_verified: undefined }) }),
    ],
    [
      'leaves claims empty in userinfo that the ID token has',
      () => ({ userinfo: answer({ email: null, email_verified: '', name: '' }) }),
    ],
    ['gives the address in userinfo only', () => claims(({ email: _e, email_verified: _v, ...regular }) => regular)],
    ['has no userinfo', () => ({ discovery: answer({ userinfo_endpoint: undefined }) })],
    ['signs its userinfo', () => signed({})],
    [
      'has an authorization endpoint with a query of its own',
      () => ({ discovery: answer({ authorization_endpoint: `${idp.issuer}/authorize?tenant=a%20b` }) }),
    ],
    [
      'says who it is in the callback (RFC 9207), and more',
      () => ({ authorize: answer({ iss: idp.issuer, session_state: 'a.b', scope: 'openid', authuser: '0' }) }),
    ],
    [
      'does not say how long its tokens last',
      () => ({ token: answer({ expires_in: undefined, refresh_token: undefined }) }),
    ],
    [
      'says so in a text, and bearer in lower case',
      () => ({ token: answer({ expires_in: '3600', token_type: 'bearer' }) }),
    ],
    [
      'begins its documents with a byte order mark',
      () => ({ discovery: marked, jwks: marked, token: marked, userinfo: marked }),
    ],
    ['compresses its answers', () => ({ token: zipped, userinfo: zipped, jwks: zipped })],
    [
      'has a subject of 255 characters',
      () => {
        idp.identity = { ...idp.identity, sub: 's'.repeat(255) };
        return {};
      },
    ],
    [
      'has a clock that is 30 s ahead',
      () => claims((regular) => ({ ...regular, iat: Number(regular['iat']) + 30, nbf: Number(regular['iat']) + 30 })),
    ],
  ])('signs people in that %s', async (_, script) => {
    expect((await signInWith(script())).landing).toEqual(SIGNED_IN);
  });

  it.each<[string, string, () => Script]>([
    [
      'says "false" instead of false',
      'email_unverified',
      () => claims((regular) => ({ ...regular, email_verified: 'false' })),
    ],
    [
      'has a subject of 256 characters',
      'sso_error',
      () => {
        idp.identity = { ...idp.identity, sub: 's'.repeat(256) };
        return {};
      },
    ],
    [
      'has a clock that is 90 s ahead',
      'sso_error',
      () => claims((regular) => ({ ...regular, iat: Number(regular['iat']) + 90 })),
    ],
    [
      'is another one by its own word (RFC 9207)',
      'sso_error',
      () => ({ authorize: answer({ iss: 'https://other.example' }) }),
    ],
    ['has its userinfo signed by a stranger', 'sso_error', () => signed({}, { key: 'foreign' })],
    ['signed its userinfo for another client', 'sso_error', () => signed({ aud: 'other' })],
  ])('is refused when it %s (%s)', async (_, code, script) => {
    expect(await signInWith(script())).toMatchObject({ error: code, leftBehind: false });
  });

  describe('without `openid` in scope', () => {
    const withoutIdToken: Script = { token: answer({ id_token: undefined }) };

    it('is not asked for it, needs no ID token, and says in userinfo who it is', async () => {
      expect((await signInWith(withoutIdToken, { scopes: 'profile email' })).landing).toEqual(SIGNED_IN);
      expect(idp.requests.find(({ endpoint }) => endpoint === 'authorize')?.query.get('scope')).toBe('profile email');
    });

    it('never vouches for a second factor', async () => {
      idp.identity = { ...idp.identity, amr: ['mfa'] };
      await signInWith(withoutIdToken, { scopes: 'profile email', trustsIdpMfa: true });
      expect(await sso.service.sql('SELECT mfa_via FROM sessions ORDER BY created_at DESC LIMIT 1')).toEqual([
        { mfa_via: null },
      ]);
    });

    it.each<[string, Script]>([
      [
        'is refused when it has no userinfo either',
        { ...withoutIdToken, discovery: answer({ userinfo_endpoint: undefined }) },
      ],
      ['is refused with a wrong ID token all the same', claims((regular) => ({ ...regular, nonce: 'other' }))],
    ])('%s', async (_, script) => {
      expect(await signInWith(script, { scopes: 'profile email' })).toMatchObject({
        error: 'sso_error',
        leftBehind: false,
      });
    });
  });

  /** A first sign-in at an organisation of its own, with the provider as it is scripted, discovery included. */
  async function signInWith(
    script: Script,
    settings: object = {},
  ): Promise<{ landing: string; error: string; leftBehind: boolean }> {
    idp.always(script);
    const tenant = await sso.tenant(partnerId);
    await sso.provider(tenant, idp, settings);
    const before = await sso.counts();
    const answer = await sso.signIn(tenant);
    return {
      landing: landing(answer),
      error: errorIn(answer),
      leftBehind: JSON.stringify(before) !== JSON.stringify(await sso.counts()),
    };
  }
});

const SIGNED_IN = expect.stringMatching(/#ssoCode=/);
