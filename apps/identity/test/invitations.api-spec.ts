import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { OrganizationChanged, type OrganizationState } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdentityHarness } from './identity.harness.ts';

describe('an invitation of a user of another tenant', () => {
  let identity: IdentityHarness;
  let partnerId: string;
  let home: string;
  let counter = 0;
  beforeAll(async () => {
    identity = await IdentityHarness.start();
    partnerId = await identity.partner();
    home = await identity.partner();
    for (const partner of [partnerId, home]) bosses.set(partner, await identity.administratorOf(partner));
  });
  afterAll(() => identity.stop());

  it('IDY-195 tells the holder of its link who invites whom to what, and no one else', async () => {
    const orgId = await identity.org(partnerId);
    const read = async (token: string) => (await identity.anonymous.post('/auth/invitation').send({ token })).body;
    const sql = 'SELECT name FROM org_ref WHERE org_id = $1';
    const place = (await identity.service.sql<{ name: string }>(sql, [orgId]))[0]?.name;
    const invitedBy = aPartnerAdmin(partnerId).name;
    const email = `invited${++counter}@example.test`;
    await invite(email, orgId);
    const token = await identity.mailedToken(email);
    expect(await read(token)).toEqual({ email, name: 'P', invitedBy, place, hasPassword: false });
    expect(await read('x'.repeat(43))).toMatchObject({ status: 400, code: 'invitation_invalid' });
    expect((await accept(token)).status).toBe(200);
    expect(await read(token)).toMatchObject({ status: 400, code: 'invitation_invalid' });

    const known = await invited(orgId);
    expect(await read(known.token)).toMatchObject({ place, hasPassword: true });
  });

  it.each(['archived', 'merging'] as const)(
    'waits while the organisation is %s, and writes nothing',
    async (status) => {
      const orgId = await identity.org(partnerId);
      const { userId, homeOrg, token } = await invited(orgId);
      await becomes(orgId, 2, { status });
      expect((await accept(token)).body).toMatchObject({ status: 409, code: 'organization_frozen' });
      expect(await orgsOf(userId)).toEqual([homeOrg]);
      await becomes(orgId, 3, { status: 'active' });
      const accepted = await accept(token);
      expect(await identity.principalOf(accepted.body.accessToken)).toMatchObject({ orgId });
    },
  );

  it('ends with the organisation, and signs its user in nowhere else', async () => {
    const orgId = await identity.org(partnerId);
    const { userId, homeOrg, token } = await invited(orgId);
    await identity.service.sql('UPDATE org_ref SET deleted = true WHERE org_id = $1', [orgId]);
    expect((await accept(token)).body).toMatchObject({ status: 400, code: 'invitation_invalid' });
    expect(await orgsOf(userId)).toEqual([homeOrg]);
    await becomes(orgId, 2, { status: 'purging', deleted: true });
    expect(await invitationsOf(userId)).toEqual([]);
    expect((await accept(token)).body).toMatchObject({ status: 400, code: 'invitation_invalid' });
  });

  it('keeps the role that it brings from being deleted until it is withdrawn', async () => {
    const orgId = await identity.org(partnerId);
    const admin = identity.service.as(aPartnerAdmin(partnerId));
    const roleId: string = (
      await admin
        .post('/roles')
        .send({ name: 'Short-lived', axis: 'organization', orgId, permissions: ['devices:read'] })
    ).body.data.id;
    const { userId, homeOrg, token } = await invited(orgId, roleId);
    expect((await admin.delete(`/roles/${roleId}`)).body.code).toBe('role_in_use');
    const [offer] = await identity.service.sql<{ id: string }>('SELECT id FROM membership_offers WHERE role_id = $1', [
      roleId,
    ]);
    expect((await admin.delete(`/users/${offer?.id}/invitation`)).body).toEqual({ success: true });
    expect((await admin.delete(`/roles/${roleId}`)).status).toBe(200);
    expect((await accept(token)).body).toMatchObject({ status: 400, code: 'invitation_invalid' });
    expect(await orgsOf(userId)).toEqual([homeOrg]);
  });

  it('leads to the survivor once the organisation was merged into it', async () => {
    const [orgId, survivor] = [await identity.org(partnerId), await identity.org(partnerId)];
    const [{ userId, homeOrg, token }, other] = [await invited(orgId), await invited(survivor)];
    await becomes(orgId, 2, { status: 'merging', mergedIntoId: null });
    await becomes(orgId, 3, { status: 'churned', deleted: true, mergedIntoId: survivor });
    const accepted = await accept(token);
    expect(await identity.principalOf(accepted.body.accessToken)).toMatchObject({ orgId: survivor });
    expect(await orgsOf(userId)).toEqual([homeOrg, survivor]);
    expect(await invitationsOf(other.userId)).toHaveLength(1);
  });

  const bosses = new Map<string, string>();

  const invite = (email: string, orgId: string, { partner = partnerId, roleId = ORG_VIEWER } = {}) =>
    identity.service
      .as(aPartnerAdmin(partner, { userId: bosses.get(partner) ?? '' }))
      .post('/users')
      .send({ email, name: 'P', membership: { scope: 'organization', orgId, roleId } });
  const accept = (token: string) => identity.anonymous.post('/auth/accept-invite').send({ token, password: PASSWORD });
  const becomes = (orgId: string, version: number, state: Partial<OrganizationState>) =>
    identity.service.deliver(OrganizationChanged, {
      orgId,
      partnerId,
      name: 'Org',
      status: 'active',
      deleted: false,
      mergedIntoId: null,
      version,
      ...state,
    });
  const orgsOf = async (userId: string): Promise<string[]> =>
    (
      await identity.service.sql<{ org_id: string }>(
        'SELECT org_id FROM memberships WHERE user_id = $1 ORDER BY created_at',
        [userId],
      )
    ).map((row) => row.org_id);
  const invitationsOf = (userId: string) =>
    identity.service.sql('SELECT FROM membership_offers o JOIN users u USING (email) WHERE u.id = $1', [userId]);

  async function invited(
    orgId: string,
    roleId = ORG_VIEWER,
  ): Promise<{ userId: string; token: string; homeOrg: string }> {
    const [email, homeOrg] = [`invited${++counter}@example.test`, await identity.org(home)];
    const userId: string = (await invite(email, homeOrg, { partner: home })).body.data.id;
    expect((await accept(await identity.mailedToken(email))).status).toBe(200);
    expect((await invite(email, orgId, { roleId })).status).toBe(201);
    return { userId, homeOrg, token: await identity.mailedToken(email, 1) };
  }
});

describe('break-glass people', () => {
  let identity: IdentityHarness;
  let partnerId: string;
  let counter = 0;
  beforeAll(async () => {
    identity = await IdentityHarness.start();
    partnerId = await identity.partner();
    bosses.set(partnerId, await identity.administratorOf(partnerId));
  });
  afterAll(() => identity.stop());

  it('are no third for an owner by being invited or moved there', async () => {
    const [full, elsewhere] = [await identity.org(partnerId), await identity.org(partnerId)];
    const [first] = [await breakGlass(full), await breakGlass(full)];
    const third = await breakGlass(elsewhere);
    expect((await invite(third.email, full)).body).toMatchObject({ status: 409, code: 'break_glass_limit_reached' });
    expect((await patch(third.id, { membership: viewerOf(full) })).body.code).toBe('break_glass_limit_reached');
    expect((await patch(third.id, { breakGlass: false, membership: viewerOf(full) })).status).toBe(200);
    expect((await patch(third.id, { breakGlass: true })).body.code).toBe('break_glass_limit_reached');
    expect((await patch(third.id, { breakGlass: true, membership: viewerOf(elsewhere) })).status).toBe(200);
    expect((await patch(first.id, { membership: viewerOf(elsewhere) })).status).toBe(200);
    expect((await patch(third.id, { membership: viewerOf(full) })).status).toBe(200);
  });

  it('who are a third by a merge may be given another role there', async () => {
    const merged = await identity.org(partnerId);
    const [first] = [await breakGlass(merged), await breakGlass(merged)];
    const third = await breakGlass(await identity.org(partnerId));
    expect((await invite(third.email, merged)).body.code).toBe('break_glass_limit_reached');
    await identity.service.sql('UPDATE memberships SET org_id = $2 WHERE user_id = $1', [third.id, merged]);
    expect((await patch(first.id, { membership: viewerOf(merged) })).status).toBe(200);
  });

  it('are no third for an owner of another tenant by accepting its invitation', async () => {
    const [other, mine] = [await identity.partner(), await identity.org(partnerId)];
    bosses.set(other, await identity.administratorOf(other));
    const theirs = await identity.org(other);
    for (const { email } of [await breakGlass(mine), await breakGlass(mine)]) {
      await identity.service.sql(
        `INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
          SELECT $1, id, 'organization', $2, $3, $4 FROM users WHERE email = $5`,
        [newId(), other, theirs, ORG_VIEWER, email],
      );
    }
    const third = await breakGlass(await identity.org(partnerId));
    expect((await invite(third.email, theirs, other)).status).toBe(201);
    const token = await identity.mailedToken(third.email, 1);
    expect(
      (await identity.anonymous.post('/auth/accept-invite').send({ token, password: PASSWORD })).body,
    ).toMatchObject({ status: 409, code: 'break_glass_limit_reached' });
    expect(await identity.service.sql('SELECT FROM memberships WHERE user_id = $1', [third.id])).toHaveLength(1);
  });

  const bosses = new Map<string, string>();
  const admin = (partner = partnerId) =>
    identity.service.as(aPartnerAdmin(partner, { userId: bosses.get(partner) ?? newId() }));
  const viewerOf = (orgId: string) => ({ scope: 'organization', orgId, roleId: ORG_VIEWER });
  const invite = (email: string, orgId: string, partner = partnerId) =>
    admin(partner)
      .post('/users')
      .send({ email, name: 'P', membership: viewerOf(orgId) });
  const patch = (id: string, changes: object) => admin().patch(`/users/${id}`).send(changes);

  async function breakGlass(orgId: string): Promise<{ id: string; email: string }> {
    const email = `glass${++counter}@example.test`;
    const { id } = (await invite(email, orgId)).body.data as { id: string };
    expect(
      (
        await identity.anonymous
          .post('/auth/accept-invite')
          .send({ token: await identity.mailedToken(email), password: PASSWORD })
      ).status,
    ).toBe(200);
    await identity.service.sql(
      `INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed, confirmed_at)
        VALUES ($1, $2, 'totp', 'x', 'x', now())`,
      [newId(), id],
    );
    expect((await patch(id, { breakGlass: true })).status).toBe(200);
    return { id, email };
  }
});

const ORG_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;
const PASSWORD = 'an uncommon pass phrase';
