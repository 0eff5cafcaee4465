import { asService, callerOf } from '@gatehouse/contracts-core';
import type { TestSignInRecord } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { buildResponseXml } from '@gatehouse/dev-idp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import type { Response } from 'supertest';
import { DeliverMail } from '../src/mail/deliver-mail.ts';
import { TestSignIns } from '../src/sso/test-sign-ins/test-sign-ins.service.ts';
import type { SsoProvider } from '../src/providers/configuration/store/sso-provider.entity.ts';
import { StateCookies } from '../src/sso/login/browser/state-cookies.ts';
import { SamlHarness } from './saml.harness.ts';
import {
  besideAnIdp,
  errorIn,
  landing,
  type ScriptedIdp,
  SsoHarness,
  startScriptedIdp,
  type Tenant,
  type Trip,
} from './sso.harness.ts';

const VERDICTS_OF_TESTS = ['would_sign_in', 'would_link', 'would_provision', 'would_ask_for_proof'] as const;

describe('a test sign-in through an OpenID Connect provider', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  let id: string;
  besideAnIdp((made) => ({ idp, sso, tenant } = made));
  beforeEach(async () => {
    idp.clear();
    id = await sso.provider(tenant, idp, { autoProvision: true });
    await verifyDomain('acme.example');
    idp.identity = { sub: newId(), email: `ada-${newId()}@acme.example`, email_verified: true, name: 'Ada' };
  });
  const email = (): string => String(idp.identity['email']);

  it('waits until the browser is back, and ends in a record of every step and a page of its own (SSO-94)', async () => {
    const test = await begin(sso, tenant, id);
    expect(await read(sso, tenant, test.id)).toEqual({ id: test.id, status: 'waiting', attempt: null });
    await return_(test);
    const done = await read(sso, tenant, test.id);
    expect(done).toMatchObject({
      status: 'done',
      attempt: { id: test.id, kind: 'test', result: 'success', providerId: id },
    });
    expect(stepsOf(done)).toEqual({
      start: 'ok',
      callback: 'ok',
      token: 'ok',
      signature: 'ok',
      claims: 'ok',
      mapping: 'ok',
      domain: 'ok',
      account: 'ok',
      role: 'ok',
      mfa: 'noted mfa_not_trusted',
      verdict: 'ok',
    });
    expect(factsOf(done, 'role')).toMatchObject({ roleName: 'Organization Technician' });
    const [entry] = (await sso.service.audits('sso.provider.test')).filter(({ orgId }) => orgId === tenant.orgId);
    expect(entry).toMatchObject({
      result: 'success',
      actor: { type: 'user', id: tenant.admin.userId, name: 'Known Person' },
      details: { kind: 'sign_in', attemptId: test.id, verdict: 'would_provision', code: null },
    });
    expect((await sso.service.audits('sso.login.success')).filter(({ orgId }) => orgId === tenant.orgId)).toEqual([]);
    await sso.service.sql(`UPDATE sso_login_sessions SET expires_at = now()`);
    const late = await begin(sso, tenant, id);
    await sso.service.sql(`UPDATE sso_login_sessions SET expires_at = now() WHERE attempt_id = $1`, [late.id]);
    expect((await read(sso, tenant, late.id)).status).toBe('expired');
    expect(errorIn(await return_(late))).toBe('session_expired');
  });

  it.each(VERDICTS_OF_TESTS)('says %s of the person whom the sign-in would treat so (SSO-95)', async (verdict) => {
    if (verdict === 'would_link') await member();
    if (verdict === 'would_ask_for_proof') await member({ password: 'a passphrase of Ada' });
    if (verdict === 'would_sign_in') await sso.signIn(tenant);
    await sso.service.sql('UPDATE sso_providers SET tested_version = NULL WHERE id = $1', [id]);
    const test = await run();
    expect(test.attempt?.trace.verdict).toBe(verdict);
    expect(await isTested()).toBe(verdict !== 'would_ask_for_proof');
    const real = landing(await sso.signIn(tenant));
    expect(real).toContain(verdict === 'would_ask_for_proof' ? 'error=link_required' : '#ssoCode=');
  });

  it('says of an invited person that the sign-in would take them in, and leaves the invitation (SSO-95)', async () => {
    await patch({ autoProvision: false });
    const roleId = '00000000-0000-7000-8000-000000000005';
    const membership = { scope: 'organization', orgId: tenant.orgId, roleId };
    const invited = await as().post('/users').send({ email: email(), name: 'Ada', membership });
    expect(invited.status).toBe(201);
    const test = await run();
    expect([test.attempt?.trace.verdict, test.attempt?.userId]).toEqual(['would_link', null]);
    expect(landing(await sso.signIn(tenant))).toContain('#ssoCode=');
  });

  it.each([
    ['email_unverified', { email_verified: false }, {}],
    ['domain_not_allowed', {}, { allowedDomains: 'other.example' }],
    ['user_not_found', {}, { autoProvision: false }],
    ['default_role_required', {}, { defaultRoleId: null }],
    ['sso_error', { email: undefined }, {}],
  ])(
    'refuses with %s where the sign-in does, and the configuration stays untested (SSO-95)',
    async (code, said, settings) => {
      await patch({ autoProvision: true, ...settings });
      idp.identity = { ...idp.identity, ...said };
      const test = await run();
      expect([test.attempt?.trace.verdict, test.attempt?.code]).toEqual(['would_refuse', code]);
      expect(errorIn(await sso.signIn(tenant))).toBe(code);
      expect(await isTested()).toBe(false);
    },
  );

  it('refuses a person without access and a second identity as the sign-in does (SSO-95)', async () => {
    const { userId } = await member();
    await sso.signIn(tenant);
    idp.identity = { ...idp.identity, sub: newId() };
    expect((await run()).attempt?.code).toBe('identity_conflict');
    await sso.service.sql('DELETE FROM sso_identity_links WHERE user_id = $1', [userId]);
    await sso.service.sql('DELETE FROM memberships WHERE user_id = $1', [userId]);
    const gone = await run();
    expect([gone.attempt?.code, gone.attempt?.userId]).toEqual(['no_org_access', null]);
    await sso.service.sql(`UPDATE org_ref SET status = 'archived' WHERE org_id = $1`, [tenant.orgId]);
    const frozen = await as().post(`/sso/providers/${id}/test-sign-ins`);
    expect([frozen.status, frozen.body.code]).toEqual([409, 'organization_frozen']);
  });

  it.each([
    [
      'a wrong secret',
      { token: { status: 401, body: () => ({ error: 'invalid_client' }) } },
      'token',
      'client_rejected',
    ],
    [
      'a wrong redirect address',
      { token: { status: 400, body: () => ({ error: 'invalid_grant' }) } },
      'token',
      'code_rejected',
    ],
    [
      'a provider that says no',
      { authorize: { body: ({ state }: { state?: unknown }) => ({ state, error: 'access_denied' }) } },
      'callback',
      'provider_error',
    ],
    ['a stranger who signed the token', { idToken: { key: 'foreign' } }, 'signature', 'signature_invalid'],
  ])('names %s at the step that failed (SSO-98)', async (_, script, step, code) => {
    idp.once(script as never);
    expect(failureOf(await run())).toEqual([step, `failed ${code}`]);
  });

  it('names a missing claim, and a second factor that was not read, at the first test (SSO-98)', async () => {
    await patch({ trustsIdpMfa: true, autoProvision: false });
    idp.identity = { ...idp.identity, amr: ['pwd'] };
    const unread = await run();
    expect(stepsOf(unread)).toMatchObject({ account: 'failed user_not_found', mfa: 'noted mfa_not_proven' });
    expect(factsOf(unread, 'mfa')).toMatchObject({ lookedFor: ['amr'], seen: { amr: ['pwd'] } });
    idp.identity = { sub: newId(), upn: 'ada@acme.example' };
    const missing = await run();
    expect(failureOf(missing)).toEqual(['mapping', 'failed email_missing']);
    expect(factsOf(missing, 'claims')).toMatchObject({ claims: { upn: { type: 'string', length: 16 } } });
  });

  it.each(['inactive', 'testing'])(
    'works at a provider that is %s, where sign-in does not (SSO-94)',
    async (status) => {
      await as().post(`/sso/providers/${id}/status`).send({ status });
      expect((await run()).attempt?.trace.verdict).toBe('would_provision');
      expect(await isTested()).toBe(true);
      expect((await sso.anonymous.get(`/sso/login/${tenant.orgId}`)).status).toBe(404);
      const enforced = await as().patch(`/sso/providers/${id}`).send({ enforceSSO: true });
      expect(enforced.status).toBe(200);
    },
  );

  it('ends in a refusal when the configuration changed on the way (SSO-99)', async () => {
    const test = await begin(sso, tenant, id);
    const search = await sso.wayBack(test);
    await patch({ scopes: 'openid email' });
    expect(landing(await sso.callback(search, test.cookie))).toContain('/sso-test');
    expect((await read(sso, tenant, test.id)).attempt?.code).toBe('provider_changed');
    expect(await isTested()).toBe(false);
  });

  it('tells nothing of an account outside the owner, in one answer and the same statements (SSO-97, TRIAL-03)', async () => {
    const other = await sso.tenant();
    const known = `known-${newId()}@stranger.example`;
    await sso.user({ email: known, partnerId: other.partnerId, orgId: other.orgId, password: 'a passphrase of hers' });
    const ask = async (address: string) => {
      idp.identity = { sub: newId(), email: address, email_verified: true, name: 'Ada' };
      const test = await begin(sso, tenant, id);
      const search = await sso.wayBack(test);
      const queries = jest.spyOn(pg.Client.prototype, 'query');
      await sso.callback(search, test.cookie);
      const texts = queries.mock.calls.map(([query]: unknown[]) =>
        typeof query === 'string' ? query : String((query as { text?: string }).text),
      );
      queries.mockRestore();
      const found = await read(sso, tenant, test.id);
      // Statements without parameters come from the service's periodic tasks, which may run during the sign-in.
      const statements = texts.filter((text) => text.includes('$1') && /sso_providers|users|membership/.test(text));
      return { found, statements, trace: JSON.stringify(found.attempt?.trace).replaceAll(address, '') };
    };
    const [strange, free] = [await ask(known), await ask(`free-${newId()}@stranger.example`)];
    expect(strange.found.attempt).toMatchObject({ result: 'success', code: null, userId: null });
    expect(strange.found.attempt?.trace.verdict).toBe('not_told');
    expect(stepsOf(strange.found)).toMatchObject({ domain: 'ok', account: 'skipped not_told', role: 'skipped' });
    expect(strange.trace).toBe(free.trace);
    expect(strange.statements).toEqual(free.statements);
    expect(await isTested()).toBe(false);
    await sso.user({ email: known.replace('known', 'own'), partnerId: tenant.partnerId, orgId: tenant.orgId });
    expect((await ask(known.replace('known', 'own'))).found.attempt?.trace.verdict).toBe('would_link');
  });

  it('through a provider of the partner refuses its members until they have linked it, and tells of no other (SSO-97)', async () => {
    id = await sso.provider(tenant, idp, { ownerScope: 'partner', orgId: undefined, defaultRoleId: undefined });
    expect((await run()).attempt?.trace.verdict).toBe('not_told');
    await sso.user({ email: email(), partnerId: tenant.partnerId, role: '00000000-0000-7000-8000-000000000001' });
    expect((await run()).attempt).toMatchObject({ code: 'invite_required', orgId: null, partnerId: tenant.partnerId });
  });

  it('is read by who may change providers of that owner, and by no other (SSO-99)', async () => {
    const test = await begin(sso, tenant, id);
    const other = await sso.tenant();
    for (const reader of [other.admin, sso.orgAdmin(await sso.tenant(tenant.partnerId))])
      expect((await sso.service.as(reader).get(`/sso/test-sign-ins/${test.id}`)).body.code).toBe(
        'sso_attempt_not_found',
      );
    await return_(test);
    expect((await sso.service.as(other.admin).get(`/sso/test-sign-ins/${test.id}`)).status).toBe(404);
    expect((await sso.service.as(sso.orgAdmin(tenant)).get(`/sso/test-sign-ins/${test.id}`)).status).toBe(200);
    const weak = { ...tenant.admin, permissions: ['organizations:read', 'users:read'] } as typeof tenant.admin;
    expect((await sso.service.as(weak).get(`/sso/test-sign-ins/${test.id}`)).status).toBe(403);
    expect((await sso.service.as(weak).post(`/sso/providers/${id}/test-sign-ins`)).status).toBe(403);
    expect((await sso.service.as(other.admin).post(`/sso/providers/${id}/test-sign-ins`)).body.code).toBe(
      'sso_provider_not_found',
    );
    await sso.signIn(tenant);
    const [{ id: real } = { id: '' }] = await sso.service.sql<{ id: string }>(
      `SELECT id FROM sso_attempts WHERE kind = 'sign_in' AND provider_id = $1`,
      [id],
    );
    expect((await as().get(`/sso/test-sign-ins/${real}`)).body.code).toBe('sso_attempt_not_found');
    const listed = await as().get(`/sso/attempts?kind=test&providerId=${id}`);
    expect(listed.body.data).toMatchObject([{ id: test.id }]);
  });

  it('needs a complete provider, and is not repeated under one Idempotency-Key (SSO-94)', async () => {
    const created = await as().post('/sso/providers').send({ orgId: tenant.orgId, name: 'Bare', type: 'oidc' });
    const bare = await as().post(`/sso/providers/${created.body.data.id}/test-sign-ins`);
    expect([bare.status, bare.body.code]).toEqual([400, 'sso_provider_incomplete']);
    const key = newId();
    const twice = () => as().post(`/sso/providers/${id}/test-sign-ins`).set('idempotency-key', key);
    const [first, second] = [await twice(), await twice()];
    expect([first.status, second.status, second.body.code]).toEqual([201, 409, 'idempotency_secret_shown']);
    expect(second.body.id).toBe(first.body.data.id);
  });

  it('never carries an exchange code or a session, and a stranger cannot lead a browser through it (TRIAL-01, TRIAL-02)', async () => {
    const test = await begin(sso, tenant, id);
    const search = await sso.wayBack(test);
    const own = await sso.start(tenant, '/devices');
    for (const cookie of ['', own.cookie]) expect(errorIn(await sso.callback(search, cookie))).toBe('session_expired');
    expect((await read(sso, tenant, test.id)).status).toBe('waiting');
    const back = await sso.callback(`${search}&redirect=${encodeURIComponent('/devices')}`, test.cookie);
    expect(`${String(back.headers['location'])} ${String(back.headers['set-cookie'])}`).not.toMatch(
      /ssoCode|svc_sso_browser|svc_session|svc_sso_link/,
    );
    expect(errorIn(await sso.callback(search, test.cookie))).toBe('session_expired');
  });

  it('shows no value of a claim that is not mapped, and no token, in rows, answers or the log (SSO-98, TRIAL-04)', async () => {
    const canary = `canary-${newId()}`;
    idp.identity = { ...idp.identity, department: canary, secret: { [canary.slice(0, 6)]: canary } };
    const test = await run();
    expect(factsOf(test, 'claims')).toMatchObject({
      claims: { department: { type: 'string', length: canary.length } },
    });
    expect(JSON.stringify(test)).not.toContain(canary);
    const rows = await sso.service.sql(
      'SELECT a::text AS row FROM sso_attempts a UNION ALL SELECT o::text FROM outbox o',
    );
    expect(JSON.stringify(rows)).not.toContain(canary);
  });

  it('begun through a set-up link ends on its page and is read through that link alone (SSO-99)', async () => {
    const [tests, work] = [sso.service.service.app.get(TestSignIns), sso.service.service.app.get(UnitOfWork)];
    const [service, linkId] = [asService('identity'), newId()];
    const load = () =>
      work.read(service, (reader) => reader.one<SsoProvider>('SELECT p.* FROM sso_providers p WHERE p.id = $1', [id]));
    const provider = async (): Promise<SsoProvider> => (await load()) ?? Promise.reject(new Error('no provider'));
    const ofLink = (attemptId: string, setupLinkId: string) =>
      work.read(service, (reader) => tests.read(reader, service.scope, { attemptId, setupLinkId }));
    const isTestedByLink = async () => {
      const present = await provider();
      return work.read(service, (reader) => tests.isTestedThroughLink(reader, linkId, present));
    };
    const setupVisit = { id: newId(), linkId, recipient: null };
    const visitor = { ...callerOf(tenant.admin, service.origin), setupVisit };
    const through = async (): Promise<string> => {
      const test = await tests.beginThroughLink(visitor, linkId, await provider());
      const cookie = sso.service.service.app.get(StateCookies).issue(test.state, test.callbackPath);
      const back = await return_({ ...test, setCookie: cookie, cookie: cookie.split(';')[0] ?? '' });
      expect(landing(back)).toBe(`/sso-setup?attempt=${test.id}`);
      return test.id;
    };
    idp.identity = { ...idp.identity, email: undefined };
    await through();
    expect(await isTestedByLink()).toBe(false);
    idp.identity = { ...idp.identity, email: `ada-${newId()}@acme.example` };
    await patch({ autoProvision: false });
    const attemptId = await through();
    expect((await ofLink(attemptId, linkId)).data.attempt?.trace.verdict).toBe('would_refuse');
    await expect(ofLink(attemptId, newId())).rejects.toMatchObject({ code: 'sso_attempt_not_found' });
    expect([await isTestedByLink(), await isTested()]).toEqual([true, false]);
  });

  const as = () => sso.service.as(tenant.admin);
  const patch = async (body: object): Promise<void> => {
    const answer = await as().patch(`/sso/providers/${id}`).send(body);
    expect([answer.status, answer.body.code]).toEqual([200, undefined]);
  };
  const verifyDomain = async (domain: string): Promise<void> => {
    await sso.service.sql('DELETE FROM sso_domains WHERE domain = $1', [domain]);
    await sso.service.sql(
      `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at, last_checked_at)
       VALUES ($1, $2, $3, $4, 'x', now(), now())`,
      [newId(), tenant.partnerId, tenant.orgId, domain],
    );
  };
  const isTested = async (): Promise<boolean> => {
    const [row] = await sso.service.sql<{ tested: boolean }>(
      'SELECT tested_version IS NOT DISTINCT FROM config_version AS tested FROM sso_providers WHERE id = $1',
      [id],
    );
    return row?.tested ?? false;
  };
  const return_ = async (test: Test): Promise<Response> => sso.callback(await sso.wayBack(test), test.cookie);
  /** The whole round trip; it may leave nothing but its record. */
  const run = async (): Promise<TestSignInRecord> => {
    const test = await begin(sso, tenant, id);
    await deliver(sso);
    const before = await rowsOf(sso);
    const back = await return_(test);
    expect(String(back.headers['location'])).toMatch(new RegExp(`/sso-test\\?attempt=${test.id}$`));
    expect(String(back.headers['set-cookie'])).toMatch(/^svc_sso_state=; Path=\/api\/v1\/sso\/callback; Max-Age=0/);
    expect(await rowsOf(sso)).toEqual(before);
    return read(sso, tenant, test.id);
  };
  const member = (more: object = {}) =>
    sso.user({ email: email(), partnerId: tenant.partnerId, orgId: tenant.orgId, ...more });
});

describe('one caller', () => {
  it('begins ten tests in five minutes, and guesses ten set-up links (SSO-94, ATK-227)', async () => {
    const idp = await startScriptedIdp();
    const sso = await SsoHarness.start([idp.issuer]);
    const tenant = await sso.tenant();
    const id = await sso.provider(tenant, idp);
    for (let made = 0; made < 10; made++) await begin(sso, tenant, id);
    const eleventh = await sso.service.as(tenant.admin).post(`/sso/providers/${id}/test-sign-ins`);
    expect([eleventh.status, eleventh.body.code]).toEqual([429, 'rate_limited']);
    const guesses = [];
    for (let made = 0; made < 11; made++)
      guesses.push((await sso.anonymous.post('/sso/setup/visits').send({ token: newId() })).body.code);
    expect(guesses).toEqual([...Array<string>(10).fill('setup_link_invalid'), 'rate_limited']);
    await sso.stop();
    await idp.stop();
  });
});

describe('a test sign-in through a SAML provider', () => {
  let saml: SamlHarness;
  let tenant: Tenant;
  let id: string;
  beforeAll(async () => void (saml = await SamlHarness.start()));
  beforeEach(async () => {
    tenant = await saml.tenant();
    id = await saml.provider(tenant, { certificate: saml.certificates, autoProvision: true });
  });
  afterAll(() => saml.stop());

  it('says what would become of the person, and marks the configuration tested (SSO-95, SSO-96)', async () => {
    const email = `ada-${newId()}@acme.example`;
    const fresh = await honest({ nameId: email });
    expect(fresh.attempt).toMatchObject({ protocol: 'saml', kind: 'test', trace: { verdict: 'would_provision' } });
    const provider = await saml.sso.service.as(tenant.admin).get(`/sso/providers/${id}/enforcement-preview`);
    expect(provider.body.data.tested).toBe(true);
    const { userId } = await saml.sso.user({ email, partnerId: tenant.partnerId, orgId: tenant.orgId });
    const linked = await honest({ nameId: email });
    expect([linked.attempt?.trace.verdict, linked.attempt?.userId]).toEqual(['would_link', userId]);
    await saml.sso.user({
      email: 'p@acme.example',
      partnerId: tenant.partnerId,
      orgId: tenant.orgId,
      password: 'a passphrase',
    });
    expect((await honest({ nameId: 'p@acme.example' })).attempt?.trace.verdict).toBe('would_ask_for_proof');
    expect((await honest({ nameId: `free-${newId()}@stranger.example` })).attempt?.code).toBe('email_unverified');
  });

  it.each([
    ['domain_not_allowed', { allowedDomains: 'other.example' }],
    ['user_not_found', { autoProvision: false }],
    ['default_role_required', { defaultRoleId: null }],
  ])('refuses with %s where the sign-in does (SSO-95)', async (code, settings) => {
    const changed = await saml.sso.service.as(tenant.admin).patch(`/sso/providers/${id}`).send(settings);
    expect(changed.status).toBe(200);
    const test = await honest({ nameId: `ada-${newId()}@acme.example` });
    expect([test.attempt?.trace.verdict, test.attempt?.code]).toEqual(['would_refuse', code]);
  });

  it('refuses an account of the proven domain that has no access here (SSO-95, SSO-97)', async () => {
    const other = await saml.sso.tenant();
    const email = `ada-${newId()}@acme.example`;
    await saml.sso.user({ email, partnerId: other.partnerId, orgId: other.orgId });
    expect((await honest({ nameId: email })).attempt?.code).toBe('no_org_access');
  });

  it('shows to the browser that began it, and to no other, why its response was refused (SSO-98, TRIAL-02)', async () => {
    const foreign = await honest({ audience: 'https://other.example' });
    expect(failureOf(foreign)).toEqual(['signature', 'failed audience_mismatch']);
    expect(foreign.attempt?.trace.verdict).toBe('would_refuse');
    const unsigned = await respond((test) =>
      buildResponseXml(saml.honest(test)).replace(
        /<ds:SignatureValue>[^<]{20}/g,
        '<ds:SignatureValue>AAAAAAAAAAAAAAAAAAAA',
      ),
    );
    expect(failureOf(unsigned)).toEqual(['signature', 'failed signature_invalid']);
    expect((await honest({ nameId: 'no address' })).attempt?.code).toBe('sso_error');
  });

  const respond = async (xml: (test: Test) => string): Promise<TestSignInRecord> => {
    const test = await begin(saml.sso, tenant, id);
    await deliver(saml.sso);
    const before = await rowsOf(saml.sso);
    const posted = await saml.postXml(test, xml(test));
    const location = String(posted.headers['location']);
    expect(location).toContain('/sso/saml/complete?handle=');
    expect(errorIn(await saml.complete(location, 'svc_sso_state=made.up'))).toBe('session_expired');
    const back = await saml.complete(location, test.cookie);
    expect(String(back.headers['location'])).toMatch(new RegExp(`/sso-test\\?attempt=${test.id}$`));
    expect(await rowsOf(saml.sso)).toEqual(before);
    expect(errorIn(await saml.complete(location, test.cookie))).toBe('session_expired');
    return read(saml.sso, tenant, test.id);
  };
  const honest = (more: object = {}) => respond((test) => buildResponseXml({ ...saml.honest(test), ...more }));
});

interface Test extends Trip {
  readonly id: string;
}

const stepsOf = ({ attempt }: TestSignInRecord) =>
  Object.fromEntries(
    (attempt?.trace.steps ?? []).map(({ step, outcome, code }) => [step, code ? `${outcome} ${code}` : outcome]),
  );
const factsOf = ({ attempt }: TestSignInRecord, name: string) =>
  attempt?.trace.steps.find(({ step }) => step === name)?.facts;
const failureOf = (test: TestSignInRecord) => Object.entries(stepsOf(test)).find(([, said]) => said.includes('failed'));

async function begin(sso: SsoHarness, { admin }: Tenant, providerId: string): Promise<Test> {
  const { status, body, headers } = await sso.service.as(admin).post(`/sso/providers/${providerId}/test-sign-ins`);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  const setCookie = String(headers['set-cookie']);
  const { id, url } = body.data as { id: string; url: string };
  return { id, url, setCookie, cookie: setCookie.split(';')[0] ?? '' };
}
const read = async (sso: SsoHarness, { admin }: Tenant, id: string): Promise<TestSignInRecord> =>
  (await sso.service.as(admin).get(`/sso/test-sign-ins/${id}`)).body.data as TestSignInRecord;

/** Everything of people and sign-ins: a test may change no row of it. */
const KEPT = [
  'users',
  'memberships',
  'membership_offers',
  'credentials',
  'sessions',
  'refresh_tokens',
  'mfa_challenges',
];
const LINKS = ['sso_identity_links', 'sso_exchange_codes', 'sso_parked_links', 'sso_saml_results', 'mail_outbox'];
/** Delivers the mails of earlier steps, which could go at any time. */
async function deliver(sso: SsoHarness): Promise<void> {
  do await sso.service.service.app.get(DeliverMail).round();
  while ((await sso.service.sql('SELECT id FROM mail_outbox')).length > 0);
}
async function rowsOf(sso: SsoHarness): Promise<unknown> {
  const tables = [...KEPT, ...LINKS].map((table) => `SELECT '${table}' AS name, md5(t::text) AS row FROM ${table} t`);
  return sso.service.sql(`${tables.join(' UNION ALL ')} ORDER BY 1, 2`);
}
