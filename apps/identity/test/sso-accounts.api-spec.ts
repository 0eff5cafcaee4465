import { type Principal, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { anOrgTechnician, aPartnerTechnician, aPrincipal } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import {
  besideAnIdp,
  codeIn,
  errorIn,
  landing,
  type SsoHarness,
  type ScriptedIdp,
  type Tenant,
} from './sso.harness.ts';
import { claimsOf } from './identity.harness.ts';

let serial = 0;

describe('whose account an identity opens', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  besideAnIdp((made) => ({ idp, sso, tenant } = made));

  it('refuses an address that the provider says is not verified, also for a linked person (LINK-01)', async () => {
    await sso.provider(tenant, idp);
    idp.identity = person();
    await userOf();
    idp.identity = { ...idp.identity, email_verified: false };
    await expectRefused('email_unverified');
  });

  it('wants a proven domain when the provider says nothing about verification, unless the person is linked (LINK-03, LINK-04)', async () => {
    const providerId = await sso.provider(tenant, idp);
    const silent = person('silent@proven.example', { email_verified: undefined });
    idp.identity = silent;
    await expectRefused('email_unverified');
    await sso.service.sql(
      `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at)
        VALUES ($1, $2, $3, 'proven.example', 'x', now())`,
      [newId(), tenant.partnerId, tenant.orgId],
    );
    const userId = await userOf();
    await sso.service.sql(`DELETE FROM sso_domains`);
    expect(await userOf()).toBe(userId);
    expect(providerId).toBeDefined();
  });

  it('never crosses from one organisation into another (LINK-07)', async () => {
    const other = await sso.tenant();
    await sso.provider(tenant, idp);
    await sso.user({ email: 'elsewhere@corp.example', partnerId: other.partnerId, orgId: other.orgId });
    idp.identity = person('elsewhere@corp.example');
    await expectRefused('no_org_access');
    expect(await sso.service.sql(`SELECT FROM sso_identity_links WHERE email = 'elsewhere@corp.example'`)).toHaveLength(
      0,
    );
  });

  it("confines the session of a member of two organisations to the provider's own (LINK-08)", async () => {
    const other = await sso.tenant(tenant.partnerId);
    await sso.provider(tenant, idp);
    const { userId } = await sso.user({ email: 'both@corp.example', partnerId: tenant.partnerId, orgId: other.orgId });
    await sso.service.sql(
      `INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
        VALUES ($1, $2, 'organization', $3, $4, '00000000-0000-7000-8000-000000000006')`,
      [newId(), userId, tenant.partnerId, tenant.orgId],
    );
    idp.identity = person('both@corp.example');
    const tokens = await sso.exchange(codeIn(await sso.signIn(tenant)));
    expect(await sso.identity.principalOf(tokens.body.accessToken)).toMatchObject({
      userId,
      level: 'organization',
      orgId: tenant.orgId,
      orgs: [tenant.orgId],
    });
  });

  it("accepts the invitation of the provider's own organisation, and none of its partner's (ATK-02f)", async () => {
    const other = await sso.tenant(tenant.partnerId);
    await sso.provider(tenant, idp);
    const { email } = (idp.identity = person());
    const invite = (by: Principal, membership: object) =>
      sso.service.as(by).post('/users').send({ email, name: 'Pat', membership });
    const viewer = roleId('Organization Viewer');
    const answers = [
      await invite(tenant.admin, { scope: 'partner', roleId: roleId('Partner Admin'), orgAccess: 'all' }),
      await invite(tenant.admin, { scope: 'organization', orgId: other.orgId, roleId: viewer }),
      await invite(await insider(), { scope: 'organization', orgId: tenant.orgId, roleId: viewer }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const userId = await userOf();
    expect(
      await sso.service.sql('SELECT org_id FROM memberships WHERE user_id = $1 ORDER BY org_id', [userId]),
    ).toEqual([{ org_id: tenant.orgId }]);
    const open = await sso.service.as(tenant.admin).get(`/users?status=invited&search=${email}`);
    expect(open.body.data).toHaveLength(2);
  });

  it('accepts no invitation by the address that a linked identity gets at the provider (ATK-02h)', async () => {
    await sso.provider(tenant, idp);
    const known = (idp.identity = person());
    const userId = await userOf();
    const { email } = person();
    const membership = { scope: 'organization', orgId: tenant.orgId, roleId: roleId('Organization Viewer') };
    await sso.service.as(tenant.admin).post('/users').send({ email, name: 'Pat', membership });
    idp.identity = { ...known, email };
    expect(await userOf()).toBe(userId);
    const found = await sso.service.as(tenant.admin).get(`/users?search=${email}`);
    expect(found.body.data).toMatchObject([{ email, status: 'invited' }]);
  });

  it('follows the identity, not an address that changes at the provider (LINK-11)', async () => {
    await sso.provider(tenant, idp);
    const x = person();
    const y = await sso.user({ email: 'y@corp.example', partnerId: tenant.partnerId, orgId: tenant.orgId });
    idp.identity = x;
    const userId = await userOf();
    idp.identity = { ...x, email: 'y@corp.example' };
    expect(await userOf()).toBe(userId);
    expect(userId).not.toBe(y.userId);
    expect((await sso.service.audits('sso.login.success')).at(-1)).toMatchObject({
      actor: { id: userId, name: x.name },
      details: { email: 'y@corp.example' },
    });
    idp.identity = person(x.email);
    await expectRefused('identity_conflict');
  });

  it('makes one person of fifty parallel first sign-ins (LINK-12)', async () => {
    await sso.provider(tenant, idp);
    idp.identity = person('rush@corp.example');
    const trips = await Promise.all(Array.from({ length: 50 }, () => sso.start(tenant)));
    const arrive = async (trip: (typeof trips)[number], attempts = 10): Promise<string> => {
      const target = landing(await sso.callback(await sso.wayBack(trip), trip.cookie));
      // On a busy machine a sign-in may wait too long for the others: its person tries again.
      return target.includes('sso_error') && attempts > 1 ? arrive(await sso.start(tenant), attempts - 1) : target;
    };
    for (const target of await Promise.all(trips.map((trip) => arrive(trip)))) expect(target).toContain('#ssoCode=');
    const [rows] = await sso.service.sql(
      `SELECT (SELECT count(*) FROM users WHERE email = 'rush@corp.example')::int AS users, (SELECT count(*)
        FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE u.email = 'rush@corp.example')::int AS memberships, (SELECT count(*) FROM sso_identity_links
        WHERE email = 'rush@corp.example')::int AS links`,
    );
    expect(rows).toEqual({ users: 1, memberships: 1, links: 1 });
  });

  it.each([
    'x@evilcorp.example',
    'x@corp.example.evil.example',
    'x@sub.corp.example',
    '"a@corp.example"@evil.example',
    'a@evil.example@corp.example',
  ])('refuses %s when corp.example alone is allowed (LINK-16)', async (email) => {
    await sso.provider(tenant, idp, { allowedDomains: 'CORP.example, other.example' });
    idp.identity = person(email);
    await expectRefused('domain_not_allowed');
  });

  it('refuses suspended people and former members, and does not bring them back (LINK-24)', async () => {
    await sso.provider(tenant, idp);
    idp.identity = person();
    const userId = await userOf();
    await sso.service.sql(`UPDATE users SET status = 'suspended' WHERE id = $1`, [userId]);
    await expectRefused('no_org_access');
    await sso.service.sql(`UPDATE users SET status = 'active' WHERE id = $1`, [userId]);
    await sso.service.sql('DELETE FROM memberships WHERE user_id = $1', [userId]);
    await expectRefused('no_org_access');
  });

  it('creates no user without automatic provisioning or without a usable default role (LINK-25, LINK-26)', async () => {
    const id = await sso.provider(tenant, idp, { autoProvision: false });
    idp.identity = person();
    await expectRefused('user_not_found');
    const other = await sso.tenant();
    const ofOther = newId();
    await sso.service.sql(
      `INSERT INTO roles (id, partner_id, org_id, name, axis, permissions)
        VALUES ($1, $2, $3, 'Other', 'organization', '{}')`,
      [ofOther, other.partnerId, other.orgId],
    );
    await sso.service.sql('UPDATE sso_providers SET auto_provision = true WHERE id = $1', [id]);
    for (const role of [null, newId(), ofOther, '00000000-0000-7000-8000-000000000002']) {
      await sso.service.sql('UPDATE sso_providers SET default_role_id = $2 WHERE id = $1', [id, role]);
      await expectRefused('default_role_required');
    }
  });

  it('stops creating people when the author of the role choice has lost the right to it, until an entitled user saves it again (LINK-27)', async () => {
    const id = await sso.provider(tenant, idp);
    idp.identity = person();
    const known = await userOf();
    const existing = idp.identity;
    await sso.service.sql(`UPDATE users SET status = 'suspended' WHERE id = $1`, [tenant.admin.userId]);
    idp.identity = person();
    await expectRefused('default_role_required');
    const newcomer = idp.identity;
    idp.identity = existing;
    expect(await userOf()).toBe(known);
    await sso.service.sql(`UPDATE users SET status = 'active' WHERE id = $1`, [tenant.admin.userId]);
    await sso.service.sql(
      `UPDATE memberships SET role_id = '00000000-0000-7000-8000-000000000002' WHERE user_id = $1`,
      [tenant.admin.userId],
    );
    idp.identity = newcomer;
    await expectRefused('default_role_required');
    const heir = await sso.user({
      email: `heir-${newId()}@corp.example`,
      partnerId: tenant.partnerId,
      role: '00000000-0000-7000-8000-000000000001',
    });
    const saved = await sso.service
      .as({ ...tenant.admin, userId: heir.userId, id: heir.userId })
      .patch(`/sso/providers/${id}`)
      .send({ defaultRoleId: '00000000-0000-7000-8000-000000000005' });
    expect(saved.body.data.defaultRoleConfiguredBy).toBe(heir.userId);
    expect(await userOf()).toBeTruthy();
  });

  it.each(['archived', 'merging', 'purging'])('shuts an organisation that is %s (LINK-30)', async (status) => {
    await sso.provider(tenant, idp);
    idp.identity = person();
    const trip = await sso.start(tenant);
    await sso.service.deliver(OrganizationChanged, {
      orgId: tenant.orgId,
      partnerId: tenant.partnerId,
      name: 'x',
      status: status as 'archived',
      deleted: false,
      mergedIntoId: null,
      version: 5,
    });
    const before = await sso.counts();
    expect(errorIn(await sso.callback(await sso.wayBack(trip), trip.cookie))).toBe('no_org_access');
    expect(await sso.counts()).toEqual(before);
    expect((await sso.anonymous.get(`/sso/login/${tenant.orgId}`)).status).toBe(404);
    expect((await sso.anonymous.get(`/sso/check/${tenant.orgId}`)).body).toEqual({ ssoEnabled: false });
  });

  it('lets suspended and offboarding organisations go on (LINK-30)', async () => {
    await sso.provider(tenant, idp);
    idp.identity = person();
    for (const [version, status] of [
      [6, 'suspended'],
      [7, 'offboarding'],
    ] as const) {
      await sso.service.deliver(OrganizationChanged, {
        orgId: tenant.orgId,
        partnerId: tenant.partnerId,
        name: 'x',
        status,
        deleted: false,
        mergedIntoId: null,
        version,
      });
      expect(landing(await sso.signIn(tenant))).toContain('#ssoCode=');
    }
  });

  it.each([
    ['automatic provisioning was switched off', () => ({ autoProvision: false })],
    ['newcomers were given another role', () => ({ defaultRoleId: roleId('Organization Viewer') })],
  ])('creates no user when %s while the provider was asked (SSO-13)', async (_, body) => {
    const id = await sso.provider(tenant, idp);
    idp.identity = person();
    const change = async (answer: unknown): Promise<unknown> => {
      await sso.service.as(tenant.admin).patch(`/sso/providers/${id}`).send(body()).expect(200);
      return answer;
    };
    idp.once({ token: { body: change } });
    const before = await sso.counts();
    expect(errorIn(await sso.signIn(tenant))).toBe('provider_changed');
    expect(await sso.counts()).toEqual(before);
  });

  it('asks the owner of an account with a password to prove it, then links it; a wrong password leaves the parked link (LINK-23, ATK-19d)', async () => {
    await sso.provider(tenant, idp);
    const { userId } = await sso.user({
      email: `owner-${++serial}@corp.example`,
      partnerId: tenant.partnerId,
      orgId: tenant.orgId,
      password: PASSWORD,
    });
    const [{ email = '' } = {}] = await sso.service.sql<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      userId,
    ]);
    idp.identity = person(email);
    const park = async (): Promise<string> => {
      const before = await sso.counts();
      const answer = await sso.signIn(tenant);
      expect(errorIn(answer)).toBe('link_required');
      expect(await sso.counts()).toEqual(before);
      return /svc_sso_link=[\w-]{43}/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';
    };
    const wrong = await park();
    const confirm = (cookie: string, password: string) =>
      sso.anonymous.post('/sso/link/confirm').set('cookie', cookie).send({ password });
    expect((await confirm(wrong, 'not the password')).body).toMatchObject({
      status: 400,
      code: 'link_confirmation_invalid',
    });
    expect(
      (await sso.service.audits('user.login_failed')).filter(({ resource }) => resource.id === userId),
    ).toMatchObject([{ result: 'failure', details: { reason: 'wrong_password' } }]);
    expect((await confirm('', PASSWORD)).status).toBe(400);
    const tokens = await confirm(wrong, PASSWORD);
    expect((await confirm(wrong, PASSWORD)).status).toBe(400);
    expect(claimsOf(tokens.body.accessToken).sub).toBe(userId);
    expect(await userOf()).toBe(userId);
    expect((await sso.service.audits('sso.identity.link')).at(-1)).toMatchObject({
      actor: { id: userId },
      orgId: tenant.orgId,
    });
  });

  it('AUD-13: ends with its provider: sessions, tokens, links and codes are gone, what was recorded stays', async () => {
    const id = await sso.provider(tenant, idp);
    idp.identity = person();
    const tokens = (await sso.exchange(codeIn(await sso.signIn(tenant)))).body as {
      accessToken: string;
      refreshToken: string;
    };
    const unused = codeIn(await sso.signIn(tenant));
    const about = async (): Promise<string[]> =>
      (await sso.service.audits()).filter(({ resource }) => resource.id === id).map(({ action }) => action);
    const before = await about();
    expect(before).toEqual(expect.arrayContaining(['sso.provider.create', 'sso.login.success']));
    expect((await sso.service.as(tenant.admin).delete(`/sso/providers/${id}`)).status).toBe(200);
    expect((await sso.anonymous.post('/auth/refresh').send({ refreshToken: tokens.refreshToken })).status).toBe(401);
    expect((await sso.exchange(unused)).body.code).toBe('exchange_code_invalid');
    expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE provider_id = $1', [id])).toEqual([]);
    expect(
      await sso.service.sql('SELECT FROM sessions WHERE id = $1 AND revoked_at IS NULL', [
        claimsOf(tokens.accessToken).sid,
      ]),
    ).toEqual([]);
    expect(await about()).toEqual([...before, 'sso.provider.delete']);
  });

  describe('of a partner', () => {
    it('is one that was invited: unknown identities and unlinked technicians are refused (LINK-29)', async () => {
      const created = await sso.service.as(tenant.admin).post('/sso/providers').send({
        ownerScope: 'partner',
        name: 'Partner IdP',
        type: 'oidc',
        issuer: idp.issuer,
        clientId: idp.clientId,
        clientSecret: idp.clientSecret,
      });
      expect(created.body.data).toMatchObject({ orgId: null, partnerId: tenant.partnerId, status: 'inactive' });
      const { id } = created.body.data;
      await sso.service.as(tenant.admin).post(`/sso/providers/${id}/status`).send({ status: 'active' });
      const technician = await sso.user({ email: `tech-${++serial}@corp.example`, partnerId: tenant.partnerId });
      const [{ email = '' } = {}] = await sso.service.sql<{ email: string }>('SELECT email FROM users WHERE id = $1', [
        technician.userId,
      ]);
      const signIn = async () => {
        const trip = await sso.begin(`/sso/login/partner/${tenant.partnerId}`);
        return sso.callback(await sso.wayBack(trip), trip.cookie);
      };
      for (const identity of [person(), person(email)]) {
        idp.identity = identity;
        const before = await sso.counts();
        expect(errorIn(await signIn())).toBe('invite_required');
        expect(await sso.counts()).toEqual(before);
      }
      const { userId } = technician;
      const own = aPrincipal({ ...tenant.admin, userId, id: userId, email, sessionId: newId() });
      const trip = await sso.startLinking(own, id);
      expect(landing(await sso.callback(await sso.wayBack(trip), trip.cookie))).toBe('/settings/profile?ssoLinked=1');
      const tokens = await sso.exchange(codeIn(await signIn()));
      expect(await sso.identity.principalOf(tokens.body.accessToken)).toMatchObject({
        userId,
        level: 'partner',
      });
      expect(
        (await sso.service.as(tenant.admin).get('/sso/providers?scope=partner')).body.data.map(
          (row: { id: string }) => row.id,
        ),
      ).toEqual([id]);
      expect((await sso.service.as(sso.orgAdmin(tenant)).get(`/sso/providers/${id}`)).body.code).toBe(
        'sso_provider_not_found',
      );
      expect((await sso.service.as(sso.orgAdmin(tenant)).get('/sso/providers?scope=partner')).body.code).toBe(
        'scope_denied',
      );
    });
  });

  describe('linked by the person', () => {
    it('is attached once, shown, and let go in its own tenant (ATK-05g)', async () => {
      const id = await sso.provider(tenant, idp);
      const { client, email, userId, principal } = await member();
      idp.identity = person(email);
      expect((await client.get('/sso/link/options')).body).toEqual({
        data: [{ providerId: id, name: 'Test IdP', type: 'oidc', linked: false, email: null }],
      });
      const trip = await sso.startLinking(principal, id);
      const before = await sso.counts();
      expect(landing(await sso.callback(await sso.wayBack(trip), trip.cookie))).toBe('/settings/profile?ssoLinked=1');
      expect(await sso.counts()).toEqual({ ...before, sso_identity_links: (before['sso_identity_links'] ?? 0) + 1 });
      expect((await client.get('/sso/link/options')).body.data[0]).toMatchObject({ linked: true, email });
      expect(await userOf()).toBe(userId);
      const above = sso.service.as(aPartnerTechnician(tenant.partnerId, { userId, id: userId, mfa: true }));
      expect((await above.delete(`/sso/link/${id}`)).body.code).toBe('sso_link_not_found');
      expect((await client.delete(`/sso/link/${id}`)).body).toEqual({ success: true });
      expect((await client.delete(`/sso/link/${id}`)).body.code).toBe('sso_link_not_found');
    });

    it("must have the user's address, belong to no other user, and the user must still be there (LINK-18, LINK-19, LINK-21)", async () => {
      const id = await sso.provider(tenant, idp);
      const [x, y] = [await member(), await member()];
      idp.identity = person('somebody-else@corp.example');
      const mismatch = await sso.startLinking(x.principal, id);
      expect(linkError(await sso.callback(await sso.wayBack(mismatch), mismatch.cookie))).toBe('email_mismatch');
      idp.identity = person(y.email);
      await userOf();
      idp.identity = { ...idp.identity, email: x.email };
      const inUse = await sso.startLinking(x.principal, id);
      expect(linkError(await sso.callback(await sso.wayBack(inUse), inUse.cookie))).toBe('identity_in_use');
      const gone = await sso.startLinking(x.principal, id);
      await sso.service.sql('DELETE FROM users WHERE id = $1', [x.userId]);
      expect(linkError(await sso.callback(await sso.wayBack(gone), gone.cookie))).toBe('user_gone');
      expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE user_id = $1', [x.userId])).toHaveLength(0);
      const { data } = (await sso.service.as(tenant.admin).get('/sso/attempts?kind=link')).body as {
        data: { code: string }[];
      };
      expect(data.map(({ code }) => code)).toEqual(['user_gone', 'identity_in_use', 'email_mismatch']);
    });

    it.each([
      ['has ended', 'revoked_at = now()'],
      ['has expired', 'expires_at = now()'],
      ['has lost its second factor', 'mfa_at = NULL, mfa_via = NULL'],
    ])('is not linked once the session that began it %s (SSO-45)', async (_, change) => {
      const id = await sso.provider(tenant, idp);
      const { principal, email, userId } = await member();
      idp.identity = person(email);
      const trip = await sso.startLinking(principal, id);
      await sso.service.sql(`UPDATE sessions SET ${change} WHERE id = $1`, [principal.sessionId]);
      expect(linkError(await sso.callback(await sso.wayBack(trip), trip.cookie))).toBe('session_expired');
      expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE user_id = $1', [userId])).toEqual([]);
    });

    it('is not linked while the organisation is merged into another (SSO-45)', async () => {
      const id = await sso.provider(tenant, idp);
      const { principal, email, userId } = await member();
      idp.identity = person(email);
      const trip = await sso.startLinking(principal, id);
      await sso.service.sql(`UPDATE org_ref SET status = 'merging' WHERE org_id = $1`, [tenant.orgId]);
      expect(linkError(await sso.callback(await sso.wayBack(trip), trip.cookie))).toBe('provider_changed');
      expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE user_id = $1', [userId])).toEqual([]);
    });

    it('must have an address of an allowed domain, as at every sign-in', async () => {
      const id = await sso.provider(tenant, idp, { allowedDomains: 'other.example' });
      const { principal, email, userId } = await member();
      idp.identity = person(email);
      const trip = await sso.startLinking(principal, id);
      expect(linkError(await sso.callback(await sso.wayBack(trip), trip.cookie))).toBe('domain_not_allowed');
      expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE user_id = $1', [userId])).toHaveLength(0);
    });

    it('needs a second factor, and a provider of the own tenant', async () => {
      const other = await sso.tenant();
      const id = await sso.provider(other, idp);
      const { client, userId } = await member();
      expect((await client.post(`/sso/link/start/${id}`).send()).body.code).toBe('sso_provider_not_found');
      const weak = sso.service.as(anOrgTechnician(tenant.partnerId, tenant.orgId, { userId, mfa: false }));
      expect((await weak.post(`/sso/link/start/${id}`).send()).body.code).toBe('mfa_required');
    });

    it('begins once under an Idempotency-Key (IDY-120)', async () => {
      const id = await sso.provider(tenant, idp);
      const { client } = await member();
      const start = () => client.post(`/sso/link/start/${id}`).set('idempotency-key', 'link-once').send();
      expect((await start()).status).toBe(200);
      expect((await start()).body).toMatchObject({ status: 409, code: 'idempotency_secret_shown', id });
      expect(await sso.service.sql('SELECT FROM sso_login_sessions WHERE provider_id = $1', [id])).toHaveLength(1);
    });

    async function member(email = `member-${++serial}@corp.example`) {
      const { userId } = await sso.user({ email, partnerId: tenant.partnerId, orgId: tenant.orgId });
      const principal = anOrgTechnician(tenant.partnerId, tenant.orgId, { userId, id: userId, email });
      return { userId, email, principal, client: sso.service.as(principal) };
    }
    const linkError = (answer: Parameters<typeof landing>[0]): string | null =>
      new URL(landing(answer), 'http://x').searchParams.get('ssoLinkError');
  });

  it.each([
    [['pwd', 'mfa'], true, true],
    [undefined, true, false],
    [[], true, false],
    [['pwd'], true, false],
    [['otp'], true, false],
    ['nomfa mfa', true, false],
    [['mfa'], false, false],
  ])('takes amr %j with trust %s as a second factor: %s (AUTH-18, AUTH-19)', async (amr, trustsIdpMfa, satisfied) => {
    await sso.provider(tenant, idp, { trustsIdpMfa });
    idp.identity = person(undefined, { amr });
    const tokens = await sso.exchange(codeIn(await sso.signIn(tenant)));
    expect((await sso.identity.principalOf(tokens.body.accessToken)).mfa).toBe(satisfied);
  });

  async function expectRefused(code: string, at: Tenant = tenant): Promise<void> {
    const before = await sso.counts();
    expect(errorIn(await sso.signIn(at))).toBe(code);
    expect(await sso.counts()).toEqual(before);
  }

  /** An administrator of the organisation, who may invite to it and to nothing else. */
  async function insider(): Promise<Principal> {
    const role = roleId('Organization Admin');
    const { userId } = await sso.user({ ...tenant, email: `insider-${++serial}@corp.example`, role });
    return sso.orgAdmin(tenant, { userId, id: userId });
  }

  async function userOf(at: Tenant = tenant): Promise<string> {
    const tokens = await sso.exchange(codeIn(await sso.signIn(at)));
    if (tokens.status !== 200) throw new Error(JSON.stringify(tokens.body));
    return claimsOf(tokens.body.accessToken).sub;
  }
});

const roleId = (name: string): string => SYSTEM_ROLES.find((role) => role.name === name)?.id ?? '';
const PASSWORD = 'a long enough passphrase';
const person = (email = `person-${++serial}@corp.example`, more: object = {}) => ({
  sub: `sub-${++serial}`,
  email,
  email_verified: true,
  name: 'Some Person',
  ...more,
});
