import { newId } from '@gatehouse/crypto';
import { newSamlKey } from '@gatehouse/dev-idp';
import { atOnce, Gate, patient } from '@gatehouse/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import {
  browserOf,
  codeIn,
  errorIn,
  landing,
  NO_LIMITS,
  SsoHarness,
  startScriptedIdp,
  type ScriptedIdp,
  type Tenant,
} from './sso.harness.ts';

describe('the state of a sign-in', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  let providerId: string;
  let elsewhere: ScriptedIdp;
  beforeAll(async () => {
    [idp, elsewhere] = await Promise.all([startScriptedIdp(), startScriptedIdp()]);
    sso = await SsoHarness.start([idp.issuer, elsewhere.issuer], patient(NO_LIMITS));
    tenant = await sso.tenant();
    providerId = await sso.provider(tenant, idp);
  });
  beforeEach(() => idp.clear());
  afterAll(async () => {
    await sso.stop();
    await Promise.all([idp.stop(), elsewhere.stop()]);
  });
  const asAdmin = () => sso.service.as(tenant.admin);

  it('needs the cookie of the browser that began it, and survives a callback without (FLOW-01, FLOW-02, FLOW-03, FLOW-04, FLOW-11)', async () => {
    const [a, b] = [await sso.start(tenant), await sso.start(tenant)];
    const [searchA, searchB] = [await sso.wayBack(a), await sso.wayBack(b)];
    const [name, value = ''] = a.cookie.split(/=(.*)/s);
    const altered = value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const cookie of [
      '',
      b.cookie,
      `${name}=`,
      `${name}=x`,
      `${name}=${altered}`,
      `${name}=${value.slice(0, -1)}`,
      `${name}=${value}.${value}`,
      `${a.cookie}; ${b.cookie}`,
    ]) {
      expect(errorIn(await sso.callback(searchA, cookie))).toBe('session_expired');
    }
    expect([await pending(), idp.hits.token]).toEqual([2, 0]);
    expect(landing(await sso.callback(searchA, a.cookie))).toMatch(/#ssoCode=/);
    expect(landing(await sso.callback(searchB, b.cookie))).toMatch(/#ssoCode=/);
    expect(errorIn(await sso.callback(searchA, a.cookie))).toBe('session_expired');
    expect(idp.hits.token).toBe(2);
  });

  it('is used once by fifty parallel callbacks on two replicas (FLOW-05)', async () => {
    const replica = await SsoHarness.start([idp.issuer], patient(NO_LIMITS), { replicaOf: sso.service });
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    const before = await sso.counts();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => (at % 2 ? replica : sso).callback(search, trip.cookie)),
    );
    expect(answers.filter((answer) => landing(answer).includes('#ssoCode=')).length).toBe(1);
    expect(answers.filter((answer) => errorIn(answer) === 'session_expired').length).toBe(49);
    expect(idp.hits.token).toBe(1);
    const after = await sso.counts();
    for (const table of ['sso_exchange_codes', 'sessions']) expect(after[table]).toBe((before[table] ?? 0) + 1);
    await replica.stop();
  });

  it("expires after ten minutes by the database's clock (FLOW-06)", async () => {
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    await sso.service.sql(`UPDATE sso_login_sessions SET expires_at = now() - interval '1 second'`);
    expect(errorIn(await sso.callback(search, trip.cookie))).toBe('session_expired');
    expect(
      (
        await sso.service.sql<{ minutes: number }>(
          `SELECT extract(epoch FROM expires_at - created_at) / 60 AS minutes FROM sso_login_sessions`,
        )
      ).length,
    ).toBe(1);
    await sso.service.sql('DELETE FROM sso_login_sessions');
  });

  it.each([
    [
      'switched off (FLOW-07)',
      () => asAdmin().post(`/sso/providers/${providerId}/status`).send({ status: 'inactive' }),
    ],
    ['put to test (FLOW-07)', () => asAdmin().post(`/sso/providers/${providerId}/status`).send({ status: 'testing' })],
    [
      'given another client (FLOW-08)',
      () => asAdmin().patch(`/sso/providers/${providerId}`).send({ clientId: 'other' }),
    ],
    [
      'given another secret (FLOW-08)',
      () => asAdmin().patch(`/sso/providers/${providerId}`).send({ clientSecret: 'other' }),
    ],
    [
      'given another issuer (FLOW-08)',
      () => asAdmin().patch(`/sso/providers/${providerId}`).send({ issuer: elsewhere.issuer }),
    ],
    [
      'given another token endpoint (FLOW-08)',
      () =>
        asAdmin()
          .patch(`/sso/providers/${providerId}`)
          .send({ tokenUrl: `${idp.issuer}/token2` }),
    ],
  ])('ends when the provider is %s in between', async (_, change) => {
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    expect((await change()).status).toBe(200);
    const before = await sso.counts();
    expect(errorIn(await sso.callback(search, trip.cookie))).toBe('provider_changed');
    expect(idp.hits.token).toBe(0);
    expect(await sso.counts()).toEqual(before);
    await asAdmin()
      .patch(`/sso/providers/${providerId}`)
      .send({ issuer: idp.issuer, clientId: idp.clientId, clientSecret: idp.clientSecret });
    await asAdmin()
      .patch(`/sso/providers/${providerId}`)
      .send({ tokenUrl: `${idp.issuer}/token` });
    await asAdmin().post(`/sso/providers/${providerId}/status`).send({ status: 'active' });
  });

  it('leaves nothing when the provider is deleted while its answer is awaited (FLOW-09)', async () => {
    const other = await sso.tenant();
    const doomed = await sso.provider(other, idp);
    const trip = await sso.start(other);
    const search = await sso.wayBack(trip);
    const before = await sso.counts();
    idp.once({ token: { delayMs: 800 } });
    const [answer, deleted] = await Promise.all([
      sso.callback(search, trip.cookie),
      new Promise((resolve) => setTimeout(resolve, 300)).then(() =>
        sso.service.as(other.admin).delete(`/sso/providers/${doomed}`),
      ),
    ]);
    expect(deleted.body).toEqual({ success: true });
    expect(errorIn(answer)).toBe('provider_changed');
    expect(await sso.counts()).toEqual(before);
  });

  it.each([
    [
      'an error of the provider (FLOW-14)',
      (search: string) => `${search.replace(/code=[^&]+&?/, '')}&error=access_denied`,
    ],
    ['another issuer (FLOW-16)', (search: string) => `${search}&iss=https%3A%2F%2Fother.example`],
    ['a repeated code', (search: string) => `${search}&code=other`],
    ['no code', (search: string) => search.replace(/code=[^&]+&?/, '')],
  ])('is used up by a callback with %s, without a call to the provider', async (_, change) => {
    const trip = await sso.start(tenant);
    const search = change(await sso.wayBack(trip));
    expect(errorIn(await sso.callback(search, trip.cookie))).toBe('sso_error');
    expect([await pending(), idp.hits.token]).toEqual([0, 0]);
  });

  it('takes only GET (FLOW-25)', async () => {
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    for (const verb of ['post', 'put', 'delete', 'patch'] as const)
      expect((await sso.anonymous[verb](`/sso/callback${search}`).set('cookie', trip.cookie)).status).toBe(404);
    expect((await Object.assign(sso.callback(search, trip.cookie), { method: 'HEAD' })).status).toBe(404);
    expect(await pending()).toBe(1);
    await sso.service.sql('DELETE FROM sso_login_sessions');
  });

  it('answers 400 sso_provider_incomplete when what it needs is missing (FLOW-24)', async () => {
    const other = await sso.tenant();
    const id = await sso.provider(other, idp);
    const needed = {
      issuer: 'issuer',
      client_id: 'clientId',
      client_secret_sealed: 'clientSecret',
      authorization_url: 'authorizationUrl',
      token_url: 'tokenUrl',
      jwks_url: 'jwksUrl',
    };
    const [whole = {}] = await sso.service.sql('SELECT * FROM sso_providers WHERE id = $1', [id]);
    for (const [column, name] of Object.entries(needed)) {
      await sso.service.sql(`UPDATE sso_providers SET ${column} = NULL WHERE id = $1`, [id]);
      expect((await sso.anonymous.get(`/sso/login/${other.orgId}`)).body).toMatchObject({
        status: 400,
        code: 'sso_provider_incomplete',
        missing: [name],
      });
      await sso.service.sql(`UPDATE sso_providers SET ${column} = $2 WHERE id = $1`, [id, whole[column]]);
    }
    expect(await pending()).toBe(0);
  });

  const pending = async (): Promise<number> => (await sso.service.sql('SELECT FROM sso_login_sessions')).length;
});

describe('a sign-in that is being stored', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  let providerId: string;
  beforeAll(async () => {
    idp = await startScriptedIdp();
    sso = await SsoHarness.start([idp.issuer], patient(NO_LIMITS));
  });
  beforeEach(async () => {
    tenant = await sso.tenant();
    providerId = await sso.provider(tenant, idp);
    idp.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified: true, name: 'Newcomer' };
  });
  afterAll(async () => {
    await sso.stop();
    await idp.stop();
  });

  it('opens nothing when its provider is deleted', async () => {
    const { code, answer } = await changed('LOCK TABLE sso_exchange_codes IN SHARE MODE', () =>
      sso.service.as(tenant.admin).delete(`/sso/providers/${providerId}`),
    );
    expect(answer.body).toEqual({ success: true });
    expect(await sso.service.sql('SELECT revoke_reason FROM sessions WHERE provider_id = $1', [providerId])).toEqual([
      { revoke_reason: 'sso_provider_deleted' },
    ]);
    expect((await sso.exchange(code)).body.code).toBe('exchange_code_invalid');
  });

  it('counts as a test of the configuration when the status of its provider is set', async () => {
    const { code, answer } = await changed('LOCK TABLE outbox IN SHARE MODE', () =>
      sso.service.as(tenant.admin).post(`/sso/providers/${providerId}/status`).send({ status: 'testing' }),
    );
    expect([code, answer.status]).toEqual([expect.stringMatching(/^[\w-]{43}$/), 200]);
    expect(
      (await sso.service.as(tenant.admin).get(`/sso/providers/${providerId}/enforcement-preview`)).body.data,
    ).toMatchObject({ tested: true });
  });

  /** The change comes once the sign-in has stopped at the lock. */
  async function changed(
    lock: string,
    change: () => PromiseLike<Response>,
  ): Promise<{ code: string; answer: Response }> {
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    const gate = await Gate.close(sso.service, lock);
    const signingIn = sso.callback(search, trip.cookie).then(codeIn);
    await gate.waited(1);
    const changing = Promise.resolve(change());
    await gate.waited(2);
    await gate.open();
    return { code: await signingIn, answer: await changing };
  }
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

  it.each([
    '//evil.com',
    'https://evil.com',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\\evil.com',
    '\\\\evil.com',
    '/\t/evil.com',
    '/\n/evil.com',
    ' //evil.com',
    '/..//evil.com',
    '/./\\evil.com',
    `/${'a'.repeat(500)}`,
    '/a\r\nset-cookie: x',
    '/a\u0000b',
    '',
  ])('becomes / for %j (RED-01, RED-02, RED-05)', async (redirect) => {
    const answer = await sso.signIn(tenant, redirect);
    expect(answer.headers['location']).toMatch(/^http:\/\/localhost:3000\/#ssoCode=[\w-]{43}$/);
  });

  it('keeps a path of 500 characters (RED-05)', async () => {
    const path = `/${'a'.repeat(499)}`;
    expect(landing(await sso.signIn(tenant, path))).toMatch(new RegExp(`^${path}#ssoCode=`));
  });

  it('never comes from the request (RED-08)', async () => {
    const forged = {
      host: 'evil.com',
      'x-forwarded-host': 'evil.com',
      'x-forwarded-proto': 'ftp',
      forwarded: 'host=evil.com',
    };
    const response = await sso.anonymous.get(`/sso/login/${tenant.orgId}`).set(forged);
    expect(new URL(String(response.headers['location'])).searchParams.get('redirect_uri')).toBe(
      'http://localhost:3000/api/v1/sso/callback',
    );
  });

  it('marks the cookie secure under an https address, and in production (FLOW-20)', async () => {
    const secure = await SsoHarness.start([idp.issuer], { PUBLIC_URL: 'https://gatehouse.example' });
    const its = await secure.tenant();
    await secure.provider(its, idp);
    expect((await secure.start(its)).setCookie).toContain('; Secure');
    await secure.stop();
    const production = await SsoHarness.start([], {
      NODE_ENV: 'production',
      EGRESS_ALLOW_HOSTS: '',
      EGRESS_ALLOW_HTTP: 'false',
    });
    const there = await production.tenant();
    const admin = production.service.as(there.admin);
    const { certificatePem: certificate } = await newSamlKey();
    const { body } = await admin.post('/sso/providers').send({
      orgId: there.orgId,
      name: 'SAML',
      type: 'saml',
      entityId: 'urn:idp',
      ssoUrl: 'https://idp.example/sso',
      certificate,
    });
    expect((await admin.post(`/sso/providers/${body.data.id}/status`).send({ status: 'active' })).status).toBe(200);
    expect((await production.begin(`/sso/saml/login/${there.orgId}`)).setCookie).toContain('; Secure');
    await production.stop();
  });

  it('exchanges a code once among fifty parallel tries on two replicas, and not after two minutes (XCH-02, XCH-03)', async () => {
    const replica = await SsoHarness.start([idp.issuer], {}, { replicaOf: sso.service });
    const code = codeIn(await sso.signIn(tenant));
    const before = await sso.counts();
    const answers = await atOnce(50, (at) => (at % 2 ? replica : sso).exchange(code));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(400)]);
    expect((await sso.counts())['refresh_tokens']).toBe((before['refresh_tokens'] ?? 0) + 1);
    await replica.stop();
    const late = codeIn(await sso.signIn(tenant));
    await sso.service.sql(`UPDATE sso_exchange_codes SET expires_at = now() - interval '1 second'`);
    expect((await sso.exchange(late)).body).toMatchObject({
      status: 400,
      code: 'exchange_code_invalid',
      detail: 'Invalid or expired token exchange code.',
    });
  });

  it('refuses every code that is not one (XCH-04)', async () => {
    const code = codeIn(await sso.signIn(tenant));
    for (const bad of ['', [], {}, 'x'.repeat(10_240), 'a\u0000', code.slice(0, -1), `${code}a`, null, 7])
      expect((await sso.exchange(bad)).status).toBe(400);
    for (const corrupted of [`${code}a`, code.slice(1), 'x'.repeat(1_000)])
      expect((await sso.exchange(corrupted, browserOf(code))).body.code).toBe('exchange_code_invalid');
    expect((await sso.exchange(code)).status).toBe(200);
  });

  it('stores neither secret nor provider tokens in plain text (LINK-33)', async () => {
    await sso.signIn(tenant);
    const rows = await sso.service.sql(
      'SELECT to_jsonb(l) AS row FROM sso_identity_links l UNION ALL SELECT to_jsonb(p) FROM sso_providers p',
    );
    const dump = JSON.stringify(rows);
    expect(dump).toContain('v1.');
    expect(dump).not.toContain(idp.clientSecret);
    expect(dump).not.toContain('Scripted Person');
  });
});
