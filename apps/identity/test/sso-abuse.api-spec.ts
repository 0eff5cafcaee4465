import { breakSignature, type IdTokenScript, type Reply } from '@gatehouse/dev-idp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { codeIn, errorIn, landing, SsoHarness, startScriptedIdp, type ScriptedIdp, type Tenant } from './sso.harness.ts';

const SECRET = 'a:b%c+ü&é';
const now = (): number => Math.floor(Date.now() / 1000);

describe('an OpenID provider that misbehaves', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  beforeAll(async () => {
    idp = await startScriptedIdp({ clientSecret: SECRET });
    sso = await SsoHarness.start([idp.issuer]);
    tenant = await sso.tenant();
    await sso.provider(tenant, idp);
  });
  beforeEach(() => idp.clear());
  afterAll(async () => {
    await sso.stop();
    await idp.stop();
  });

  /** A sign-in that must end in `sso_error` and leave nothing behind. */
  async function expectRefused(): Promise<void> {
    const before = await sso.counts();
    const answer = await sso.signIn(tenant);
    expect([answer.status, errorIn(answer)]).toEqual([302, 'sso_error']);
    expect(await sso.counts()).toEqual(before);
    expect(await sso.service.sql('SELECT FROM sso_login_sessions')).toHaveLength(0);
  }

  const claims = (change: object): IdTokenScript => ({ claims: (regular) => ({ ...regular, ...change }) });

  it.each<[string, () => IdTokenScript | null]>([
    ['of another issuer', () => claims({ iss: 'https://other.example' })],
    ['whose issuer differs by a slash', () => claims({ iss: `${idp.issuer}/` })],
    ['whose issuer differs by case', () => claims({ iss: idp.issuer.toUpperCase() })],
    ['for another audience', () => claims({ aud: 'other' })],
    ['without audience', () => claims({ aud: undefined })],
    ['without subject', () => claims({ sub: undefined })],
    ['without time of issue', () => claims({ iat: undefined })],
    ['with a changed signature', () => ({ mutate: breakSignature })],
    ['with a changed ES256 signature', () => ({ alg: 'ES256', mutate: breakSignature })],
    ['of a key that is not published', () => ({ key: 'foreign' })],
    ['without algorithm', () => ({ alg: 'none' })],
    ['with the client secret as HMAC key', () => ({ alg: 'HS256' })],
    ['with the public key as HMAC key', () => ({ alg: 'HS256', hmacKey: idp.publicKeyPem() })],
    ['with another nonce', () => claims({ nonce: 'other' })],
    ['without nonce', () => claims({ nonce: undefined })],
    ['that expired 61 s ago', () => claims({ exp: now() - 61 })],
    ['that begins in two minutes', () => claims({ nbf: now() + 120 })],
    ['issued tomorrow', () => claims({ iat: now() + 86_400 })],
    ['issued to another party', () => claims({ azp: 'other' })],
    ['that is missing', () => null],
  ])('is refused with an ID token %s', async (_, script) => {
    idp.once({ idToken: script() });
    await expectRefused();
    expect(idp.hits.userinfo).toBe(0);
    expect(idp.hits.jwks).toBeLessThanOrEqual(2);
  });

  it.each<[string, IdTokenScript]>([['expired 30 s ago', claims({ exp: now() - 30 })], ['of ES256', { alg: 'ES256' }]])('is accepted with an ID token %s', async (_, idToken) => {
    idp.once({ idToken });
    expect(landing(await sso.signIn(tenant))).toMatch(/#ssoCode=/);
  });

  it.each<[string, Reply]>([
    ['another subject', { body: (regular) => ({ ...regular, sub: 'other' }) }],
    ['no subject', { body: (regular) => ({ ...regular, sub: undefined }) }],
    ['no JSON', { body: () => '<html>' }],
    ['null', { body: () => 'null' }],
    ['a list', { body: () => '[]' }],
    ['an error', { status: 500 }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ...[undefined, '', ['a@acme.example', 'b@acme.example'], { a: 1 }, 7, `${'a'.repeat(255)}@acme.example`, 'a b@acme.example', 'a@acme.example\r\nx', 'a\u0000@acme.example', 'a@b@acme.example'].map(
      (email): [string, Reply] => [`the address ${JSON.stringify(email)?.slice(0, 30)}`, { body: (regular) => ({ ...regular, email }) }]),
  ])('is refused when userinfo answers %s', async (_, userinfo) => {
    idp.once({ userinfo, idToken: claims({ email: undefined, email_verified: undefined }) });
    await expectRefused();
  });

  it.each<[string, Reply]>([
    ['an OAuth error', { status: 400, body: () => ({ error: 'invalid_client' }) }], ['null', { body: () => 'null' }], ['text', { body: () => 'x' }], ['a reset', { reset: true }], ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
    ['megabytes', { body: () => Buffer.alloc(2_000_000, 32) }],
  ])('is refused when the token endpoint answers with %s', async (_, token) => {
    idp.once({ token });
    await expectRefused();
  });

  it('is given up within 6 s when it hangs', async () => {
    idp.once({ token: { hang: true } });
    const began = Date.now();
    await expectRefused();
    expect(Date.now() - began).toBeLessThan(6_000);
  });

  it('may rotate its key just before signing: one refetch, then success', async () => {
    await sso.signIn(tenant);
    idp.clear();
    idp.rotateKeys();
    expect(landing(await sso.signIn(tenant))).toMatch(/#ssoCode=/);
    expect(idp.hits.jwks).toBe(1);
  });

  it('may publish one key without id; two of them never crash us', async () => {
    const keysWithout = (count: number): Reply => ({ body: ({ keys }) => ({ keys: Array.from({ length: count }, () => ({ ...(keys as object[])[0], kid: undefined })) }) });
    idp.rotateKeys();
    idp.always({ jwks: keysWithout(1), idToken: { header: { kid: undefined } } });
    expect(landing(await sso.signIn(tenant))).toMatch(/#ssoCode=/);
    idp.rotateKeys();
    idp.always({ jwks: keysWithout(2) });
    await expectRefused();
    idp.rotateKeys();
  });

  it('gets fresh secrets each time, the challenge in the address and the verifier only at its token endpoint', async () => {
    const trips = await Promise.all(Array.from({ length: 40 }, () => sso.start(tenant)));
    for (const name of ['state', 'nonce', 'code_challenge']) expect(new Set(trips.map(({ url }) => new URL(url).searchParams.get(name))).size).toBe(40);
    expect(trips.every(({ url }) => !url.includes('code_verifier') && new URL(url).searchParams.get('code_challenge')?.length === 43)).toBe(true);
    await sso.signIn(tenant);
    expect(idp.requests.find(({ endpoint }) => endpoint === 'token')?.form.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    await sso.service.sql('DELETE FROM sso_login_sessions');
  });
});

describe('the state of a sign-in', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  let providerId: string;
  beforeAll(async () => {
    idp = await startScriptedIdp();
    sso = await SsoHarness.start([idp.issuer]);
    tenant = await sso.tenant();
    providerId = await sso.provider(tenant, idp);
  });
  beforeEach(() => idp.clear());
  afterAll(async () => {
    await sso.stop();
    await idp.stop();
  });

  const pending = async (): Promise<number> => (await sso.service.sql('SELECT FROM sso_login_sessions')).length;
  const asAdmin = () => sso.service.as(tenant.admin);

  it('needs the cookie of the browser that began it, and survives a callback without', async () => {
    const [a, b] = [await sso.start(tenant), await sso.start(tenant)];
    const [searchA, searchB] = [await sso.wayBack(a), await sso.wayBack(b)];
    const [name, value = ''] = a.cookie.split(/=(.*)/s);
    const altered = value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const cookie of ['', b.cookie, `${name}=`, `${name}=x`, `${name}=${altered}`, `${name}=${value.slice(0, -1)}`, `${name}=${value}.${value}`, `${a.cookie}; ${b.cookie}`]) {
      expect(errorIn(await sso.callback(searchA, cookie))).toBe('session_expired');
    }
    expect([await pending(), idp.hits.token]).toEqual([2, 0]);
    expect(landing(await sso.callback(searchA, a.cookie))).toMatch(/#ssoCode=/);
    expect(landing(await sso.callback(searchB, b.cookie))).toMatch(/#ssoCode=/);
    expect(errorIn(await sso.callback(searchA, a.cookie))).toBe('session_expired');
    expect(idp.hits.token).toBe(2);
  });

  it('is used once by fifty parallel callbacks', async () => {
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    const before = await sso.counts();
    const answers = await Promise.all(Array.from({ length: 50 }, () => sso.callback(search, trip.cookie)));
    expect(answers.filter((answer) => landing(answer).includes('#ssoCode=')).length).toBe(1);
    expect(answers.filter((answer) => errorIn(answer) === 'session_expired').length).toBe(49);
    expect(idp.hits.token).toBe(1);
    expect((await sso.counts())['sso_exchange_codes']).toBe((before['sso_exchange_codes'] ?? 0) + 1);
  });

  it("expires after ten minutes by the database's clock", async () => {
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    await sso.service.sql(`UPDATE sso_login_sessions SET expires_at = now() - interval '1 second'`);
    expect(errorIn(await sso.callback(search, trip.cookie))).toBe('session_expired');
    expect((await sso.service.sql<{ minutes: number }>(`SELECT extract(epoch FROM expires_at - created_at) / 60 AS minutes FROM sso_login_sessions`)).length).toBe(1);
    await sso.service.sql('DELETE FROM sso_login_sessions');
  });

  it.each([
    ['switched off', () => asAdmin().post(`/sso/providers/${providerId}/status`).send({ status: 'inactive' })],
    ['put to test', () => asAdmin().post(`/sso/providers/${providerId}/status`).send({ status: 'testing' })],
    ['given another client', () => asAdmin().patch(`/sso/providers/${providerId}`).send({ clientId: 'other' })],
    ['given another secret', () => asAdmin().patch(`/sso/providers/${providerId}`).send({ clientSecret: 'other' })],
    ['given another token endpoint', () => asAdmin().patch(`/sso/providers/${providerId}`).send({ tokenUrl: `${idp.issuer}/token2` })],
  ])('ends when the provider is %s meanwhile', async (_, change) => {
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    expect((await change()).status).toBe(200);
    const before = await sso.counts();
    expect(errorIn(await sso.callback(search, trip.cookie))).toBe('provider_changed');
    expect(idp.hits.token).toBe(0);
    expect(await sso.counts()).toEqual(before);
    await asAdmin().patch(`/sso/providers/${providerId}`).send({ clientId: idp.clientId, clientSecret: idp.clientSecret, tokenUrl: `${idp.issuer}/token` });
    await asAdmin().post(`/sso/providers/${providerId}/status`).send({ status: 'active' });
  });

  it('leaves nothing when the provider is deleted while its answer is awaited', async () => {
    const other = await sso.tenant();
    const doomed = await sso.provider(other, idp);
    const trip = await sso.start(other);
    const search = await sso.wayBack(trip);
    const before = await sso.counts();
    idp.once({ token: { delayMs: 800 } });
    const [answer, deleted] = await Promise.all([sso.callback(search, trip.cookie), new Promise((resolve) => setTimeout(resolve, 300)).then(() => sso.service.as(other.admin).delete(`/sso/providers/${doomed}`))]);
    expect(deleted.body).toEqual({ success: true });
    expect(errorIn(answer)).toBe('provider_changed');
    expect(await sso.counts()).toEqual(before);
  });

  it.each([
    ['an error of the provider', (search: string) => `${search.replace(/code=[^&]+&?/, '')}&error=access_denied`],
    ['another issuer', (search: string) => `${search}&iss=https%3A%2F%2Fother.example`],
    ['a repeated code', (search: string) => `${search}&code=other`],
    ['no code', (search: string) => search.replace(/code=[^&]+&?/, '')],
  ])('is used up by a callback with %s, without a call to the provider', async (_, change) => {
    const trip = await sso.start(tenant);
    const search = change(await sso.wayBack(trip));
    expect(errorIn(await sso.callback(search, trip.cookie))).toBe('sso_error');
    expect([await pending(), idp.hits.token]).toEqual([0, 0]);
  });

  it('takes only GET', async () => {
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    for (const verb of ['post', 'put', 'delete', 'patch'] as const) expect((await sso.anybody[verb](`/sso/callback${search}`).set('cookie', trip.cookie)).status).toBe(404);
    expect((await Object.assign(sso.callback(search, trip.cookie), { method: 'HEAD' })).status).toBe(404);
    expect(await pending()).toBe(1);
    await sso.service.sql('DELETE FROM sso_login_sessions');
  });

  it('answers 400 sso_provider_incomplete when what it needs is missing', async () => {
    const other = await sso.tenant();
    const id = await sso.provider(other, idp);
    await sso.service.sql('UPDATE sso_providers SET client_secret_sealed = NULL WHERE id = $1', [id]);
    expect((await sso.anybody.get(`/sso/login/${other.orgId}`)).body).toMatchObject({ status: 400, code: 'sso_provider_incomplete', missing: ['clientSecret'] });
    expect(await pending()).toBe(0);
  });
});

describe('the way back to the app', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  beforeAll(async () => {
    idp = await startScriptedIdp();
    sso = await SsoHarness.start([idp.issuer]);
    tenant = await sso.tenant();
    await sso.provider(tenant, idp);
  });
  afterAll(async () => {
    await sso.stop();
    await idp.stop();
  });

  it.each(['//evil.com', 'https://evil.com', 'javascript:alert(1)', 'data:text/html,x', '/\\evil.com', '\\\\evil.com', '/\t/evil.com', '/\n/evil.com', ' //evil.com', '/..//evil.com', '/./\\evil.com', `/${'a'.repeat(500)}`, '/a\r\nset-cookie: x', '/a\u0000b', ''])(
    'becomes / for %j', async (redirect) => {
      const answer = await sso.signIn(tenant, redirect);
      expect(answer.headers['location']).toMatch(/^http:\/\/localhost:3000\/#ssoCode=[\w-]{43}$/);
    });

  it('keeps a path of 500 characters', async () => {
    const path = `/${'a'.repeat(499)}`;
    expect(landing(await sso.signIn(tenant, path))).toMatch(new RegExp(`^${path}#ssoCode=`));
  });

  it('never comes from the request', async () => {
    const forged = { host: 'evil.com', 'x-forwarded-host': 'evil.com', 'x-forwarded-proto': 'ftp', forwarded: 'host=evil.com' };
    const response = await sso.anybody.get(`/sso/login/${tenant.orgId}`).set(forged);
    expect(new URL(String(response.headers['location'])).searchParams.get('redirect_uri')).toBe('http://localhost:3000/api/v1/sso/callback');
  });

  it('marks the cookie secure under an https address', async () => {
    const secure = await SsoHarness.start([idp.issuer], { PUBLIC_URL: 'https://gatehouse.example' });
    const its = await secure.tenant();
    await secure.provider(its, idp);
    expect((await secure.start(its)).setCookie).toContain('; Secure');
    await secure.stop();
  });

  it('exchanges a code once among fifty parallel tries, and not after two minutes', async () => {
    const code = codeIn(await sso.signIn(tenant));
    const before = await sso.counts();
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => sso.exchange(code)))).map(({ status }) => status);
    expect([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 400).length]).toEqual([1, 49]);
    expect((await sso.counts())['refresh_tokens']).toBe((before['refresh_tokens'] ?? 0) + 1);
    const late = codeIn(await sso.signIn(tenant));
    await sso.service.sql(`UPDATE sso_exchange_codes SET expires_at = now() - interval '1 second'`);
    expect((await sso.exchange(late)).body).toMatchObject({ status: 400, code: 'exchange_code_invalid', detail: 'Invalid or expired token exchange code.' });
  });

  it('refuses every code that is not one', async () => {
    const code = codeIn(await sso.signIn(tenant));
    for (const bad of ['', [], {}, 'x'.repeat(10_240), 'a\u0000', code.slice(0, -1), `${code}a`, null, 7]) expect((await sso.exchange(bad)).status).toBe(400);
    expect((await sso.exchange(code)).status).toBe(200);
  });

  it('stores neither secret nor provider tokens in plain text', async () => {
    await sso.signIn(tenant);
    const rows = await sso.service.sql('SELECT to_jsonb(l) AS row FROM sso_identity_links l UNION ALL SELECT to_jsonb(p) FROM sso_providers p');
    const dump = JSON.stringify(rows);
    expect(dump).toContain('v1.');
    expect(dump).not.toContain(idp.clientSecret);
    expect(dump).not.toContain('Scripted Person');
  });
});
