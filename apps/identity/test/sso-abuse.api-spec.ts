import { breakSignature, type IdTokenScript, type Reply } from '@gatehouse/dev-idp';
import { stopwatch } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { errorIn, landing, SsoHarness, startScriptedIdp } from './sso.harness.ts';

const SECRET = 'a:b%c+ü&é';
const now = (): number => Math.floor(Date.now() / 1000);

const idp = await startScriptedIdp({ clientSecret: SECRET });
const sso = await SsoHarness.start([idp.issuer]);
const tenant = await sso.tenant();
await sso.provider(tenant, idp);
afterAll(async () => {
  await sso.stop();
  await idp.stop();
});

describe('an OpenID provider that misbehaves', () => {
  beforeEach(() => idp.clear());

  const claims = (change: object): IdTokenScript => ({ claims: (regular) => ({ ...regular, ...change }) });

  it.each<[string, () => IdTokenScript | null]>([
    ['of another issuer (OIDC-01)', () => claims({ iss: 'https://other.example' })],
    ['whose issuer differs by a slash (OIDC-02)', () => claims({ iss: `${idp.issuer}/` })],
    ['whose issuer differs by a port (OIDC-02)', () => claims({ iss: `${idp.issuer}:443` })],
    ['whose issuer differs by case (OIDC-02)', () => claims({ iss: idp.issuer.toUpperCase() })],
    ['for another audience (OIDC-03)', () => claims({ aud: 'other' })],
    ['without audience (OIDC-03)', () => claims({ aud: undefined })],
    ['without subject (OIDC-05)', () => claims({ sub: undefined })],
    ['without time of issue (OIDC-05)', () => claims({ iat: undefined })],
    ['with a changed signature (OIDC-06)', () => ({ mutate: breakSignature })],
    ['with a changed ES256 signature (OIDC-06)', () => ({ alg: 'ES256', mutate: breakSignature })],
    ['of a key that is not published', () => ({ key: 'foreign' })],
    ['without algorithm (OIDC-07)', () => ({ alg: 'none' })],
    ['of the type of an access token', () => ({ header: { typ: 'at+jwt' } })],
    ['of the type of offline rules', () => ({ header: { typ: 'gatehouse-offline-rules+jwt' } })],
    ['with the client secret as HMAC key (OIDC-08)', () => ({ alg: 'HS256' })],
    ['with the public key as HMAC key (OIDC-08)', () => ({ alg: 'HS256', hmacKey: idp.publicKeyPem() })],
    ['with another nonce (OIDC-13)', () => claims({ nonce: 'other' })],
    ['without nonce (OIDC-13)', () => claims({ nonce: undefined })],
    ['that expired 61 s ago (OIDC-14)', () => claims({ exp: now() - 61 })],
    ['that begins in two minutes (OIDC-14)', () => claims({ nbf: now() + 120 })],
    ['issued tomorrow (OIDC-14)', () => claims({ iat: now() + 86_400 })],
    ['issued to another party', () => claims({ azp: 'other' })],
    ['for several audiences, without an authorized party', () => claims({ aud: [idp.clientId, 'other'] })],
    ['that is missing', () => null],
  ])('is refused with an ID token %s', async (_, script) => {
    idp.once({ idToken: script() });
    await expectRefused();
    expect(idp.hits.userinfo).toBe(0);
    expect(idp.hits.jwks).toBeLessThanOrEqual(2);
  });

  it.each<[string, IdTokenScript]>([
    ['expired 30 s ago (OIDC-14)', claims({ exp: now() - 30 })],
    ['of ES256', { alg: 'ES256' }],
    [
      'for several audiences, issued to us',
      { claims: (regular) => ({ ...regular, aud: [String(regular['aud']), 'other'], azp: regular['aud'] }) },
    ],
  ])('is accepted with an ID token %s', async (_, idToken) => {
    idp.once({ idToken });
    expect(landing(await sso.signIn(tenant))).toMatch(/#ssoCode=/);
  });

  it.each<[string, Reply]>([
    ['another subject (OIDC-16)', { body: (regular) => ({ ...regular, sub: 'other' }) }],
    ['no subject (OIDC-16)', { body: (regular) => ({ ...regular, sub: undefined }) }],
    ['no JSON', { body: () => '<html>' }],
    ['null', { body: () => 'null' }],
    ['a list', { body: () => '[]' }],
    ['an error', { status: 500 }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ...[
      undefined,
      '',
      ['a@acme.example', 'b@acme.example'],
      { a: 1 },
      7,
      `${'a'.repeat(255)}@acme.example`,
      'a b@acme.example',
      'a@acme.example\r\nx',
      'a\u0000@acme.example',
      'a@b@acme.example',
    ].map((email): [string, Reply] => [
      `the address ${JSON.stringify(email)?.slice(0, 30)} (OIDC-29)`,
      { body: (regular) => ({ ...regular, email }) },
    ]),
  ])('is refused when userinfo answers %s', async (_, userinfo) => {
    idp.once({ userinfo, idToken: claims({ email: undefined, email_verified: undefined }) });
    await expectRefused();
  });

  it.each<[string, Reply]>([
    ['an OAuth error (OIDC-20)', { status: 400, body: () => ({ error: 'invalid_client' }) }],
    ['null', { body: () => 'null' }],
    ['text', { body: () => 'x' }],
    ['a reset (OIDC-20)', { reset: true }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
    ['megabytes', { body: () => Buffer.alloc(2_000_000, 32) }],
  ])('is refused when the token endpoint answers with %s', async (_, token) => {
    idp.once({ token });
    await expectRefused();
  });

  it('gets the secret form-encoded and in the header, and nothing of it is logged when it answers with an error (OIDC-20, OIDC-25)', async () => {
    const lines = jest.spyOn(sso.service.service.platform.log, 'warn').mockImplementation(() => undefined);
    idp.clear();
    idp.once({ token: { status: 400, body: () => ({ error: 'invalid_client', error_description: SECRET }) } });
    await expectRefused();
    const logged = JSON.stringify(lines.mock.calls, (_, value: unknown) =>
      value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value,
    );
    lines.mockRestore();
    const asked = idp.requests.find(({ endpoint }) => endpoint === 'token');
    const [id, secret = ''] = Buffer.from(String(asked?.headers['authorization']).replace('Basic ', ''), 'base64')
      .toString()
      .split(':');
    expect([id, new URLSearchParams(`x=${secret}`).get('x')]).toEqual([idp.clientId, SECRET]);
    expect(logged).toContain('sso_error');
    for (const hidden of [SECRET, secret, String(asked?.form.get('code')), String(asked?.form.get('code_verifier'))])
      expect(logged).not.toContain(hidden);
  });

  it('is given up within 6 s when it hangs (OIDC-20)', async () => {
    idp.once({ token: { hang: true } });
    const spent = stopwatch();
    await expectRefused();
    expect(spent()).toBeLessThan(6_000);
  });

  it('may rotate its key just before signing: one refetch, then success (OIDC-18)', async () => {
    await sso.signIn(tenant);
    idp.clear();
    idp.rotateKeys();
    expect(landing(await sso.signIn(tenant))).toMatch(/#ssoCode=/);
    expect(idp.hits.jwks).toBe(1);
  });

  it('may publish keys without id: those that fit are tried (OIDC-12)', async () => {
    const keysWithout = (count: number): Reply => ({
      body: ({ keys }) => ({
        keys: Array.from({ length: count }, () => ({ ...(keys as object[])[0], kid: undefined })),
      }),
    });
    idp.rotateKeys();
    idp.always({ jwks: keysWithout(1), idToken: { header: { kid: undefined } } });
    expect(landing(await sso.signIn(tenant))).toMatch(/#ssoCode=/);
    idp.rotateKeys();
    idp.always({ jwks: keysWithout(2), idToken: { header: { kid: undefined } } });
    expect(landing(await sso.signIn(tenant))).toMatch(/#ssoCode=/);
    idp.rotateKeys();
  });

  it('gets fresh secrets each time, the challenge in the address and the verifier only at its token endpoint (OIDC-23)', async () => {
    const trips = await Promise.all(Array.from({ length: 40 }, () => sso.start(tenant)));
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(new Set(trips.map(({ url }) => new URL(url).searchParams.get(name))).size).toBe(40);
    expect(
      trips.every(
        ({ url }) => !url.includes('code_verifier') && new URL(url).searchParams.get('code_challenge')?.length === 43,
      ),
    ).toBe(true);
    await sso.signIn(tenant);
    expect(idp.requests.find(({ endpoint }) => endpoint === 'token')?.form.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    await sso.service.sql('DELETE FROM sso_login_sessions');
  });

  /** A sign-in that must end in `sso_error` and leave nothing behind. */
  async function expectRefused(): Promise<void> {
    const before = await sso.counts();
    const answer = await sso.signIn(tenant);
    expect([answer.status, errorIn(answer)]).toEqual([302, 'sso_error']);
    expect(await sso.counts()).toEqual(before);
    expect(await sso.service.sql('SELECT FROM sso_login_sessions')).toHaveLength(0);
  }
});
