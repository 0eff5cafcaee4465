import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { PrincipalsChanged, TechnicianChanged } from '@gatehouse/contracts-identity';
import { PartnerChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin, aSystemAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ADMIN, IdentityHarness } from './identity.harness.ts';

const identity = await IdentityHarness.start();
afterAll(() => identity.stop());

describe('the identity database', () => {
  it('shows no people, memberships, roles of tenants or keys without a tenant context', async () => {
    const partnerId = await identity.partner();
    await identity.service
      .as(aPartnerAdmin(partnerId))
      .post('/users')
      .send({ email: 'hidden@example.test', name: 'Hidden', membership: { scope: 'partner', roleId: PARTNER_ADMIN } });
    const { requests } = identity.service.service.platform.store ?? {};
    const people = ['membership_offers', 'invitation_mails', 'users', 'memberships', 'live_memberships', 'api_keys'];
    for (const table of [...people, 'partner_ref', 'org_ref', 'site_ref'])
      expect(await requests?.query(`SELECT * FROM ${table}`)).toEqual([]);
    expect(
      ((await requests?.query('SELECT * FROM roles')) as { system: boolean }[]).every(({ system }) => system),
    ).toBe(true);
    await expect(
      requests?.query(
        `INSERT INTO memberships (id, user_id, level, partner_id, role_id)
          VALUES (gen_random_uuid(), gen_random_uuid(), 'partner', gen_random_uuid(), $1)`,
        [PARTNER_ADMIN],
      ),
    ).rejects.toThrow('row-level security');
  });

  it('lets an administrator who is confined to sites look at what the whole organisation signs in to, and change none of it', async () => {
    const partnerId = await identity.partner();
    const orgId = await identity.org(partnerId);
    const admin = identity.service.as(anOrgAdmin(partnerId, orgId));
    const confined = identity.service.as(anOrgAdmin(partnerId, orgId, { sites: [newId()] }));
    const provider = { name: 'Acme', type: 'oidc', issuer: 'https://idp.example', clientId: 'gatehouse' };
    const role = { name: 'Desk', axis: 'organization', permissions: ['devices:read'] };
    const providerId = (await admin.post('/sso/providers').send(provider)).body.data.id as string;
    const domainId = (await admin.post('/sso/domains').send({ domain: 'confined.example' })).body.data.id as string;
    const id = (await admin.post('/roles').send(role)).body.data.id as string;
    const refused = [
      await confined.post('/sso/providers').send(provider),
      await confined.patch(`/sso/providers/${providerId}`).send({ enforceSSO: true }),
      await confined.post(`/sso/providers/${providerId}/status`).send({ status: 'testing' }),
      await confined.post(`/sso/providers/${providerId}/test`).send({}),
      await confined.delete(`/sso/providers/${providerId}`),
      await confined.post('/sso/domains').send({ domain: 'other.example' }),
      await confined.post(`/sso/domains/${domainId}/verify`).send({}),
      await confined.delete(`/sso/domains/${domainId}`),
      await confined.post('/roles').send({ ...role, name: 'Own' }),
      await confined.patch(`/roles/${id}`).send({ name: 'Mine' }),
      await confined.delete(`/roles/${id}`),
    ];
    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      refused.map(() => '403 site_access_denied'),
    );
    const { data } = (await confined.get(`/sso/providers/${providerId}`)).body;
    expect(data).toMatchObject({ enforceSSO: false, status: 'inactive' });
    expect((await admin.get('/roles?axis=organization')).body.data).toContainEqual(
      expect.objectContaining({ id, permissions: ['devices:read'] }),
    );
  });

  it('TEN-08 shows a deleted organisation’s things to the system alone', async () => {
    const partnerId = await identity.partner();
    const orgId = await identity.org(partnerId);
    const { service } = identity;
    const [partner, system] = [service.as(aPartnerAdmin(partnerId)), service.as(aSystemAdmin())];
    const bodies = {
      '/sso/providers': { name: 'Acme', type: 'oidc' },
      '/sso/domains': { domain: 'gone.example' },
      '/sso/setup-links': {},
      '/roles': { name: 'Desk', axis: 'organization', permissions: ['devices:read'] },
    };
    const things: [string, string][] = [];
    for (const [path, body] of Object.entries(bodies))
      things.push([path, (await partner.post(path).send({ orgId, ...body })).body.data.id]);
    await service.sql('UPDATE org_ref SET deleted = true WHERE org_id = $1', [orgId]);
    for (const [path, id] of things) {
      expect(JSON.stringify((await partner.get(path)).body)).not.toContain(id);
      expect([path, (await partner.delete(`${path}/${id}`)).status]).toEqual([path, 404]);
      expect((await system.delete(`${path}/${id}`)).body.code).toBe('organization_frozen');
      expect(JSON.stringify((await system.get(path)).body)).toContain(id);
    }
  });

  it('TEN-08 shows the people and keys of a deleted organisation to the system alone', async () => {
    const partnerId = await identity.partner();
    const [orgId, other] = [await identity.org(partnerId), await identity.org(partnerId)];
    const { service } = identity;
    const [partner, system] = [service.as(aPartnerAdmin(partnerId)), service.as(aSystemAdmin())];
    const roleId = SYSTEM_ROLES.find(({ name }) => name === 'Organization Admin')?.id;
    const [gone, both] = [`${newId()}@gone.example`, `${newId()}@both.example`];
    const { userId, membershipId } = await identity.member(gone, { partnerId, orgId, roleId });
    for (const place of [orgId, other]) await identity.member(both, { partnerId, orgId: place, roleId });
    await service.sql(
      `INSERT INTO api_keys (id, user_id, membership_id, partner_id, org_id, name, key_hash, hint, permissions)
        VALUES ($1::uuid, $2, $3, $4, $5, 'Key of the deleted', $1::text, 'ghk_', '{}')`,
      [newId(), userId, membershipId, partnerId, orgId],
    );
    await service.sql('UPDATE org_ref SET deleted = true WHERE org_id = $1', [orgId]);
    const seen = async (by: typeof partner) => [
      (await by.get(`/users?search=${gone}`)).body.pagination.total,
      (await by.get(`/users/${userId}`)).status,
      JSON.stringify((await by.get('/api-keys')).body).includes('Key of the deleted'),
      (await by.get(`/users?search=${both}`)).body.data[0].memberships.length,
    ];
    expect([await seen(partner), await seen(system)]).toEqual([
      [0, 404, false, 1],
      [1, 200, true, 2],
    ]);
    expect((await partner.delete(`/users/${userId}`)).status).toBe(200);
  });

  it('ATK-32c lets not even the system change what belongs to an organisation of a deleted partner', async () => {
    const partnerId = await identity.partner();
    const orgId = await identity.org(partnerId);
    const system = identity.service.as(aSystemAdmin());
    const provider = { orgId, name: 'Acme', type: 'oidc' };
    const domain = { orgId, domain: 'left.example' };
    const providers = '/sso/providers';
    const id = String((await system.post(providers).send(provider).expect(201)).body.data.id);
    const state = { partnerId, name: 'P', slug: partnerId, status: 'active', version: 2 } as const;
    await identity.service.deliver(PartnerChanged, { ...state, deleted: true });
    const changes = [
      await system.post(providers).send({ ...provider, name: 'Late' }),
      await system.patch(`${providers}/${id}`).send({ name: 'Other' }),
      await system.delete(`${providers}/${id}`),
      await system.post('/sso/domains').send(domain),
    ];
    expect(changes.map(({ body }) => body.code)).toEqual(changes.map(() => 'organization_frozen'));
    expect((await system.get(`${providers}/${id}`)).body.data).toMatchObject({ id, name: 'Acme' });
  });

  it('ATK-32c lets the system change nothing of a deleted partner itself, but end access there', async () => {
    const { service } = identity;
    const partnerId = await identity.partner();
    const [partner, system] = [service.as(aPartnerAdmin(partnerId)), service.as(aSystemAdmin())];
    const person = `/users/${await identity.administratorOf(partnerId)}`;
    const role = { name: 'Desk', axis: 'partner', permissions: ['devices:read'] };
    const roleId = String((await partner.post('/roles').send(role).expect(201)).body.data.id);
    const own = { ownerScope: 'partner', name: 'Own', type: 'oidc' };
    const providerId = String((await partner.post('/sso/providers').send(own).expect(201)).body.data.id);
    const link = { ownerScope: 'partner' };
    const linkId = String((await partner.post('/sso/setup-links').send(link).expect(201)).body.data.id);
    const state = { partnerId, name: 'P', slug: partnerId, status: 'active', version: 2 } as const;
    await service.deliver(PartnerChanged, { ...state, deleted: true });
    const changes = [
      await system.patch(`/roles/${roleId}`).send({ permissions: ['devices:read', 'devices:write'] }),
      await system.delete(`/roles/${roleId}`),
      await system.patch(`/sso/providers/${providerId}`).send({ name: 'Other' }),
      await system.post(`/sso/providers/${providerId}/status`).send({ status: 'testing' }),
      await system.put(`/sso/providers/${providerId}/enforcement`).send({ stage: 'off' }),
      await system.delete(`/sso/providers/${providerId}`),
      await system.delete(`/sso/setup-links/${linkId}`),
      await system.patch(person).send({ name: 'Somebody Else' }),
      await system.patch(person).send({ status: 'active' }),
    ];
    expect(changes.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      changes.map(() => '404 partner_not_found'),
    );
    expect((await system.get(`/sso/providers/${providerId}`)).body.data).toMatchObject({ name: 'Own' });
    expect((await system.patch(person).send({ status: 'suspended' })).status).toBe(200);
    expect((await system.delete(person)).status).toBe(200);
  });

  it('refuses governed people’s passwords like wrong ones, mails them nothing and changes nothing for them (AUTH-11)', async () => {
    const session = await identity.login(ADMIN.email, ADMIN.password);
    await identity.anonymous.post('/auth/forgot-password').send({ email: ADMIN.email });
    const token = await identity.mailedToken(ADMIN.email);
    const governed = async (answer: string): Promise<void> => {
      for (const asked of ['is_membership_governed(membership uuid)', 'is_governed_everywhere(person uuid)'])
        await identity.service.sql(
          `CREATE OR REPLACE FUNCTION ${asked} RETURNS boolean LANGUAGE sql STABLE AS 'SELECT ${answer}'`,
        );
    };
    const wrong = await identity.login(ADMIN.email, 'not the password');
    await governed('true');
    for (let attempt = 0; attempt < 6; attempt++) {
      const right = await identity.login(ADMIN.email, ADMIN.password);
      expect({ ...right.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
    }
    expect(await identity.service.sql('SELECT failed_attempts FROM credentials')).toEqual([{ failed_attempts: 1 }]);
    const mails = identity.mails().length;
    expect((await identity.anonymous.post('/auth/forgot-password').send({ email: ADMIN.email })).body).toMatchObject({
      success: true,
    });
    expect(await identity.service.sql('SELECT * FROM mail_outbox')).toEqual([]);
    expect(identity.mails()).toHaveLength(mails);
    const newPassword = 'some other long phrase';
    const reset = await identity.anonymous.post('/auth/reset-password').send({ token, password: newPassword });
    expect(reset.body).toMatchObject({ success: true });
    expect(await identity.service.audits('user.password.reset')).toEqual([]);
    const client = await identity.holding(session.body.accessToken);
    const change = { currentPassword: ADMIN.password, newPassword };
    expect((await client.post('/auth/change-password').send(change)).body.code).toBe('sso_enforced');
    await governed('false');
    expect((await identity.login(ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('tells the gateway when a partner changes, and everybody’s state again when asked', async () => {
    const partnerId = await identity.partner();
    const boss = await identity.administratorOf(partnerId);
    const state = { partnerId, name: 'P', slug: partnerId, deleted: false, version: 2 };
    await identity.service.deliver(PartnerChanged, { ...state, status: 'suspended' });
    expect((await identity.service.emitted(PrincipalsChanged)).at(-1)?.data.userIds).toEqual([boss]);
    const before = (await identity.service.emitted(TechnicianChanged)).length;
    const { told } = (await identity.service.asService('operator').post('/internal/technicians/replay')).body;
    expect((await identity.service.emitted(TechnicianChanged)).length - before).toBe(told);
    expect(told).toBeGreaterThanOrEqual(2);
  });
});

const PARTNER_ADMIN = SYSTEM_ROLES[0]?.id;
