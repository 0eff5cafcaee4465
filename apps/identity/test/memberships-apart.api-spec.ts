import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, aSystemAdmin, anApiKey } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { totp } from './identity.harness.ts';
import { besideAnIdp, codeIn, type ScriptedIdp, type SsoHarness, type Tenant } from './sso.harness.ts';

describe("one tenant never decides about another's membership", () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let a: Tenant;
  let b: Tenant;
  besideAnIdp((made) => ({ idp, sso, tenant: a } = made));
  beforeEach(async () => {
    b = await sso.tenant();
  });

  it('ATK-05a: an enforcing organisation that only invites an address keeps no user from another tenant', async () => {
    await sso.provider(b, idp, { enforceSSO: true });
    const email = `${newId()}@corp.example`;
    const invite = ({ admin, orgId }: Tenant) =>
      sso.service
        .as(admin)
        .post('/users')
        .send({ email, name: 'P', membership: { scope: 'organization', orgId, roleId: ORG_VIEWER } });
    await invite(b);
    const first = await sso.identity.mailedToken(email);
    await invite(a);
    const token = await sso.identity.mailedToken(email, 1);
    expect((await sso.anonymous.post('/auth/accept-invite').send({ token: first, password: PASSWORD })).body.code).toBe(
      'sso_enforced',
    );
    const accepted = await sso.anonymous.post('/auth/accept-invite').send({ token, password: PASSWORD });
    expect(await sso.identity.principalOf(accepted.body.accessToken)).toMatchObject({ orgId: a.orgId });
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(200);
  });

  it('ATK-228: the preview of enforcement tells nothing of a link at a provider of another tenant', async () => {
    const { email, userId, providerId } = await person(false);
    await sso.service.sql(
      `INSERT INTO sso_identity_links (id, user_id, provider_id, partner_id, org_id, external_id, email, profile_sealed)
        VALUES ($1, $2, $3, $4, $5, 'x', $6, 'x')`,
      [newId(), userId, providerId, b.partnerId, b.orgId, email],
    );
    const own = await sso.provider(a, idp);
    const preview = (by: Tenant) => sso.service.as(by.admin).get(`/sso/providers/${own}/enforcement-preview`);
    const { users } = (await preview(a)).body.data as { users: { userId: string; reasons: string[] }[] };
    expect(users.find((user) => user.userId === userId)?.reasons).toEqual(['domain_not_verified', 'never_signed_in']);
    expect((await preview(b)).body).toMatchObject({ status: 404, code: 'sso_provider_not_found' });
  });

  it('ATK-05b: a person of A and B, of which B enforces, signs in to A with a password and never to B, and resets and changes it', async () => {
    const { email, membershipId } = await person(true);
    const { body } = await sso.identity.login(email, PASSWORD);
    expect(await sso.identity.principalOf(body.accessToken)).toMatchObject({ orgId: a.orgId });
    expect((await sso.identity.login(email, PASSWORD, { membershipId })).body).toMatchObject({
      status: 401,
      code: 'invalid_credentials',
    });
    const client = await sso.identity.holding(body.accessToken);
    expect(
      (
        await client
          .post('/auth/change-password')
          .send({ currentPassword: PASSWORD, newPassword: 'another uncommon phrase' })
      ).status,
    ).toBe(200);
    await sso.anonymous.post('/auth/forgot-password').send({ email });
    expect(
      (
        await sso.anonymous
          .post('/auth/reset-password')
          .send({ token: await sso.identity.mailedToken(email), password: PASSWORD })
      ).status,
    ).toBe(200);
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(200);
  });

  it('ATK-05b: enforcement that begins ends the password sessions of B and leaves those of A', async () => {
    const { email, membershipId, providerId } = await person(false);
    const home = (await sso.identity.login(email, PASSWORD)).body.memberships.find(
      ({ orgId }: { orgId: string }) => orgId === a.orgId,
    ).id as string;
    const [inA, inB] = [
      await sso.identity.login(email, PASSWORD, { membershipId: home }),
      await sso.identity.login(email, PASSWORD, { membershipId }),
    ];
    expect(
      (await sso.service.as(b.admin).patch(`/sso/providers/${providerId}?force=true`).send({ enforceSSO: true }))
        .status,
    ).toBe(200);
    expect([
      await sso.identity.introspect(inA.body.accessToken),
      await sso.identity.introspect(inB.body.accessToken),
    ]).toMatchObject([{ active: true }, { active: false }]);
  });

  it("ATK-05c: a session that B's provider opened changes no factor and no password of a person who also belongs to A", async () => {
    const { email, userId, providerId } = await person(false, true);
    await sso.service.sql(
      `INSERT INTO sso_identity_links (id, user_id, provider_id, partner_id, org_id, external_id, email, profile_sealed)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 'x')`,
      [newId(), userId, providerId, b.partnerId, b.orgId, email, email],
    );
    idp.identity = { sub: email, email, email_verified: true, name: 'P', amr: ['mfa'] };
    const opened = (await sso.exchange(codeIn(await sso.signIn(b)))).body as { accessToken: string };
    const confined = await sso.identity.holding(opened.accessToken);
    const attempts = [
      await confined.post('/auth/mfa/totp/enroll'),
      await confined.post('/auth/mfa/totp/confirm').send({ code: '000000' }),
      await confined.post('/auth/mfa/webauthn/register/options'),
      await confined.post('/auth/mfa/recovery-codes'),
      await confined.delete(`/auth/mfa/factors/${newId()}`),
      await confined
        .post('/auth/change-password')
        .send({ currentPassword: PASSWORD, newPassword: 'another uncommon phrase' }),
    ];
    expect(attempts.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      attempts.map(() => '403 permission_denied'),
    );
    const [home] = (await sso.identity.login(email, PASSWORD)).body.memberships as { id: string; orgId: string }[];
    const own = await sso.identity.holding(
      (await sso.identity.login(email, PASSWORD, { membershipId: home?.id })).body.accessToken,
    );
    const { secret } = (await own.post('/auth/mfa/totp/enroll')).body as { secret: string };
    expect((await own.post('/auth/mfa/totp/confirm').send({ code: totp(secret) })).status).toBe(200);
  });

  it('ATK-05d: a suspension by one tenant holds there alone', async () => {
    const { email, userId, membershipId } = await person(false);
    const opened = await sso.identity.login(email, PASSWORD, { membershipId });
    const patch = (status: string, by = sso.service.as(b.admin)) => by.patch(`/users/${userId}`).send({ status });
    const statusFor = async ({ admin }: Tenant) =>
      (await sso.service.as(admin).get(`/users/${userId}`)).body.data.status;
    expect((await patch('suspended')).body.data).toMatchObject({ status: 'suspended' });
    expect(await sso.identity.introspect(opened.body.accessToken)).toMatchObject({ active: false });
    expect([await statusFor(b), await statusFor(a)]).toEqual(['suspended', 'active']);
    expect(await sso.identity.principalOf((await sso.identity.login(email, PASSWORD)).body.accessToken)).toMatchObject({
      orgId: a.orgId,
    });
    expect((await sso.service.as(b.admin).patch(`/users/${userId}`).send({ name: 'Renamed' })).body.code).toBe(
      'partner_access_denied',
    );
    expect((await patch('active')).body.data).toMatchObject({ status: 'active' });
    expect((await patch('suspended', sso.service.as(aSystemAdmin()))).status).toBe(200);
    expect((await patch('active')).body.data).toMatchObject({ status: 'suspended' });
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(401);
  });

  it('ATK-07a: the preview of enforcement shows a partner user with selected organisations no people beyond them', async () => {
    const created = await sso.service.as(a.admin).post('/sso/providers').send({
      ownerScope: 'partner',
      name: 'Staff',
      type: 'oidc',
      issuer: idp.issuer,
      clientId: idp.clientId,
      clientSecret: idp.clientSecret,
    });
    expect(created.status).toBe(201);
    const preview = (principal: object) =>
      sso.service
        .as(aPartnerAdmin(a.partnerId, principal))
        .get(`/sso/providers/${created.body.data.id}/enforcement-preview`);
    expect((await preview({})).body.data.users.length).toBeGreaterThan(0);
    expect((await preview({ orgs: [a.orgId] })).status).toBe(403);
    expect((await sso.service.as(aPartnerAdmin(a.partnerId, { orgs: [a.orgId] })).get('/users')).body.data).toEqual([]);
  });

  it('ATK-07b: an API key suspends, deletes and moves no user', async () => {
    const { userId } = await person(false);
    const key = sso.service.as(anApiKey({ level: 'partner', partnerId: a.partnerId }));
    const attempts = [
      await key.patch(`/users/${userId}`).send({ status: 'suspended' }),
      await key
        .patch(`/users/${userId}`)
        .send({ membership: { scope: 'organization', orgId: a.orgId, roleId: ORG_VIEWER } }),
      await key.delete(`/users/${userId}`),
      await key.delete(`/users/${userId}/mfa`),
    ];
    expect(attempts.map(({ body }) => body.code)).toEqual(attempts.map(() => 'mfa_required'));
  });

  /** A person of A and B; B has an active provider. */
  async function person(enforceSSO: boolean, trustsIdpMfa = false) {
    const email = `${newId()}@corp.example`;
    const { userId } = await sso.user({ email, partnerId: a.partnerId, orgId: a.orgId, password: PASSWORD });
    const membershipId = newId();
    await sso.service.sql(
      `INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
        VALUES ($1, $2, 'organization', $3, $4, $5)`,
      [membershipId, userId, b.partnerId, b.orgId, ORG_VIEWER],
    );
    const providerId = await sso.provider(b, idp, { enforceSSO, trustsIdpMfa });
    return { email, userId, membershipId, providerId };
  }
});

const PASSWORD = 'an uncommon pass phrase';
const ORG_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;
