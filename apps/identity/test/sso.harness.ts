import type { Principal } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { startDevIdp, startScriptedIdp, type ScriptedIdp } from '@gatehouse/dev-idp';
import { anOrgAdmin, aPartnerAdmin, type TestServiceOptions } from '@gatehouse/testing';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import type { Response } from 'supertest';
import { IdentityHarness } from './identity.harness.ts';

export { startDevIdp, startScriptedIdp, type ScriptedIdp };

const ORG_TECHNICIAN = '00000000-0000-7000-8000-000000000005';
export const APP = 'http://localhost:3000';
export const NO_LIMITS =
  'ssoStart=100000/300,discovery=100000/300,loginContext=100000/60,signInByClient=10000/300,signInByAccount=10000/300,mfa=10000/300,forgotPassword=10000/3600';
const COUNTED = ['users', 'sessions', 'refresh_tokens', 'sso_identity_links', 'sso_exchange_codes'] as const;

interface ProviderSpec {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Tenant {
  readonly partnerId: string;
  readonly orgId: string;
  readonly admin: Principal;
}

/** The browser's side of a sign-in: where it was sent, and the cookie it carries. */
export interface Trip {
  readonly url: string;
  readonly cookie: string;
  readonly setCookie: string;
}

const ATTEMPT = /&attempt=([0-9a-f]{8}-[0-9a-f-]{27})$/;
/** Where the browser ended up, seen from our own host, without the reference of the attempt. */
export const landing = (response: Response): string =>
  String(response.headers['location'] ?? `${response.status} ${JSON.stringify(response.body)}`)
    .replace(APP, '')
    .replace(ATTEMPT, '');
/** The reference that the page shows. */
export const attemptIn = (response: Response): string =>
  ATTEMPT.exec(String(response.headers['location']))?.[1] ?? landing(response);
export const errorIn = (response: Response): string =>
  new URL(landing(response), APP).searchParams.get('error') ?? landing(response);
/** By code: the cookie of the browser that it was issued to. */
const browsers = new Map<unknown, string>();
const BROWSER = /svc_sso_browser=[\w-]{43}/;

/** The exchange code; the browser keeps the cookie that came with it. */
export function codeIn(response: Response): string {
  const code = /#ssoCode=(.+)$/.exec(landing(response))?.[1] ?? landing(response);
  browsers.set(code, BROWSER.exec(String(response.headers['set-cookie']))?.[0] ?? '');
  return code;
}

const cookieOf = (response: Response): string => String([response.headers['set-cookie']].flat()[0] ?? '');

/** The cookie of the browser that a code was issued to. */
export const browserOf = (code: string): string => browsers.get(code) ?? '';

/** Identity beside identity providers on loopback. */
export class SsoHarness {
  private constructor(readonly identity: IdentityHarness) {}

  static async start(
    issuers: readonly string[],
    env: Record<string, string> = {},
    options: TestServiceOptions = {},
  ): Promise<SsoHarness> {
    const hosts = issuers.map((issuer) => new URL(issuer).host).join(',');
    return new SsoHarness(
      await IdentityHarness.start(
        { EGRESS_ALLOW_HOSTS: hosts, EGRESS_ALLOW_HTTP: 'true', RATE_LIMITS: NO_LIMITS, ...env },
        options,
      ),
    );
  }

  get service() {
    return this.identity.service;
  }

  get anonymous() {
    return this.identity.anonymous;
  }

  /** An organisation with an administrator who exists, so that what they configure stays in force. */
  async tenant(partner?: string): Promise<Tenant> {
    const partnerId = partner ?? (await this.identity.partner());
    const orgId = await this.identity.org(partnerId);
    const { userId } = await this.user({
      email: `admin-${newId()}@corp.example`,
      partnerId,
      role: '00000000-0000-7000-8000-000000000001',
    });
    return { partnerId, orgId, admin: aPartnerAdmin(partnerId, { userId, id: userId }) };
  }

  orgAdmin({ partnerId, orgId }: Tenant, overrides: Partial<Principal> = {}): Principal {
    return anOrgAdmin(partnerId, orgId, overrides);
  }

  /** A person with a membership; `password`: with credentials of their own. */
  async user({
    email,
    partnerId,
    orgId = null,
    role = ORG_TECHNICIAN,
    password,
  }: {
    email: string;
    partnerId: string;
    orgId?: string | null;
    role?: string;
    password?: string;
  }): Promise<{ userId: string; membershipId: string }> {
    const [userId, membershipId] = [newId(), newId()] as const;
    await this.service.sql(`INSERT INTO users (id, email, name, status) VALUES ($1, $2, 'Known Person', 'active')`, [
      userId,
      email,
    ]);
    await this.service.sql(
      'INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id) VALUES ($1, $2, $3, $4, $5, $6)',
      [membershipId, userId, orgId ? 'organization' : 'partner', partnerId, orgId, role],
    );
    if (password)
      await this.service.sql('INSERT INTO credentials (user_id, password_hash) VALUES ($1, $2)', [
        userId,
        await hash(password),
      ]);
    return { userId, membershipId };
  }

  /** An active provider of the organisation. */
  async provider(
    { admin, orgId }: Tenant,
    { issuer, clientId, clientSecret }: ProviderSpec,
    more: object = {},
  ): Promise<string> {
    const created = await this.service
      .as(admin)
      .post('/sso/providers')
      .send({
        orgId,
        name: 'Test IdP',
        type: 'oidc',
        issuer,
        clientId,
        clientSecret,
        defaultRoleId: ORG_TECHNICIAN,
        ...more,
      });
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    const { id } = created.body.data as { id: string };
    const activated = await this.service
      .as(admin)
      .post(`/sso/providers/${id}/status?force=true`)
      .send({ status: 'active' });
    if (activated.status !== 200) throw new Error(JSON.stringify(activated.body));
    return id;
  }

  async begin(path: string): Promise<Trip> {
    const response = await this.anonymous.get(path);
    if (response.status !== 302)
      throw new Error(`${path} answered ${response.status} ${JSON.stringify(response.body)}`);
    const setCookie = cookieOf(response);
    return { url: String(response.headers['location']), setCookie, cookie: setCookie.split(';')[0] ?? '' };
  }

  /** Begins to link an identity in a session of the caller, with a second factor. */
  async startLinking(caller: Principal, providerId: string): Promise<Trip> {
    await this.service.sql(
      `INSERT INTO sessions (id, user_id, membership_id, via, mfa_at, mfa_via, expires_at)
        SELECT $1, user_id, id, 'password', now(), 'totp', now() + interval '1 day' FROM memberships
         WHERE user_id = $2 ON CONFLICT DO NOTHING`,
      [caller.sessionId, caller.userId],
    );
    const started = await this.service.as(caller).post(`/sso/link/start/${providerId}`).send();
    const setCookie = cookieOf(started);
    return { url: started.body.authUrl as string, setCookie, cookie: setCookie.split(';')[0] ?? '' };
  }

  start({ orgId }: Tenant, redirect?: string): Promise<Trip> {
    return this.begin(
      `/sso/login/${orgId}${redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`}`,
    );
  }

  /** What the scripted provider sends back: it signs in without a page. */
  async wayBack(trip: Trip): Promise<string> {
    const { headers } = await fetch(trip.url, { redirect: 'manual' });
    return new URL(headers.get('location') ?? '').search;
  }

  callback(search: string, cookie: string) {
    const call = this.anonymous.get(`/sso/callback${search}`);
    return cookie ? call.set('cookie', cookie) : call;
  }

  /** The whole round trip through a scripted provider. */
  async signIn(tenant: Tenant, redirect?: string): Promise<Response> {
    const trip = await this.start(tenant, redirect);
    return this.callback(await this.wayBack(trip), trip.cookie);
  }

  /** @param cookie by default that of the browser which the code was issued to */
  exchange(code: unknown, cookie = browsers.get(code) ?? '') {
    const call = this.anonymous.post('/sso/exchange').send({ code: code as string });
    return cookie ? call.set('cookie', cookie) : call;
  }

  /** Rows that a refused sign-in must not change. */
  async counts(): Promise<Record<string, number>> {
    const rows = await this.service.sql<{ name: string; count: string }>(
      COUNTED.map((table) => `SELECT '${table}' AS name, count(*) AS count FROM ${table}`).join(' UNION ALL '),
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
  }

  stop(): Promise<void> {
    return this.identity.stop();
  }
}

interface BesideAnIdp {
  readonly idp: ScriptedIdp;
  readonly sso: SsoHarness;
  readonly tenant: Tenant;
}

/**
 * For a suite whose tests share one identity and one provider on loopback: hands them out before each test, with a
 * tenant of its own.
 */
export function besideAnIdp(handOut: (made: BesideAnIdp) => void, settings: Record<string, string> = {}): void {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  beforeAll(async () => {
    idp = await startScriptedIdp();
    sso = await SsoHarness.start([idp.issuer], settings);
  });
  beforeEach(async () => handOut({ idp, sso, tenant: await sso.tenant() }));
  afterAll(async () => {
    await sso.stop();
    await idp.stop();
  });
}
