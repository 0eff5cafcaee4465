import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { TechnicianChanged } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, aSystemAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { IdentityHarness } from './identity.harness.ts';

const identity = await IdentityHarness.start();
const partnerId = await identity.partner();
afterAll(() => identity.stop());

describe('roles', () => {
  it('are made in no organisation of another partner than the one that is named', async () => {
    const [mine, other] = [await identity.partner(), await identity.partner()];
    const orgId = await identity.org(mine);
    const role = { name: 'Desk', axis: 'organization', permissions: ['devices:read'], orgId };
    const system = identity.service.as(aSystemAdmin());
    const make = (named: string) => system.post('/roles').send({ ...role, partnerId: named });
    expect((await make(other)).body).toMatchObject({ status: 404, code: 'organization_not_found' });
    expect((await make(mine)).body.data).toMatchObject({ partnerId: mine, orgId });
  });

  it('of the product are there for everybody, by axis', async () => {
    const { body } = await admin().get('/roles?axis=organization');
    expect(body.data.map((role: { name: string }) => role.name).sort()).toEqual([
      'Organization Admin',
      'Organization Technician',
      'Organization Viewer',
    ]);
    expect(body.data[0]).toMatchObject({
      id: expect.any(String),
      axis: 'organization',
      permissions: expect.any(Array),
      system: true,
    });
    expect((await admin().get('/roles')).body.data).toHaveLength(6);
  });

  it('are made, changed and deleted by who holds what they hold', async () => {
    const made = await admin()
      .post('/roles')
      .send({ name: 'Helpdesk', axis: 'partner', permissions: ['devices:read', 'organizations:read'] });
    expect(made.status).toBe(201);
    const weak = identity.service.as(
      aPartnerAdmin(partnerId, { permissions: ['users:read', 'users:write', 'organizations:write'] }),
    );
    const strong = await weak
      .post('/roles')
      .send({ name: 'Strong', axis: 'partner', permissions: ['users:read', '*'] });
    expect(strong.body).toMatchObject({ status: 403, code: 'role_not_grantable', missing: ['*'] });
    expect((await weak.patch(`/roles/${made.body.data.id}`).send({ permissions: ['users:read'] })).body.code).toBe(
      'role_not_grantable',
    );
    expect(
      (
        await admin()
          .post('/roles')
          .send({ name: 'Helpdesk', axis: 'partner', permissions: ['devices:read'] })
      ).body.code,
    ).toBe('name_taken');
    expect((await admin().patch(`/roles/${made.body.data.id}`).send({ name: 'Help desk' })).body.data).toMatchObject({
      name: 'Help desk',
      permissions: ['devices:read', 'organizations:read'],
    });
    expect(
      (
        await identity.service
          .as(aPartnerAdmin(await identity.partner()))
          .patch(`/roles/${made.body.data.id}`)
          .send({ name: 'x' })
      ).status,
    ).toBe(404);
    expect((await admin().patch(`/roles/${SYSTEM_ROLES[0]?.id}`).send({ name: 'x' })).body.code).toBe(
      'permission_denied',
    );
    const boss = identity.service.as(aPartnerAdmin(partnerId, { userId: await identity.administratorOf(partnerId) }));
    await boss.post('/users').send({
      email: 'holder@example.test',
      name: 'Holder',
      membership: { scope: 'partner', roleId: made.body.data.id },
    });
    expect((await admin().delete(`/roles/${made.body.data.id}`)).body.code).toBe('role_in_use');
    await identity.service.sql(
      `INSERT INTO memberships (id, user_id, level, partner_id, role_id) VALUES ($1, $2, 'partner', $3, $4)`,
      [newId(), await identity.administratorOf(await identity.partner()), partnerId, made.body.data.id],
    );
    await admin()
      .patch(`/roles/${made.body.data.id}`)
      .send({ permissions: ['devices:read'] });
    expect(
      (await identity.service.emitted(TechnicianChanged))
        .at(-1)
        ?.data.reaches.find((reach) => reach.partnerId === partnerId)?.permissions,
    ).toEqual(['devices:read']);
    expect((await identity.service.audits('role.update')).map(({ result }) => result)).toEqual([
      'denied',
      'success',
      'denied',
      'success',
    ]);
  });

  it('AUD-50 audits a role with its permissions before and after, also when it is made and deleted', async () => {
    const { body } = await admin()
      .post('/roles')
      .send({ name: 'Traced', axis: 'partner', permissions: ['devices:read'] });
    const { id } = body.data;
    const permissions = ['devices:read', 'devices:write'];
    for (let at = 0; at < 2; at++)
      expect((await admin().patch(`/roles/${id}`).send({ permissions })).body.data.version).toBe(2);
    await admin().delete(`/roles/${id}`);
    const permissionsIn = async (action: 'role.create' | 'role.update' | 'role.delete') => {
      const entry = (await identity.service.audits(action)).find(({ resource }) => resource.id === id);
      return (entry?.details['changes'] as { permissions: unknown }).permissions;
    };
    expect(await permissionsIn('role.create')).toEqual({ before: null, after: ['devices:read'] });
    expect(await permissionsIn('role.update')).toEqual({
      before: ['devices:read'],
      after: ['devices:read', 'devices:write'],
    });
    expect(await permissionsIn('role.delete')).toEqual({ before: ['devices:read', 'devices:write'], after: null });
  });

  const admin = () => identity.service.as(aPartnerAdmin(partnerId));
});
