import type { Principal } from '@gatehouse/contracts-core';
import { PrincipalsChanged } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, anOrgAdmin, anOrgTechnician, type Client } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { claimsOf } from './identity.harness.ts';
import {
  besideAnIdp,
  codeIn,
  errorIn,
  landing,
  type ScriptedIdp,
  type SsoHarness,
  type Tenant,
} from './sso.harness.ts';

let serial = 0;

let idp: ScriptedIdp;
let sso: SsoHarness;
let tenant: Tenant;
besideAnIdp((made) => ({ idp, sso, tenant } = made));

describe('who may say whom a provider signs in', () => {
  it('ATK-01a: takes every permission of people without a password, and of the default role, to create or activate one', async () => {
    expect(
      (
        await writer()
          .post('/sso/providers')
          .send(oidc({ defaultRoleId: ORG_VIEWER }))
      ).body,
    ).toMatchObject(lacks('devices:read', 'sites:read'));
    expect((await writer().post('/sso/providers').send(oidc())).status).toBe(201);
    const id = await inactive();
    await member({ password: null });
    const viewer = writer({ permissions: [...WRITES, 'devices:read', 'sites:read'] });
    const refused = await viewer.post('/sso/providers').send(oidc({ defaultRoleId: ORG_VIEWER }));
    expect(refused.body).toMatchObject({
      status: 403,
      code: 'role_not_grantable',
      missing: expect.arrayContaining(['users:write', 'tools:request']),
    });
    expect((await statusOf(id, 'active', viewer)).body.code).toBe('role_not_grantable');
    expect((await statusOf(id, 'testing', viewer)).status).toBe(200);
    expect((await statusOf(id, 'active', sso.service.as(sso.orgAdmin(tenant)))).status).toBe(200);
  });

  it('ATK-02i: accepts no invitation that offers more than the author of its trust could give', async () => {
    const role = { name: newId(), axis: 'organization', orgId: tenant.orgId, permissions: [...WRITES] };
    const { userId } = await member({ role: (await admin().post('/roles').send(role)).body.data.id });
    const weak = writer({ userId, id: userId });
    const { id } = (await weak.post('/sso/providers').send(oidc())).body.data as { id: string };
    expect((await statusOf(id, 'active', weak)).status).toBe(200);
    const email = `${newId()}@corp.example`;
    const membership = { scope: 'organization', orgId: tenant.orgId, roleId: ORG_ADMIN };
    expect((await admin().post('/users').send({ email, name: 'Pat', membership })).status).toBe(201);
    asserts(email);
    expect(errorIn(await sso.signIn(tenant))).toBe('default_role_required');
    expect((await admin().get(`/users?status=invited&search=${email}`)).body.data).toHaveLength(1);
    for (const status of ['inactive', 'active']) expect((await statusOf(id, status)).status).toBe(200);
    const joined = await signedIn();
    expect((await admin().get(`/users/${joined.userId}`)).body.data).toMatchObject({
      email,
      memberships: [{ roleId: ORG_ADMIN }],
    });
  });

  it('ATK-01a: counts people with a password once the provider would govern them, whichever switch comes first', async () => {
    await member();
    expect(
      (
        await writer()
          .post('/sso/providers')
          .send(oidc({ enforceSSO: true }))
      ).body.code,
    ).toBe('role_not_grantable');
    const { body } = await writer().post('/sso/providers').send(oidc());
    const { id } = (body as { data: { id: string } }).data;
    for (const query of ['', '?force=true'])
      expect((await change(id, { enforceSSO: true }, writer(), query)).body.code).toBe('role_not_grantable');
    await change(id, { enforceSSO: true });
    for (const query of ['', '?force=true'])
      expect((await statusOf(id, 'active', writer(), query)).body.code).toBe('role_not_grantable');
    expect((await statusOf(id, 'active', admin(), '?force=true')).status).toBe(200);
    expect((await writer().post('/sso/providers').send(oidc())).body.code).toBe('role_not_grantable');
  });

  it('ATK-01a: does not count break-glass people, whom no provider signs in', async () => {
    await member({ breakGlass: true });
    expect(
      (
        await writer()
          .post('/sso/providers')
          .send(oidc({ enforceSSO: true }))
      ).status,
    ).toBe(201);
  });

  it('ATK-01b: takes what linked people hold to change what a provider trusts, and nothing more for the rest', async () => {
    const id = await sso.provider(tenant, idp, { defaultRoleId: undefined });
    const linked = await member();
    asserts(linked.email);
    expect(await linkOwn(linked, id)).toBe('/settings/profile?ssoLinked=1');
    const before = (await admin().get(`/sso/providers/${id}`)).body as object;
    const url = `${idp.issuer}/other`;
    const trusted = [
      { type: 'saml' },
      { issuer: null },
      { issuer: url },
      { entityId: 'urn:x' },
      { authorizationUrl: url },
      { tokenUrl: url },
      { userInfoUrl: url },
      { jwksUrl: url },
      { ssoUrl: url },
      { clientId: 'mine' },
      { attributeMapping: { email: 'upn', name: 'name' } },
      { trustsIdpMfa: true },
      { enforceSSO: true },
      { allowedDomains: 'corp.example' },
      { autoProvision: false },
      { issuer: null, name: 'Hidden among others' },
    ];
    for (const body of trusted)
      expect((await change(id, body, writer(), '?force=true')).body).toMatchObject({
        status: 403,
        code: 'role_not_grantable',
      });
    expect((await admin().get(`/sso/providers/${id}`)).body).toEqual(before);
    for (const body of [{ name: 'Renamed' }, { clientSecret: 'rotated' }, { clientId: idp.clientId }])
      expect((await change(id, body, writer())).status).toBe(200);
    expect((await statusOf(id, 'inactive', writer())).status).toBe(200);
    expect((await writer().delete(`/sso/providers/${id}`)).status).toBe(200);
  });

  it("ATK-01c: holds on the partner's axis", async () => {
    await sso.user({ email: `boss-${newId()}@corp.example`, partnerId: tenant.partnerId, role: PARTNER_ADMIN });
    const wide = sso.service.as(aPartnerAdmin(tenant.partnerId, { permissions: [...WRITES] }));
    expect((await wide.post('/sso/providers').send(oidc({ ownerScope: 'partner' }))).body).toMatchObject(lacks('*'));
    const { body } = await admin()
      .post('/sso/providers')
      .send(oidc({ ownerScope: 'partner' }));
    const { id } = (body as { data: { id: string } }).data;
    expect((await statusOf(id, 'active', wide)).body).toMatchObject(lacks('*'));
    expect((await change(id, { clientId: 'mine' }, wide)).body).toMatchObject(lacks('*'));
    expect((await change(id, { name: 'Renamed' }, wide)).status).toBe(200);
  });

  it('ATK-01d: never is a caller who is confined to sites, nor one with some organisations at the partner or an API key', async () => {
    const id = await inactive();
    const confined = writer({ permissions: ['*'], sites: [newId()] });
    const attempts = [
      confined.post('/sso/providers').send(oidc()),
      statusOf(id, 'active', confined, '?force=true'),
      change(id, { clientId: 'x' }, confined, '?force=true'),
      confined.get(`/sso/providers/${id}/enforcement-preview`),
    ];
    for (const attempt of attempts) expect((await attempt).body.code).toBe('site_access_denied');
    const { body } = await admin()
      .post('/sso/providers')
      .send(oidc({ ownerScope: 'partner' }));
    const ofPartner = (body as { data: { id: string } }).data.id;
    const some = sso.service.as(aPartnerAdmin(tenant.partnerId, { orgs: [tenant.orgId] }));
    for (const attempt of [
      statusOf(ofPartner, 'active', some),
      some.get(`/sso/providers/${ofPartner}/enforcement-preview`),
    ])
      expect((await attempt).body.code).toBe('partner_access_denied');
    const key = writer({ kind: 'api_key', permissions: ['*'], mfa: false, sessionId: null });
    expect((await statusOf(id, 'active', key, '?force=true')).body.code).toBe('mfa_required');
  });

  it('ATK-01d: is not got round by repeating the call of someone else with its idempotency key', async () => {
    await member({ password: null });
    const id = await inactive();
    const call = (by: Client) => statusOf(id, 'active', by).set('idempotency-key', 'shared-key');
    expect((await call(admin())).status).toBe(200);
    expect((await statusOf(id, 'inactive')).status).toBe(200);
    expect((await call(writer())).body.code).toBe('role_not_grantable');
  });
});

describe('an account that a provider names', () => {
  it('ATK-01e: is not adopted under enforcement without a proven domain: its owner proves it with the password that sign-in refuses', async () => {
    await sso.provider(tenant, idp, { enforceSSO: true });
    const { userId, email } = await member();
    asserts(email);
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(401);
    expect((await confirm('not the password')).status).toBe(400);
    const confirmed = await confirm(PASSWORD);
    expect([confirmed.status, claimsOf(confirmed.body.accessToken).sub]).toEqual([200, userId]);
    expect((await signedIn()).userId).toBe(userId);
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(401);
  });

  it('ATK-01e: is adopted under enforcement when its domain is proven and the provider vouches', async () => {
    await sso.provider(tenant, idp, { enforceSSO: true });
    await ownDomain();
    const { userId, email } = await member();
    asserts(email, { email_verified: undefined });
    expect(errorIn(await sso.signIn(tenant))).toBe('link_required');
    asserts(email);
    expect((await signedIn()).userId).toBe(userId);
  });

  it('ATK-01f: of a break-glass person is not opened, however enforced, proven or linked before, unless by a link of their own', async () => {
    const id = await sso.provider(tenant, idp, { enforceSSO: true });
    await ownDomain();
    const person = await member({ password: null });
    asserts(person.email);
    expect((await signedIn()).userId).toBe(person.userId);
    await sso.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [person.userId]);
    expect(errorIn(await sso.signIn(tenant))).toBe('link_required');
    expect(await linkOwn(person, id)).toBe('/settings/profile?ssoLinked=1');
    const { accessToken } = await signedIn();
    const entries = (await sso.service.audits('user.break_glass.login')).filter(
      ({ resource }) => resource.id === person.userId,
    );
    expect(entries).toMatchObject([
      {
        actor: { id: person.userId },
        orgId: tenant.orgId,
        details: { via: 'sso', providerId: id, sessionId: claimsOf(accessToken).sid },
      },
    ]);
    const other = await member({ breakGlass: true });
    asserts(other.email);
    const confirmed = await confirm(PASSWORD);
    expect(claimsOf(confirmed.body.accessToken).sub).toBe(other.userId);
    expect(
      (await sso.service.audits('user.break_glass.login')).filter(({ resource }) => resource.id === other.userId),
    ).toHaveLength(1);
  });
});

describe('the audit entry of a link', () => {
  it('that its person proves later tells what it was before, whichever way it is proved (AUD-50)', async () => {
    const id = await sso.provider(tenant, idp, { enforceSSO: true });
    await ownDomain();
    const adopted = { providerId: { before: null, after: id }, selfLinked: { before: null, after: false } };
    const proved = { selfLinked: { before: false, after: true } };
    for (const prove of [(person: Member) => linkOwn(person, id), () => confirm(PASSWORD)]) {
      const person = await member();
      asserts(person.email);
      expect((await signedIn()).userId).toBe(person.userId);
      await sso.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [person.userId]);
      await prove(person);
      const [last, first] = (await sso.service.audits('sso.identity.link')).reverse();
      expect([first, last].map((entry) => entry?.details['changes'])).toEqual([adopted, proved]);
    }
  });
});

describe('a person who becomes break-glass', () => {
  it('ATK-01j: loses the sessions that rest on the word of a provider, which cannot make a link of their own', async () => {
    const id = await sso.provider(tenant, idp, { trustsIdpMfa: true });
    const { userId, email } = await member({ password: null });
    asserts(email, { amr: ['mfa'] });
    const { accessToken } = await signedIn();
    const vouched = await sso.identity.holding(accessToken);
    expect((await vouched.post(`/sso/link/start/${id}`).send()).body.code).toBe('mfa_required');
    await sso.service.sql(
      `INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed, confirmed_at)
        VALUES ($1, $2, 'totp', 'x', 'x', now())`,
      [newId(), userId],
    );
    expect((await admin().patch(`/users/${userId}`).send({ breakGlass: true })).status).toBe(200);
    expect(await isAlive(accessToken)).toBe(false);
    expect(errorIn(await sso.signIn(tenant))).toBe('link_required');
  });
});

describe('a parked link', () => {
  it('opens nothing once its organisation is being merged into another (SSO-46)', async () => {
    const id = await sso.provider(tenant, idp, { defaultRoleId: undefined });
    const { email } = await member();
    asserts(email);
    const merge = () => sso.service.sql(`UPDATE org_ref SET status = 'merging' WHERE org_id = $1`, [tenant.orgId]);
    expect((await confirm(PASSWORD, merge)).body.code).toBe('link_confirmation_invalid');
    expect(await linksOf(id)).toEqual([]);
  });
});

describe('a provider that changes', () => {
  it.each([
    ['issuer', { issuer: null }],
    ['type', { type: 'saml' }],
    ['entity id', { entityId: 'urn:elsewhere' }],
  ])('ATK-01g: its %s voids the links, ends the sessions and counts as untested', async (_, body) => {
    const id = await sso.provider(tenant, idp, { defaultRoleId: ORG_VIEWER });
    asserts(`linked-${newId()}@corp.example`);
    const { accessToken, refreshToken } = await signedIn();
    const unused = codeIn(await sso.signIn(tenant));
    expect((await change(id, body)).status).toBe(200);
    expect([await isAlive(accessToken), await linksOf(id)]).toEqual([false, []]);
    expect((await sso.anonymous.post('/auth/refresh').send({ refreshToken })).status).toBe(401);
    expect((await sso.exchange(unused)).status).toBe(400);
    expect((await admin().get(`/sso/providers/${id}/enforcement-preview`)).body.data.tested).toBe(false);
    expect((await sso.service.audits('sso.provider.update')).at(-1)?.details).toMatchObject({
      linksVoided: 1,
      sessionsEnded: 2,
    });
  });

  it('ATK-01g: makes the owner of an account prove it again under the new source', async () => {
    const id = await sso.provider(tenant, idp, { defaultRoleId: undefined });
    const person = await member();
    asserts(person.email);
    await linkOwn(person, id);
    const first = await signedIn();
    expect(first.userId).toBe(person.userId);
    await change(id, { entityId: 'urn:elsewhere' });
    expect((await confirm(PASSWORD)).status).toBe(200);
    expect((await admin().get(`/sso/providers/${id}/enforcement-preview`)).body.data.tested).toBe(true);
  });

  it('ATK-01g: keeps links and sessions with another secret, endpoint or certificate of the same source', async () => {
    const id = await sso.provider(tenant, idp, { defaultRoleId: ORG_VIEWER });
    asserts(`linked-${newId()}@corp.example`);
    const { accessToken } = await signedIn();
    expect(
      (await change(id, { clientSecret: 'another', userInfoUrl: `${idp.issuer}/userinfo?v=2`, clientId: 'another' }))
        .status,
    ).toBe(200);
    expect([await isAlive(accessToken), (await linksOf(id)).length]).toEqual([true, 1]);
  });

  it('ATK-01h: to another source under enforcement is untested, so it must be forced', async () => {
    const id = await sso.provider(tenant, idp, { enforceSSO: true, defaultRoleId: ORG_VIEWER });
    asserts(`linked-${newId()}@corp.example`);
    const { accessToken } = await signedIn();
    expect((await change(id, { entityId: 'urn:elsewhere' })).body).toMatchObject({
      status: 409,
      code: 'sso_enforcement_untested',
    });
    expect([await isAlive(accessToken), (await linksOf(id)).length]).toEqual([true, 1]);
    expect((await change(id, { entityId: 'urn:elsewhere' }, admin(), '?force=true')).status).toBe(200);
    expect(await isAlive(accessToken)).toBe(false);
  });

  it.each(['inactive', 'testing'])(
    'ATK-08a: that becomes %s ends the sessions that it opened, and tells the gateway',
    async (status) => {
      const id = await sso.provider(tenant, idp, { defaultRoleId: ORG_VIEWER });
      asserts(`linked-${newId()}@corp.example`);
      const { accessToken, refreshToken } = await signedIn();
      expect((await statusOf(id, status)).status).toBe(200);
      expect(await isAlive(accessToken)).toBe(false);
      expect((await sso.anonymous.post('/auth/refresh').send({ refreshToken })).status).toBe(401);
      expect(
        (await sso.service.emitted(PrincipalsChanged)).some(({ data }) =>
          data.sessionIds.includes(claimsOf(accessToken).sid),
        ),
      ).toBe(true);
      expect((await linksOf(id)).length).toBe(1);
      await statusOf(id, 'active');
      expect(await isAlive(accessToken)).toBe(false);
    },
  );

  it('ATK-08b: that is not trusted for a second factor any more takes it from its sessions, and from them alone', async () => {
    const id = await sso.provider(tenant, idp, { defaultRoleId: ORG_VIEWER, trustsIdpMfa: true });
    asserts(`linked-${newId()}@corp.example`, { amr: ['mfa'] });
    const [vouched, own] = [await signedIn(), await signedIn()];
    await sso.service.sql(`UPDATE sessions SET mfa_via = 'totp' WHERE id = $1`, [claimsOf(own.accessToken).sid]);
    expect((await sso.identity.principalOf(vouched.accessToken)).mfa).toBe(true);
    expect((await change(id, { trustsIdpMfa: false })).status).toBe(200);
    expect([
      (await sso.identity.principalOf(vouched.accessToken)).mfa,
      (await sso.identity.principalOf(own.accessToken)).mfa,
    ]).toEqual([false, true]);
    expect(
      (await sso.service.emitted(PrincipalsChanged)).some(({ data }) =>
        data.sessionIds.includes(claimsOf(vouched.accessToken).sid),
      ),
    ).toBe(true);
    const refreshed = await sso.anonymous.post('/auth/refresh').send({ refreshToken: vouched.refreshToken });
    expect(claimsOf((refreshed.body as { accessToken: string }).accessToken).mfa).toBeNull();
  });

  it('ATK-08c: leaves no session of a sign-in that was being stored', async () => {
    const id = await sso.provider(tenant, idp, { defaultRoleId: ORG_VIEWER });
    asserts(`linked-${newId()}@corp.example`);
    const trips = await Promise.all(Array.from({ length: 8 }, () => sso.start(tenant)));
    const ways = await Promise.all(trips.map((trip) => sso.wayBack(trip)));
    const answers = trips.map((trip, at) => sso.callback(ways[at] ?? '', trip.cookie));
    await Promise.all([...answers, statusOf(id, 'inactive')]);
    expect(await sso.service.sql('SELECT FROM sessions WHERE provider_id = $1 AND revoked_at IS NULL', [id])).toEqual(
      [],
    );
  });
});

describe('enforcement', () => {
  it.each([
    ['at creation', true],
    ['while inactive', false],
  ])(
    'ATK-06: switched on %s is tested when the provider becomes active, or forced and audited',
    async (_, atCreation) => {
      const id = await inactive({ enforceSSO: atCreation });
      if (!atCreation) expect((await change(id, { enforceSSO: true })).status).toBe(200);
      const { email } = await member();
      const session = (await sso.identity.login(email, PASSWORD)).body as { accessToken: string };
      expect((await statusOf(id, 'active')).body).toMatchObject({ status: 409, code: 'sso_enforcement_untested' });
      expect([await isAlive(session.accessToken), (await sso.identity.login(email, PASSWORD)).status]).toEqual([
        true,
        200,
      ]);
      expect(
        (await statusOf(id, 'active', sso.service.as({ ...tenant.admin, mfa: false }), '?force=true')).body.code,
      ).toBe('mfa_required');
      expect((await statusOf(id, 'active', admin(), '?force=true')).status).toBe(200);
      expect((await sso.service.audits('sso.provider.status.update')).at(-1)?.details).toMatchObject({
        enforcementForced: true,
      });
      expect(await isAlive(session.accessToken)).toBe(false);
    },
  );

  it('ATK-06: that was tested stays so when the provider is switched off and on', async () => {
    const id = await sso.provider(tenant, idp, { defaultRoleId: ORG_VIEWER });
    asserts(`tester-${newId()}@corp.example`);
    await signedIn();
    expect((await change(id, { enforceSSO: true })).status).toBe(200);
    await statusOf(id, 'inactive');
    expect((await statusOf(id, 'active')).status).toBe(200);
    await statusOf(id, 'inactive');
    await change(id, { clientSecret: 'another' });
    expect((await statusOf(id, 'active')).body.code).toBe('sso_enforcement_untested');
  });
});

describe('allowed domains', () => {
  it.each([' , ,', ',', ' '])(
    'ATK-10a: that come to none (%j) are refused and change nothing',
    async (allowedDomains) => {
      const id = await inactive({ allowedDomains: 'corp.example' });
      for (const answer of [
        await change(id, { allowedDomains }),
        await admin().post('/sso/providers').send(oidc({ allowedDomains })),
      ]) {
        expect(answer.body).toMatchObject({
          status: 400,
          code: 'validation_failed',
          issues: [{ path: 'allowedDomains' }],
        });
      }
      expect((await admin().get(`/sso/providers/${id}`)).body.data.allowedDomains).toBe('corp.example');
      expect((await change(id, { allowedDomains: '' })).body.data.allowedDomains).toBeNull();
    },
  );
});

const PASSWORD = 'a long enough passphrase';
const ORG_ADMIN = '00000000-0000-7000-8000-000000000004';
const ORG_VIEWER = '00000000-0000-7000-8000-000000000006';
const PARTNER_ADMIN = '00000000-0000-7000-8000-000000000001';
const WRITES = ['organizations:read', 'organizations:write'] as const;

const asserts = (email: string, more: object = {}): void => {
  idp.identity = { sub: `trust-${++serial}`, email, email_verified: true, name: 'Some Person', ...more };
};

/** Holds organizations:write in the whole organisation, and little else. */
const writer = (more: Partial<Principal> = {}): Client =>
  sso.service.as(anOrgAdmin(tenant.partnerId, tenant.orgId, { permissions: [...WRITES], ...more }));

const admin = (): Client => sso.service.as(tenant.admin);

interface Member {
  readonly userId: string;
  readonly email: string;
  readonly principal: Principal;
}

async function member({
  role = ORG_ADMIN,
  password = PASSWORD as string | null,
  breakGlass = false,
} = {}): Promise<Member> {
  const email = `member-${++serial}-${newId()}@corp.example`;
  const { userId } = await sso.user({
    email,
    partnerId: tenant.partnerId,
    orgId: tenant.orgId,
    role,
    ...(password && { password }),
  });
  if (breakGlass) await sso.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [userId]);
  return { userId, email, principal: anOrgTechnician(tenant.partnerId, tenant.orgId, { userId, id: userId, email }) };
}

const ownDomain = (domain = 'corp.example') =>
  sso.service.sql(
    `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at) VALUES ($1, $2, $3, $4, 'x', now())`,
    [newId(), tenant.partnerId, tenant.orgId, domain],
  );

const oidc = (more: object = {}) => {
  const { issuer, clientId, clientSecret } = idp;
  return { orgId: tenant.orgId, name: 'IdP', type: 'oidc', issuer, clientId, clientSecret, ...more };
};

async function inactive(more: object = {}): Promise<string> {
  const { body } = await admin().post('/sso/providers').send(oidc(more));
  return (body as { data: { id: string } }).data.id;
}

const statusOf = (id: string, status: string, by = admin(), query = '') =>
  by.post(`/sso/providers/${id}/status${query}`).send({ status });
const change = (id: string, body: object, by = admin(), query = '') =>
  by.patch(`/sso/providers/${id}${query}`).send(body);

async function signedIn(): Promise<{ accessToken: string; refreshToken: string; userId: string }> {
  const { body } = await sso.exchange(codeIn(await sso.signIn(tenant)));
  const tokens = body as { accessToken: string; refreshToken: string };
  return { ...tokens, userId: claimsOf(tokens.accessToken).sub };
}

async function linkOwn({ principal }: Member, providerId: string): Promise<string> {
  const trip = await sso.startLinking(principal, providerId);
  return landing(await sso.callback(await sso.wayBack(trip), trip.cookie));
}

async function confirm(
  password: string,
  meanwhile = async (): Promise<unknown> => undefined,
): Promise<{ status: number; body: { accessToken: string; code?: string } }> {
  const answer = await sso.signIn(tenant);
  expect(errorIn(answer)).toBe('link_required');
  await meanwhile();
  const cookie = /svc_sso_link=[\w-]{43}/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';
  return sso.anonymous.post('/sso/link/confirm').set('cookie', cookie).send({ password });
}

const isAlive = async (accessToken: string): Promise<boolean> => (await sso.identity.introspect(accessToken)).active;
const linksOf = (id: string) =>
  sso.service.sql<{ user_id: string }>('SELECT user_id FROM sso_identity_links WHERE provider_id = $1', [id]);
const lacks = (...missing: string[]) => ({ status: 403, code: 'role_not_grantable', missing });
