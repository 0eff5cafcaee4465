import type {
  AttemptRecord,
  LoginError,
  SsoProtocol,
  TestSignInRecord,
  TraceRecord,
  Verdict,
} from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { buildResponseXml } from '@gatehouse/dev-idp';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { SamlHarness } from './saml.harness.ts';
import { attemptIn, errorIn, landing, startScriptedIdp, type Tenant, type Trip } from './sso.harness.ts';

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const PARTNER_ADMIN = '00000000-0000-7000-8000-000000000001';
const OF_PARTNER = { ownerScope: 'partner', orgId: undefined, defaultRoleId: undefined };
let tenant: Tenant;
let id: string;
let said: Said & { readonly email: string };

const oidc = await startScriptedIdp();
const saml = await SamlHarness.start([oidc.issuer]);
afterAll(async () => {
  await saml.stop();
  await oidc.stop();
});
beforeEach(async () => {
  tenant = await saml.tenant();
  said = { sub: newId(), email: `ada-${newId()}@acme.example` };
});

const PROTOCOLS: Readonly<Record<SsoProtocol, Protocol>> = {
  oidc: {
    provider: (more) => saml.sso.provider(tenant, oidc, more),
    begin: (whose = tenant.orgId) => saml.sso.begin(`/sso/login/${whose}`),
    async goBack(trip, { sub, email }) {
      oidc.identity = { sub, email, name: 'Ada' };
      return saml.sso.callback(await saml.sso.wayBack(trip), trip.cookie);
    },
  },
  saml: {
    provider: (more) =>
      saml.provider(tenant, {
        certificate: saml.certificates,
        attributeMapping: { email: 'mail', name: 'name' },
        ...more,
      }),
    begin: (whose = tenant.orgId) => saml.sso.begin(`/sso/saml/login/${whose}`),
    async goBack(trip, { sub, email }) {
      const attributes = { name: 'Ada', ...(email && { mail: email }) };
      const fields = { ...saml.honest(trip, sub), nameIdFormat: PERSISTENT, attributes };
      const received = await saml.postXml(trip, buildResponseXml(fields));
      const location = String(received.headers['location']);
      return location.includes('handle=') ? saml.complete(location, trip.cookie) : received;
    },
  },
};

const sql = (text: string, ...parameters: unknown[]) => saml.sso.service.sql(text, parameters);
const person = (more: { partnerId?: string; orgId?: string | null; password?: string; role?: string } = {}) =>
  saml.sso.user({ email: said.email, partnerId: tenant.partnerId, orgId: tenant.orgId, ...more });
const partnersPerson = () => person({ orgId: null, role: PARTNER_ADMIN });
const signIn = async (protocol: Protocol, who: Said = said): Promise<void> =>
  expect(landing(await protocol.goBack(await protocol.begin(), who))).toContain('#ssoCode=');

/** Every code that a test can end in. Each comes of both protocols: none is left out for one of them. */
const CODES: Readonly<Record<Exclude<LoginError, 'session_expired'>, Case>> = {
  domain_not_allowed: { settings: { allowedDomains: 'other.example' }, at: 'domain' },
  user_not_found: { settings: { autoProvision: false }, at: 'account' },
  default_role_required: { settings: { defaultRoleId: null }, at: 'role' },
  no_org_access: {
    prepare: async () => person({ ...(await saml.sso.tenant()) }),
    at: 'account',
  },
  sso_error: { says: () => ({ ...said, email: undefined }), at: 'mapping' },
  email_unverified: { says: () => ({ ...said, email: `ada-${newId()}@stranger.example` }), at: 'domain' },
  identity_conflict: { prepare: (protocol) => signIn(protocol, { ...said, sub: newId() }), at: 'account' },
  provider_changed: {
    meanwhile: () =>
      saml.sso.service.as(tenant.admin).patch(`/sso/providers/${id}`).send({ allowedDomains: 'acme.example' }),
    at: 'callback',
  },
  invite_required: { settings: OF_PARTNER, prepare: partnersPerson, at: 'account' },
  // Of a person without a membership a partner's test does not tell (SSO-97): here the partner itself is gone.
  no_partner_access: {
    settings: OF_PARTNER,
    meanwhile: () => sql('UPDATE partner_ref SET deleted = true WHERE partner_id = $1', tenant.partnerId),
    at: 'account',
  },
  link_required: { prepare: () => person({ password: 'a passphrase of Ada' }), verdict: 'would_ask_for_proof' },
};
const PASSING: Readonly<Record<Passing, Case>> = {
  would_sign_in: { prepare: (protocol) => signIn(protocol) },
  would_link: { prepare: () => person() },
  would_provision: {},
  not_told: { settings: OF_PARTNER },
};

describe.each(Object.keys(PROTOCOLS) as SsoProtocol[])('a test sign-in by %s', (type) => {
  it.each(Object.entries(CODES))(
    'ends in %s and leaves no row; so does a sign-in (SSO-95, IDY-184)',
    async (code, one) => {
      const { back, test, signInBack } = await run(type, one);
      expect(landing(back)).toBe(`/sso-test?attempt=${test.id}`);
      expect([test.status, test.attempt?.code]).toEqual(['done', code]);
      const { verdict, steps } = test.attempt?.trace ?? {};
      expect(verdict).toBe(one.verdict ?? 'would_refuse');
      expect(steps?.find(({ step, outcome }) => outcome === 'failed' && step !== 'verdict')?.step).toBe(one.at);
      const refused = await signInBack();
      expect(errorIn(refused)).toBe(code);
      const found = await saml.sso.service.as(tenant.admin).get(`/sso/attempts/${attemptIn(refused)}`);
      expect(found.body.data).toMatchObject({ kind: 'sign_in', protocol: type, code, providerId: id });
      const failedAt = (found.body.data as AttemptRecord & { trace: TraceRecord }).trace.steps.filter(
        ({ step, outcome }) => outcome === 'failed' && step !== 'verdict',
      );
      expect(failedAt.map(({ step }) => step)).toEqual(one.at ? [one.at] : []);
    },
  );

  it('that is over ends in session_expired under its own reference, and leaves no row (SSO-94)', async () => {
    const expire = 'UPDATE sso_login_sessions SET expires_at = now() WHERE attempt_id = $1';
    const { back, test } = await run(type, { meanwhile: (attemptId) => sql(expire, attemptId) });
    expect(errorIn(back)).toBe('session_expired');
    expect(attemptIn(back)).toBe(test.id);
    expect(test).toMatchObject({ status: 'done', attempt: { kind: 'test', code: 'session_expired' } });
    expect(test.attempt?.trace.steps.find(({ outcome }) => outcome === 'failed')?.code).toBe('attempt_expired');
    const ended = (await saml.sso.service.audits('sso.provider.test')).filter(({ resource }) => resource.id === id);
    expect(ended).toMatchObject([
      { details: { attemptId: test.id, verdict: 'would_refuse', code: 'session_expired' } },
    ]);
  });

  it.each(Object.entries(PASSING))('says %s, and leaves no row (SSO-95)', async (verdict, one) => {
    const { test } = await run(type, one);
    expect([test.attempt?.trace.verdict, test.attempt?.code]).toEqual([verdict, null]);
  });
});

/** What a provider says of a person; without the address that is mapped, when it is undefined. */
interface Said {
  readonly sub: string;
  readonly email: string | undefined;
}

interface Protocol {
  provider(more: object): Promise<string>;
  /** @param whose what the address of the sign-in names */
  begin(whose?: string): Promise<Trip>;
  /** The provider's answer, and where it leads the browser. */
  goBack(trip: Trip, person: Said): Promise<Response>;
}

interface Case {
  /** Settings of the provider that differ from those of one that makes accounts in a proven domain. */
  readonly settings?: object;
  readonly prepare?: (protocol: Protocol) => Promise<unknown>;
  /** Happens while the browser is at the provider. */
  readonly meanwhile?: (attemptId: string) => PromiseLike<unknown>;
  readonly says?: () => Said;
  readonly verdict?: Verdict;
  /** The step that failed. */
  readonly at?: string;
}

type Passing = 'would_sign_in' | 'would_link' | 'would_provision' | 'not_told';

/** Where the browser landed, what the record of the test says, and a sign-in that was begun at the same time. */
async function run(
  type: SsoProtocol,
  { settings = {}, prepare, meanwhile, says }: Case,
): Promise<{ back: Response; test: TestSignInRecord; signInBack: () => Promise<Response> }> {
  const protocol = PROTOCOLS[type];
  id = await protocol.provider({ autoProvision: true, ...settings });
  await prepare?.(protocol);
  const administrator = saml.sso.service.as(tenant.admin);
  const { body, headers } = await administrator.post(`/sso/providers/${id}/test-sign-ins`);
  const setCookie = String(headers['set-cookie']);
  const begun = body.data as { id: string; url: string };
  const real = await protocol.begin(settings === OF_PARTNER ? `partner/${tenant.partnerId}` : undefined);
  await meanwhile?.(begun.id);
  const before = await saml.sso.counts();
  const trip = { url: begun.url, setCookie, cookie: setCookie.split(';')[0] ?? '' };
  const back = await protocol.goBack(trip, says?.() ?? said);
  expect(await saml.sso.counts()).toEqual(before);
  const test = (await administrator.get(`/sso/test-sign-ins/${begun.id}`)).body.data as TestSignInRecord;
  return { back, test, signInBack: () => protocol.goBack(real, says?.() ?? said) };
}
