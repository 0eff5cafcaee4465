import { newId } from '@gatehouse/crypto';
import { buildResponseXml, type ResponseFields } from '@gatehouse/dev-idp';
import { type AttemptRecord, SsoSignInRefused, type TraceRecord } from '@gatehouse/contracts-identity';
import { anOrgTechnician, aSystemAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { AttemptsService } from '../src/providers/attempt-log/attempts.service.ts';
import { EMAIL, SamlHarness } from './saml.harness.ts';
import {
  attemptIn,
  errorIn,
  landing,
  type ScriptedIdp,
  SsoHarness,
  startScriptedIdp,
  type Tenant,
} from './sso.harness.ts';
import { SweepOneTimeValues } from '../src/sso/login/attempts/sso-login-attempts.service.ts';

describe('the record of a sign-in through a provider', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  let providerId: string;

  beforeAll(async () => {
    idp = await startScriptedIdp();
    sso = await SsoHarness.start([idp.issuer]);
  });
  beforeEach(async () => {
    idp.clear();
    tenant = await sso.tenant();
    providerId = await sso.provider(tenant, idp, { autoProvision: true });
    idp.identity = { sub: newId(), email: `ada-${newId()}@acme.example`, email_verified: true, name: 'Ada' };
  });
  afterAll(async () => {
    await sso.stop();
    await idp.stop();
  });

  it('shows a person who was refused a reference, under which support reads the step that failed (IDY-183)', async () => {
    idp.identity = { ...idp.identity, email_verified: false };
    const answer = await sso.signIn(tenant);
    expect(String(answer.headers['location'])).toMatch(
      /\/login\?error=email_unverified&attempt=[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
    );
    const id = attemptIn(answer);
    const attempt = await read(id);
    expect(attempt).toMatchObject({
      id,
      providerId,
      providerName: 'Test IdP',
      orgId: tenant.orgId,
      partnerId: tenant.partnerId,
      kind: 'sign_in',
      protocol: 'oidc',
      result: 'refused',
      code: 'email_unverified',
      email: idp.identity['email'],
      userId: null,
      ip: expect.any(String),
      configVersion: expect.any(Number),
      trace: { verdict: 'refused', code: 'email_unverified' },
    });
    expect(stepsOf(attempt)).toEqual({
      start: 'ok',
      callback: 'ok',
      token: 'ok',
      signature: 'ok',
      claims: 'failed email_unverified',
      mapping: 'skipped',
      domain: 'skipped',
      account: 'skipped',
      role: 'skipped',
      mfa: 'skipped',
      verdict: 'failed',
    });
    const [entry] = (await sso.service.audits('sso.login.rejected')).filter(({ orgId }) => orgId === tenant.orgId);
    const resource = { type: 'sso_provider', id: providerId, name: 'Test IdP' };
    expect(entry).toMatchObject({ resource, details: { code: 'email_unverified', attemptId: id } });
  });

  it('is kept of sign-ins that succeed, with the account and the role that came of it (IDY-183)', async () => {
    expect(landing(await sso.signIn(tenant))).toContain('#ssoCode=');
    const first = await newest('result=success');
    expect(stepsOf(first)).toMatchObject({
      claims: 'ok',
      account: 'ok',
      role: 'ok',
      mfa: 'noted mfa_not_trusted',
      verdict: 'ok',
    });
    expect(first.trace.verdict).toBe('provisioned');
    await sso.signIn(tenant);
    const second = await newest('result=success');
    expect(second.trace.verdict).toBe('signed_in');
    expect(second.userId).toBe(first.userId);
    const audited = (await sso.service.audits('sso.login.success')).filter(({ orgId }) => orgId === tenant.orgId);
    expect(audited.map(({ details }) => details['attemptId'])).toEqual([first.id, second.id]);
  });

  it('is kept of a sign-in that asks for proof of the account, with its reference in the address (IDY-183)', async () => {
    const email = String(idp.identity['email']);
    await sso.user({ email, partnerId: tenant.partnerId, orgId: tenant.orgId, password: 'a passphrase of Ada' });
    const answer = await sso.signIn(tenant);
    expect(errorIn(answer)).toBe('link_required');
    const attempt = await refused(answer);
    const { result, trace } = attempt;
    const account = stepsOf(attempt)['account'];
    expect([result, trace.verdict, account]).toEqual(['parked', 'parked', 'noted proof_required']);
    const cookie = /svc_sso_link=[\w-]{43}/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';
    const proof = { password: 'a passphrase of Ada' };
    await sso.anonymous.post('/sso/link/confirm').set('cookie', cookie).send(proof).expect(200);
    for (const action of ['sso.identity.link', 'sso.login.success'] as const)
      expect((await sso.service.audits(action)).at(-1)?.details).toMatchObject({ attemptId: attemptIn(answer) });
  });

  it.each([
    [
      'a secret is wrong',
      { token: { status: 401, body: () => ({ error: 'invalid_client' }) } },
      'token client_rejected',
    ],
    ['the code is wrong', { token: { status: 400, body: () => ({ error: 'invalid_grant' }) } }, 'token code_rejected'],
    ['the provider is broken', { token: { status: 503 } }, 'token idp_server_error'],
    ['the provider does not answer', { token: { reset: true } }, 'token idp_unreachable'],
    ['there is no ID token', { idToken: null }, 'token token_missing'],
    ['a stranger signed the token', { idToken: { key: 'foreign' } }, 'signature signature_invalid'],
    ['the token names another issuer', tokenWith({ iss: 'https://x.example' }), 'signature issuer_mismatch'],
    ['the token is for another client', tokenWith({ aud: 'x' }), 'signature audience_mismatch'],
    ['the token has another nonce', tokenWith({ nonce: 'x' }), 'signature nonce_mismatch'],
    ['the token has expired', tokenWith({ exp: 1_700_000_000 }), 'signature token_expired'],
    ['the token is of tomorrow', tokenWith({ iat: Date.now() / 1000 + 86_400 }), 'signature token_expired'],
    ['userinfo is refused', { userinfo: { status: 403 } }, 'claims userinfo_refused'],
    ['userinfo is of another', { userinfo: { body: (c: object) => ({ ...c, sub: 'x' }) } }, 'claims subject_mismatch'],
    [
      'the provider says no',
      { authorize: { body: ({ state }: { state?: unknown }) => ({ state, error: 'access_denied' }) } },
      'callback provider_error',
    ],
  ])('names the step that failed when %s (IDY-184)', async (_, script, failed) => {
    idp.once(script as never);
    const answer = await sso.signIn(tenant);
    expect(errorIn(answer)).toBe('sso_error');
    expect(firstFailed(await refused(answer))?.join(' ')).toBe(failed);
  });

  it('names the decision that refused a person (IDY-184)', async () => {
    const refusedWith = async (identity: object = {}): Promise<string> => {
      idp.identity = { ...idp.identity, sub: newId(), email: `x-${newId()}@acme.example`, ...identity };
      const answer = await sso.signIn(tenant);
      return [errorIn(answer), ...(firstFailed(await refused(answer)) ?? [])].join(' ');
    };
    expect(await refusedWith({ email: undefined })).toBe('sso_error mapping email_missing');
    const unverified = await refusedWith({ email_verified: undefined });
    expect(unverified).toBe('email_unverified domain domain_not_verified');
    await as().patch(`/sso/providers/${providerId}`).send({ allowedDomains: 'other.example' });
    const elsewhere = await refusedWith({ email_verified: true });
    expect(elsewhere).toBe('domain_not_allowed domain domain_not_allowed');
    await as().patch(`/sso/providers/${providerId}`).send({ allowedDomains: null, autoProvision: false });
    expect(await refusedWith()).toBe('user_not_found account user_not_found');
  });

  it('says of a suspended account to its own tenant alone that it is suspended (SSO-205, ATK-226)', async () => {
    const other = await sso.tenant();
    const reasonFor = async ({ partnerId, orgId }: Tenant, status: string) => {
      const email = `x-${newId()}@acme.example`;
      await sso.user({ email, partnerId, orgId });
      await sso.service.sql('UPDATE users SET status = $2 WHERE email = $1', [email, status]);
      idp.identity = { sub: newId(), email, email_verified: true, name: 'Ada' };
      const answer = await sso.signIn(tenant);
      return [errorIn(answer), ...(firstFailed(await refused(answer)) ?? [])];
    };
    expect(await reasonFor(tenant, 'suspended')).toEqual(['no_org_access', 'account', 'account_suspended']);
    const foreign = await reasonFor(other, 'suspended');
    expect([foreign, await reasonFor(other, 'active')]).toEqual([foreign, foreign]);
    expect(foreign).toEqual(['no_org_access', 'account', 'no_membership']);
  });

  it('holds the names of all claims, and the values of those that are mapped only (IDY-185, TRIAL-04)', async () => {
    const secret = { [CANARY]: CANARY };
    idp.identity = { ...idp.identity, email_verified: false, department: CANARY, codes: [CANARY, 'x'], secret };
    const answer = await sso.signIn(tenant);
    const found = await as().get(`/sso/attempts/${attemptIn(answer)}`);
    const claims = (found.body.data as Attempt).trace.steps.find(({ step }) => step === 'claims')?.facts['claims'];
    expect(claims).toMatchObject({
      email: idp.identity['email'],
      name: 'Ada',
      department: { type: 'string', length: CANARY.length },
      codes: { type: 'array', length: 2 },
      sub: { type: 'string', length: 36 },
    });
    expect(JSON.stringify(found.body)).not.toContain(CANARY);
    const rows = await sso.service.sql<object>('SELECT a::text AS row FROM sso_attempts a');
    expect(JSON.stringify(rows)).not.toContain(CANARY);
  });

  it('is read by who may read users of that tenant, and by no other (IDY-186, TRACE-02, TRACE-04)', async () => {
    idp.identity = { ...idp.identity, email_verified: false };
    const id = attemptIn(await sso.signIn(tenant));
    const [other, { partnerId, orgId }] = [await sso.tenant(), tenant];
    expect((await as(other.admin).get(`/sso/attempts/${id}`)).body.code).toBe('sso_attempt_not_found');
    expect(await list(`email=${String(idp.identity['email'])}`, other.admin)).toEqual([]);
    expect((await read(id, sso.orgAdmin(tenant))).id).toBe(id);
    const sibling = await sso.tenant(partnerId);
    expect((await as(sso.orgAdmin(sibling)).get(`/sso/attempts/${id}`)).status).toBe(404);
    const reader = anOrgTechnician(partnerId, orgId, { permissions: ['devices:read'] });
    expect((await as(reader).get('/sso/attempts')).body).toMatchObject({ status: 403, code: 'permission_denied' });
    const ofPartner = await as(sso.orgAdmin(tenant)).get('/sso/attempts?scope=partner');
    expect(ofPartner.body).toMatchObject({ status: 403, code: 'scope_denied' });
    expect((await sso.anonymous.get(`/sso/attempts/${id}`)).status).toBe(401);
    expect((await as().get('/sso/attempts/nonsense')).status).toBe(400);
  });

  it('is found by every filter of the list, the newest first (IDY-186)', async () => {
    await sso.signIn(tenant);
    const good = String(idp.identity['email']);
    idp.identity = { ...idp.identity, sub: newId(), email: `x-${newId()}@acme.example`, email_verified: false };
    const answer = await sso.signIn(tenant);
    const [newest, oldest] = await list('');
    expect([newest?.result, oldest?.result]).toEqual(['refused', 'success']);
    const ids = async (query: string): Promise<string[]> => (await list(query)).map(({ id }) => id);
    const [bad, fine] = [attemptIn(answer), oldest?.id ?? ''];
    expect(await ids(`email=${good.toUpperCase()}`)).toEqual([fine]);
    expect(await ids('code=email_unverified')).toEqual([bad]);
    expect(await ids('result=success&kind=sign_in')).toEqual([fine]);
    expect(await ids('kind=link')).toEqual([]);
    expect(await ids(`providerId=${providerId}&limit=1&page=2`)).toEqual([fine]);
    expect(await ids(`providerId=${newId()}`)).toEqual([]);
    expect(await ids('scope=partner')).toEqual([]);
    expect(await ids(`ip=${newest?.ip}&scope=organization&orgId=${tenant.orgId}`)).toEqual([bad, fine]);
    expect(await ids(`from=${newest?.createdAt}`)).toEqual([bad]);
    expect(await ids(`to=${newest?.createdAt}`)).toEqual([fine]);
    expect((await as().get('/sso/attempts?result=maybe')).status).toBe(400);
    expect((await as().get('/sso/attempts?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z')).status).toBe(400);
    expect((await as().get('/sso/attempts')).body.pagination).toEqual({ page: 1, limit: 50, total: 2 });
  });

  it('of a return without its sign-in belongs to no tenant, and the system alone reads it (IDY-187)', async () => {
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    for (const answer of [await sso.callback(search, ''), await sso.callback('?state=made-up&code=x', '')]) {
      expect(errorIn(answer)).toBe('session_expired');
      expect((await as().get(`/sso/attempts/${attemptIn(answer)}`)).status).toBe(404);
      const attempt = await read(attemptIn(answer), system);
      expect(attempt).toMatchObject({ providerId: null, orgId: null, partnerId: null, email: null });
      expect(firstFailed(attempt)).toEqual(['callback', 'cookie_mismatch']);
    }
    expect(landing(await sso.callback(search, trip.cookie))).toContain('#ssoCode=');
  });

  it('of a return within an hour after the sign-in expired belongs to its provider, once (IDY-187)', async () => {
    const trip = await sso.start(tenant);
    const search = await sso.wayBack(trip);
    await sso.service.sql(`UPDATE sso_login_sessions SET expires_at = now() - interval '59 minutes'`);
    await sso.service.service.app.get(SweepOneTimeValues).sweep();
    const late = await sso.callback(search, trip.cookie);
    expect(errorIn(late)).toBe('session_expired');
    expect(late.headers['set-cookie']).toBeUndefined();
    const attempt = await refused(late);
    expect([attempt.orgId, ...(firstFailed(attempt) ?? [])]).toEqual([tenant.orgId, 'callback', 'attempt_expired']);
    expect((await read(attemptIn(await sso.callback(search, trip.cookie)), system)).orgId).toBeNull();
    await sso.start(tenant);
    await sso.service.sql(`UPDATE sso_login_sessions SET expires_at = now() - interval '61 minutes'`);
    await sso.service.service.app.get(SweepOneTimeValues).sweep();
    expect(await sso.service.sql('SELECT FROM sso_login_sessions')).toEqual([]);
  });

  it('is deleted after thirty days (IDY-187)', async () => {
    await sso.signIn(tenant);
    await sso.signIn(tenant);
    const [newest, oldest] = await list('');
    const age = 'UPDATE sso_attempts SET created_at = now() - $2::interval WHERE id = $1';
    await sso.service.sql(age, [oldest?.id, '30 days 1 minute']);
    await sso.service.sql(age, [newest?.id, '29 days']);
    await sso.service.service.app.get(AttemptsService).sweep();
    expect((await list('')).map(({ id }) => id)).toEqual([newest?.id]);
  });

  it('that cannot be written does not keep a person out (IDY-188)', async () => {
    await sso.service.sql('ALTER TABLE sso_attempts ADD CONSTRAINT closed CHECK (false) NOT VALID');
    try {
      expect(landing(await sso.signIn(tenant))).toContain('#ssoCode=');
      idp.identity = { ...idp.identity, sub: newId(), email_verified: false };
      expect(errorIn(await sso.signIn(tenant))).toBe('email_unverified');
    } finally {
      await sso.service.sql('ALTER TABLE sso_attempts DROP CONSTRAINT closed');
    }
    expect(await list('')).toEqual([]);
  });

  it('holds a script in a claim or a user agent as text (TRACE-03)', async () => {
    const script = '<script>alert(1)</script>';
    idp.identity = { ...idp.identity, name: script, email_verified: false };
    const trip = await sso.start(tenant);
    const answer = await sso.callback(await sso.wayBack(trip), trip.cookie).set('user-agent', script.repeat(40));
    const attempt = await refused(answer);
    expect(attempt.userAgent).toBe(script.repeat(40).slice(0, 500));
    expect(JSON.stringify(attempt.trace)).toContain(script);
  });

  it('is announced to other systems without the person (IDY-189)', async () => {
    idp.identity = { ...idp.identity, email_verified: false };
    const attemptId = attemptIn(await sso.signIn(tenant));
    const events = await sso.service.emitted(SsoSignInRefused);
    expect(events.map(({ data }) => data).filter(({ orgId }) => orgId === tenant.orgId)).toEqual([
      { attemptId, providerId, orgId: tenant.orgId, partnerId: tenant.partnerId, code: 'email_unverified' },
    ]);
  });

  const system = aSystemAdmin();
  const as = (principal = tenant.admin) => sso.service.as(principal);
  const read = async (id: string, principal = tenant.admin): Promise<Attempt> =>
    (await as(principal).get(`/sso/attempts/${id}`)).body.data as Attempt;
  const list = async (query: string, principal = tenant.admin): Promise<AttemptRecord[]> =>
    (await as(principal).get(`/sso/attempts?${query}`)).body.data as AttemptRecord[];
  const newest = async (query: string): Promise<Attempt> => read((await list(query))[0]?.id ?? '');
  const refused = async (answer: Response): Promise<Attempt> => read(attemptIn(answer));
});

describe('a flood of made-up returns', () => {
  it('writes no more records than the limit of one client (TRACE-01)', async () => {
    const sso = await SsoHarness.start([], { RATE_LIMITS: LIMITED });
    for (let made = 0; made < 12; made++)
      expect(errorIn(await sso.callback(`?state=${newId()}&code=x`, ''))).toBe('session_expired');
    expect(await sso.service.sql('SELECT FROM sso_attempts')).toHaveLength(5);
    await sso.stop();
  });
});

describe('the record of a sign-in through a SAML provider', () => {
  let saml: SamlHarness;
  let tenant: Tenant;
  let providerId: string;
  beforeAll(async () => {
    saml = await SamlHarness.start();
    tenant = await saml.tenant();
    providerId = await saml.provider(tenant, { certificate: saml.certificates, autoProvision: true });
  });
  afterAll(() => saml.stop());

  it('names the attributes, and the check that a response failed (IDY-184, IDY-185)', async () => {
    const trip = await saml.begin(tenant);
    const [before, after] = [-150_000, 150_000].map((ms) => new Date(Date.now() + ms));
    const denied = (xml: string) => xml.replace(/<samlp:Status>.*Status>/, STATUS_OF_A_REFUSAL);
    const wrong: [Partial<ResponseFields>, RegExp][] = [
      [{ audience: 'https://other.example' }, /signature audience_mismatch .*another audience/],
      [{ issueInstant: before, notOnOrAfter: before }, /signature token_expired .*subject is not valid now/],
      [{ notOnOrAfter: before, confirmationNotOnOrAfter: after }, /signature token_expired .*assertion is not valid/],
      [{ notBefore: after }, /signature token_expired .*assertion is not valid now/],
      [{ signAssertion: false, signResponse: true }, /signature signature_invalid .*no signature of its own/],
      [{ beforeSigning: denied }, /callback provider_error .*\(Responder, RequestDenied: Ask <your> administrator\)/],
    ];
    for (const [fields, fault] of wrong) {
      const answer = await saml.postXml(trip, buildResponseXml({ ...saml.honest(trip), ...fields }));
      expect(await faultOf(answer)).toMatch(fault);
    }
    const received = await saml.postXml(trip, buildResponseXml(saml.honest(trip, EMAIL)));
    const done = await saml.complete(String(received.headers['location']), trip.cookie);
    expect(landing(done)).toContain('#ssoCode=');
    const [success] = (await saml.sso.service.as(tenant.admin).get('/sso/attempts?result=success')).body
      .data as AttemptRecord[];
    expect(success).toMatchObject({ protocol: 'saml', email: EMAIL, code: null });
  });

  it('names a subject that is too long, and the attribute that the mapping looks for (IDY-184)', async () => {
    const attributeMapping = { email: 'mail', name: 'cn' };
    await saml.sso.service.as(tenant.admin).patch(`/sso/providers/${providerId}`).send({ attributeMapping });
    for (const nameId of ['n'.repeat(256), newId()]) {
      const trip = await saml.begin(tenant);
      const opaque = {
        ...saml.honest(trip, nameId),
        nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      };
      const received = await saml.postXml(trip, buildResponseXml(opaque));
      const fault = await faultOf(await saml.complete(String(received.headers['location']), trip.cookie));
      expect(fault).toMatch(nameId.length > 255 ? /claims subject_missing/ : /mapping email_missing .*no claim mail$/);
    }
  });

  async function faultOf(answer: Response): Promise<string> {
    const { body } = await saml.sso.service.as(tenant.admin).get(`/sso/attempts/${attemptIn(answer)}`);
    const { protocol, trace } = body.data as Attempt;
    const { step, code, detail } = trace.steps.find(({ outcome }) => outcome === 'failed') ?? {};
    return [protocol, step, code, detail].join(' ');
  }
});

function tokenWith(claims: object) {
  return { idToken: { claims: (regular: object) => ({ ...regular, ...claims }) } };
}
const STATUS_OF_A_REFUSAL =
  '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder">' +
  '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:RequestDenied"/></samlp:StatusCode>' +
  '<samlp:StatusMessage>Ask &lt;your&gt; administrator</samlp:StatusMessage></samlp:Status>';
type Attempt = AttemptRecord & { readonly trace: TraceRecord };
const CANARY = 'canary-3f1d-value';
const LIMITED = 'ssoStart=100000/300,ssoAttemptLog=5/3600';

const stepsOf = ({ trace }: Attempt) =>
  Object.fromEntries(trace.steps.map(({ step, outcome, code }) => [step, code ? `${outcome} ${code}` : outcome]));
const firstFailed = ({ trace }: Attempt) => {
  const failed = trace.steps.find(({ outcome }) => outcome === 'failed');
  return failed && [failed.step, failed.code];
};
