import { type Principal, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { anOrgTechnician } from '@gatehouse/testing';
import { SoftAuthenticator } from '@gatehouse/testing/soft-authenticator';
import { describe, expect, it } from '@jest/globals';
import { totp } from './identity.harness.ts';
import {
  besideAnIdp,
  codeIn,
  errorIn,
  landing,
  type SsoHarness,
  type ScriptedIdp,
  type Tenant,
  type Trip,
} from './sso.harness.ts';

let serial = 0;

let idp: ScriptedIdp;
let sso: SsoHarness;
let tenant: Tenant;
besideAnIdp((made) => ({ idp, sso, tenant } = made));

describe("another user's account", () => {
  it.each([
    ['LINK-01', false],
    ['LINK-03', undefined],
  ])('is not opened by an unverified address, be it known or new (%s)', async (_, verified) => {
    await sso.provider(tenant, idp);
    for (const email of [(await member()).email, undefined]) {
      idp.identity = person(email, { email_verified: verified });
      await expectRefused('email_unverified');
    }
  });

  it('goes on under its own password alone when the provider names its address: nothing changes until the owner proves it (LINK-23)', async () => {
    await sso.provider(tenant, idp);
    const { email, userId } = await member(true);
    const session = await sso.identity.login(email, PASSWORD);
    idp.identity = person(email);
    await expectRefused('link_required');
    expect(await sso.identity.introspect(session.body.accessToken)).toMatchObject({ active: true });
    expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE user_id = $1', [userId])).toEqual([]);
  });

  it('keeps nothing of its password once the organisation enforces its provider: refused, and its sessions ended (LINK-23)', async () => {
    const id = await sso.provider(tenant, idp);
    const { email } = await member(true);
    const session = await sso.identity.login(email, PASSWORD);
    expect(
      (await sso.service.as(tenant.admin).patch(`/sso/providers/${id}?force=true`).send({ enforceSSO: true })).status,
    ).toBe(200);
    expect(await sso.identity.introspect(session.body.accessToken)).toMatchObject({ active: false });
    expect((await sso.anonymous.post('/auth/refresh').send({ refreshToken: session.body.refreshToken })).status).toBe(
      401,
    );
    idp.identity = person(email);
    expect(errorIn(await sso.signIn(tenant))).toBe('link_required');
    await ownDomain();
    expect(codeIn(await sso.signIn(tenant))).toMatch(/^[\w-]{43}$/);
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(401);
  });

  it('is governed in the one of several organisations that enforces, and nowhere else (AUTH-15)', async () => {
    const { email, userId } = await member(true);
    const other = await sso.tenant(tenant.partnerId);
    await sso.service.sql(
      `INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
        VALUES ($1, $2, 'organization', $3, $4, '00000000-0000-7000-8000-000000000006')`,
      [newId(), userId, tenant.partnerId, other.orgId],
    );
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(200);
    await sso.provider(other, idp, { enforceSSO: true });
    expect(await sso.identity.principalOf((await sso.identity.login(email, PASSWORD)).body.accessToken)).toMatchObject({
      orgId: tenant.orgId,
    });
    const { orgId, partnerId } = other;
    await sso.service.deliver(OrganizationChanged, {
      orgId,
      partnerId,
      name: 'Closed',
      mergedIntoId: null,
      status: 'archived',
      deleted: false,
      version: 9,
    });
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(200);
  });
});

describe('the second factor of an account', () => {
  it("is not for the session of one organisation to change on its provider's word: who has a factor shows it first", async () => {
    const id = await sso.provider(tenant, idp, { trustsIdpMfa: true });
    const { email, userId } = await member(true);
    const own = await sso.identity.holding((await sso.identity.login(email, PASSWORD)).body.accessToken);
    const { secret } = (await own.post('/auth/mfa/totp/enroll')).body as { secret: string };
    expect((await own.post('/auth/mfa/totp/confirm').send({ code: totp(secret) })).status).toBe(200);
    expect(
      (await sso.service.as(tenant.admin).patch(`/sso/providers/${id}?force=true`).send({ enforceSSO: true })).status,
    ).toBe(200);
    idp.identity = person(email, { amr: ['mfa'] });
    await ownDomain();
    const { accessToken } = (await sso.exchange(codeIn(await sso.signIn(tenant)))).body as { accessToken: string };
    expect(await sso.identity.principalOf(accessToken)).toMatchObject({ userId, mfa: true });

    const confined = await sso.identity.holding(accessToken);
    const {
      data: [factor],
    } = (await confined.get('/auth/mfa/factors')).body as { data: { id: string }[] };
    const attempts = [
      confined.delete(`/auth/mfa/factors/${factor?.id}`),
      confined.post('/auth/mfa/recovery-codes'),
      confined.post('/auth/mfa/totp/enroll'),
      confined.post('/auth/mfa/webauthn/register/options'),
    ];
    for (const attempt of attempts) expect((await attempt).body).toMatchObject({ status: 403, code: 'mfa_required' });
    const stepped = await sso.identity.holding(
      (await confined.post('/auth/mfa/step-up').send({ code: totp(secret, 1) })).body.accessToken,
    );
    expect((await stepped.post('/auth/mfa/recovery-codes')).body.recoveryCodes).toHaveLength(10);
    expect((await stepped.delete(`/auth/mfa/factors/${factor?.id}`)).body).toEqual({ success: true });
  });

  it('is enrolled by a user without one, also when the provider has vouched for one', async () => {
    await sso.provider(tenant, idp, { trustsIdpMfa: true });
    idp.identity = person(undefined, { amr: ['mfa'] });
    const client = await sso.identity.holding((await sso.exchange(codeIn(await sso.signIn(tenant)))).body.accessToken);
    expect((await client.post('/auth/mfa/recovery-codes')).body.code).toBe('factor_not_found');
    const { secret } = (await client.post('/auth/mfa/totp/enroll')).body as { secret: string };
    expect((await client.post('/auth/mfa/totp/confirm').send({ code: totp(secret) })).status).toBe(200);
  });

  describe("that a provider's session enrolled", () => {
    it('is asked for nowhere else, and does not hinder an invitation to another tenant (ATK-05i, IDY-98)', async () => {
      const { email, userId, accessToken } = await enrolled();
      const elsewhere = await sso.tenant();
      expect((await invite(elsewhere, email)).status).toBe(201);
      const token = await sso.identity.mailedToken(email);
      const accepted = await sso.anonymous.post('/auth/accept-invite').send({ token, password: PASSWORD });
      expect(accepted.body).toMatchObject({ user: { id: userId }, mfa: { satisfied: false, enrolled: false } });
      await expectGone(userId, accessToken);
      const own = await sso.identity.holding(accepted.body.accessToken);
      const { secret } = (await own.post('/auth/mfa/totp/enroll')).body as { secret: string };
      expect((await own.post('/auth/mfa/totp/confirm').send({ code: totp(secret) })).status).toBe(200);
      const again = await sso.exchange(codeIn(await sso.signIn(tenant)));
      expect(await sso.identity.principalOf(again.body.accessToken)).toMatchObject({ confined: true });
      const confined = await sso.identity.holding(again.body.accessToken);
      expect((await confined.post('/auth/mfa/totp/enroll')).body.code).toBe('permission_denied');
      expect(await sso.service.sql('SELECT kind, by_provider FROM mfa_factors WHERE user_id = $1', [userId])).toEqual([
        { kind: 'totp', by_provider: false },
      ]);
    });

    it('goes when an administrator adds a membership, or moves the user to another place', async () => {
      const added = await enrolled();
      expect((await invite(tenant, added.email)).status).toBe(201);
      await expectGone(added.userId, added.accessToken);
      tenant = await sso.tenant();
      const moved = await enrolled();
      const membership = { scope: 'partner', roleId: PARTNER_TECHNICIAN, orgAccess: 'all' };
      const patched = await sso.service.as(tenant.admin).patch(`/users/${moved.userId}`).send({ membership });
      expect(patched.status).toBe(200);
      await expectGone(moved.userId, moved.accessToken);
    });

    it('makes no break-glass user once it is gone, where there is no other (SSO-44)', async () => {
      const [accepts, added] = [await enrolled(), await enrolled()];
      for (const { userId } of [accepts, added])
        expect((await sso.service.as(tenant.admin).patch(`/users/${userId}`).send({ breakGlass: true })).status).toBe(
          200,
        );
      const elsewhere = await sso.tenant();
      expect((await invite(elsewhere, accepts.email)).status).toBe(201);
      const token = await sso.identity.mailedToken(accepts.email);
      const accepted = await sso.anonymous.post('/auth/accept-invite').send({ token, password: PASSWORD });
      expect(accepted.body).toMatchObject({ mfa: { enrolled: false } });
      expect((await invite(tenant, added.email)).body.data).toMatchObject({ breakGlass: false, mfaEnrolled: false });
      for (const { userId, accessToken } of [accepts, added]) {
        await expectGone(userId, accessToken);
        expect(await sso.service.sql('SELECT break_glass FROM users WHERE id = $1', [userId])).toEqual([
          { break_glass: false },
        ]);
        expect(
          (await sso.service.audits('user.mfa.remove')).find(({ resource }) => resource.id === userId)?.details,
        ).toMatchObject({ changes: { breakGlass: { before: true, after: false } } });
      }
    });

    it('makes none of the user’s own of one that is enrolled on its strength', async () => {
      const { email, userId, secret } = await enrolled();
      expect((await sso.anonymous.post('/auth/forgot-password').send({ email })).status).toBe(200);
      const token = await sso.identity.mailedToken(email);
      await sso.anonymous.post('/auth/reset-password').send({ token, password: PASSWORD });
      const { mfaToken } = (await sso.identity.login(email, PASSWORD)).body as { mfaToken: string };
      const verified = await sso.anonymous.post('/auth/mfa/verify').send({ mfaToken, code: totp(secret, 1) });
      const own = await sso.identity.holding(verified.body.accessToken);
      expect(await sso.identity.principalOf(verified.body.accessToken)).toMatchObject({ confined: false });
      const { challenge } = (await own.post('/auth/mfa/webauthn/register/options')).body;
      const response = new SoftAuthenticator('http://localhost:3000').register(challenge);
      expect((await own.post('/auth/mfa/webauthn/register/verify').send({ response })).status).toBe(200);
      expect(
        await sso.service.sql('SELECT FROM mfa_factors WHERE user_id = $1 AND by_provider', [userId]),
      ).toHaveLength(2);
    });

    /** A first sign-in through the provider, whose session enrols an authenticator app. */
    async function enrolled() {
      await sso.provider(tenant, idp, { trustsIdpMfa: true });
      const { email } = (idp.identity = person(undefined, { amr: ['mfa'] }));
      const tokens = await sso.exchange(codeIn(await sso.signIn(tenant)));
      const client = await sso.identity.holding(tokens.body.accessToken);
      const { secret } = (await client.post('/auth/mfa/totp/enroll')).body as { secret: string };
      const confirmed = await client.post('/auth/mfa/totp/confirm').send({ code: totp(secret) });
      const { userId } = await sso.identity.principalOf(confirmed.body.accessToken);
      return { email, userId, secret, accessToken: confirmed.body.accessToken as string };
    }
    const invite = (by: Tenant, email: string) =>
      sso.service
        .as(by.admin)
        .post('/users')
        .send({ email, name: 'Pat', membership: { scope: 'partner', roleId: PARTNER_TECHNICIAN, orgAccess: 'all' } });
    async function expectGone(userId: string, accessToken: string): Promise<void> {
      for (const table of ['mfa_factors', 'recovery_codes'])
        expect(await sso.service.sql(`SELECT FROM ${table} WHERE user_id = $1`, [userId])).toEqual([]);
      expect(await sso.identity.introspect(accessToken)).toMatchObject({ active: false });
      const [removed] = (await sso.service.audits('user.mfa.remove')).filter(({ resource }) => resource.id === userId);
      expect(removed).toMatchObject({ orgId: tenant.orgId, details: { reason: 'provider_session', kinds: ['totp'] } });
    }
  });
});

describe('an identity', () => {
  it('that two people link at the same moment belongs to one of them (LINK-19)', async () => {
    const id = await sso.provider(tenant, idp);
    const [x, y] = [await member(), await member()];
    const trips = await Promise.all([x, y].map(({ principal }) => sso.startLinking(principal, id)));
    const sub = `shared-${++serial}`;
    const ways = [];
    for (const [at, { email }] of [x, y].entries()) {
      idp.identity = person(email, { sub });
      ways.push(await sso.wayBack(trips[at] as Trip));
    }
    const answers = await Promise.all(ways.map((way, at) => sso.callback(way, trips[at]?.cookie ?? '')));
    expect(answers.map(landing).sort()).toEqual([
      '/settings/profile?ssoLinkError=identity_in_use',
      '/settings/profile?ssoLinked=1',
    ]);
    expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE external_id = $1', [sub])).toHaveLength(1);
  });

  it('is not linked to a user who was suspended in between (LINK-21)', async () => {
    const id = await sso.provider(tenant, idp);
    const { userId, email, principal } = await member();
    idp.identity = person(email);
    const trip = await sso.startLinking(principal, id);
    await sso.service.sql(`UPDATE users SET status = 'suspended' WHERE id = $1`, [userId]);
    expect(linkError(await sso.callback(await sso.wayBack(trip), trip.cookie))).toBe('user_gone');
    expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE user_id = $1', [userId])).toEqual([]);
  });

  it('opens a session that ends with its provider: refreshing too is 401 (TOK-12)', async () => {
    const id = await sso.provider(tenant, idp);
    idp.identity = person();
    const { body } = await sso.exchange(codeIn(await sso.signIn(tenant)));
    expect((await sso.service.as(tenant.admin).delete(`/sso/providers/${id}`)).body).toEqual({ success: true });
    expect((await sso.anonymous.post('/auth/refresh').send({ refreshToken: body.refreshToken })).status).toBe(401);
    expect(await sso.identity.introspect(body.accessToken)).toMatchObject({ active: false });
  });

  it.each(['archived', 'deleted'])(
    'opens nothing in an organisation that is %s, and its login page names no provider (LINK-30)',
    async (fate) => {
      const domain = `${newId()}.example`;
      await sso.provider(tenant, idp, { enforceSSO: true });
      await sso.service.sql(
        `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at)
          VALUES ($1, $2, $3, $4, 'x', now())`,
        [newId(), tenant.partnerId, tenant.orgId, domain],
      );
      const discover = async () =>
        (await sso.anonymous.post('/auth/sso-discovery').send({ email: `a@${domain}` })).body.sso as object | null;
      expect(await discover()).not.toBeNull();
      idp.identity = person();
      const trip = await sso.start(tenant);
      const way = await sso.wayBack(trip);
      const before = await sso.counts();
      const gone = fate === 'deleted';
      await sso.service.deliver(OrganizationChanged, {
        orgId: tenant.orgId,
        partnerId: tenant.partnerId,
        name: 'x',
        status: gone ? 'active' : 'archived',
        deleted: gone,
        mergedIntoId: null,
        version: 5,
      });
      expect(await discover()).toBeNull();
      expect((await sso.anonymous.get(`/sso/check/${tenant.orgId}`)).body).toEqual({ ssoEnabled: false });
      expect((await sso.anonymous.get(`/sso/login/${tenant.orgId}`)).status).toBe(404);
      expect(errorIn(await sso.callback(way, trip.cookie))).toBe('no_org_access');
      expect(await sso.counts()).toEqual(before);
    },
  );

  it('whose provider is not trusted for a second factor opens no route that asks for one (AUTH-19)', async () => {
    const id = await sso.provider(tenant, idp, { defaultRoleId: '00000000-0000-7000-8000-000000000004' });
    const changed = async (amr: string[]): Promise<string> => {
      idp.identity = { ...idp.identity, amr };
      const { body } = await sso.exchange(codeIn(await sso.signIn(tenant)));
      const client = await sso.identity.holding(body.accessToken);
      return (
        ((await client.patch(`/sso/providers/${id}`).send({ name: `IdP ${++serial}` })).body.code as
          string | undefined) ?? 'changed'
      );
    };
    idp.identity = person();
    expect(await changed(['mfa'])).toBe('mfa_required');
    await sso.service.as(tenant.admin).patch(`/sso/providers/${id}`).send({ trustsIdpMfa: true });
    expect([await changed(['pwd']), await changed(['pwd', 'mfa'])]).toEqual(['mfa_required', 'changed']);
  });
});

const PARTNER_TECHNICIAN = SYSTEM_ROLES.find(({ name }) => name === 'Partner Technician')?.id;
const PASSWORD = 'a long enough passphrase';
const person = (email = `taken-${++serial}@corp.example`, more: object = {}) => ({
  sub: `taken-${++serial}`,
  email,
  email_verified: true,
  name: 'Some Person',
  ...more,
});

const linkError = (answer: Parameters<typeof landing>[0]): string =>
  new URL(landing(answer), 'http://x').searchParams.get('ssoLinkError') ?? landing(answer);

async function member(password = false): Promise<{ userId: string; email: string; principal: Principal }> {
  const email = `taken-${++serial}@corp.example`;
  const { userId } = await sso.user({
    email,
    partnerId: tenant.partnerId,
    orgId: tenant.orgId,
    ...(password && { password: PASSWORD }),
  });
  return { userId, email, principal: anOrgTechnician(tenant.partnerId, tenant.orgId, { userId, id: userId, email }) };
}

const ownDomain = () =>
  sso.service.sql(
    `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at)
      VALUES ($1, $2, $3, 'corp.example', 'x', now())`,
    [newId(), tenant.partnerId, tenant.orgId],
  );

async function expectRefused(code: string): Promise<void> {
  const before = await sso.counts();
  expect(errorIn(await sso.signIn(tenant))).toBe(code);
  expect(await sso.counts()).toEqual(before);
}
