import { newId } from '@gatehouse/crypto';
import { anOrgAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { created, Tenancy } from './tenancy.harness.ts';

const tenancy = await Tenancy.start();
const partnerId = (await tenancy.partner()).id;
const orgId = (await tenancy.organization(partnerId)).id;
const siteId = (await tenancy.site(partnerId, orgId)).id;
const device = await tenancy.device((await tenancy.enrollmentKey(partnerId, orgId, { siteId })).key);
afterAll(() => tenancy.stop());

describe('configuration policies', () => {
  it('resolve through the hierarchy, the closest level deciding, and agents read the same', async () => {
    const [off, on] = [await policy(false), await policy(true, { ownerScope: 'organization', orgId })];
    expect(await effective()).toEqual({ uacInterceptionEnabled: true, source: null });
    const ofPartner = await assign(off, 'partner', partnerId);
    expect(ofPartner.status).toBe(201);
    expect(await effective()).toEqual({ uacInterceptionEnabled: false, source: { level: 'partner', policyId: off } });
    await assign(on, 'organization', orgId);
    expect(await effective()).toEqual({
      uacInterceptionEnabled: true,
      source: { level: 'organization', policyId: on },
    });
    const ofSite = await assign(off, 'site', siteId);
    expect(await effective()).toMatchObject({ source: { level: 'site', policyId: off } });
    const group = created<{ data: { id: string } }>(await admin.post('/device-groups').send({ orgId, name: 'G' })).data
      .id;
    await admin.post(`/device-groups/${group}/devices`).send({ deviceIds: [device.deviceId] });
    await assign(on, 'group', group);
    expect(await effective()).toMatchObject({ source: { level: 'group', policyId: on } });
    const own = (await assign(off, 'device', device.deviceId)).body.data;
    expect(await effective()).toMatchObject({ source: { level: 'device', policyId: off } });
    expect(
      (await tenancy.service.asAgent(device.agentToken).get(`/agents/${device.deviceId}/config`)).body.pam,
    ).toEqual(await effective());
    expect((await admin.delete(`/configuration-policies/${off}/assignments/${own.id}`)).body).toEqual({
      success: true,
    });
    expect(await effective()).toMatchObject({ source: { level: 'group' } });
    await admin.delete(`/configuration-policies/${on}`);
    expect(await effective()).toMatchObject({ source: { level: 'site', policyId: off } });
    expect((await admin.get(`/configuration-policies/${off}`)).body.data).toMatchObject({
      partnerId,
      ownerScope: 'partner',
      orgId: null,
      assignments: [ofPartner.body.data, ofSite.body.data],
    });
  });

  it('are recorded with what each change replaced (AUD-50)', async () => {
    const id = await policy(true);
    await admin.patch(`/configuration-policies/${id}`).send({ features: { pam: { uacInterceptionEnabled: false } } });
    const assignment = (await assign(id, 'site', siteId)).body.data;
    await admin.delete(`/configuration-policies/${id}/assignments/${assignment.id}`);
    await admin.delete(`/configuration-policies/${id}`);
    const changes = async (verb: string) => {
      const entries = await tenancy.service.audits(`configuration_policy.${verb}`);
      return entries.find(({ resource }) => resource.id === id)?.details['changes'];
    };
    const [on, off] = [true, false].map((uacInterceptionEnabled) => ({ pam: { uacInterceptionEnabled } }));
    expect(await changes('create')).toMatchObject({ features: { before: null, after: on } });
    expect(await changes('update')).toEqual({ features: { before: on, after: off } });
    expect(await changes('assign')).toMatchObject({ targetId: { before: null, after: siteId } });
    expect(await changes('unassign')).toMatchObject({ targetId: { before: siteId, after: null } });
    expect(await changes('delete')).toMatchObject({ features: { before: off, after: null } });
  });

  it('of one organisation apply to that organisation only', async () => {
    const other = await tenancy.organization(partnerId);
    const own = await policy(true, { ownerScope: 'organization', orgId });
    expect((await assign(own, 'organization', other.id)).body).toMatchObject({ status: 400, code: 'target_not_found' });
    expect((await assign(own, 'partner', partnerId)).body).toMatchObject({ status: 400, code: 'target_not_found' });
    expect((await assign(own, 'device', newId())).body).toMatchObject({ status: 400, code: 'target_not_found' });
  });

  it('of the whole partner are made and changed only with access to all its organisations', async () => {
    const shared = await policy(true);
    const draft = { name: 'x', ownerScope: 'partner', features: {} };
    for (const client of [tenancy.as(anOrgAdmin(partnerId, orgId)), tenancy.admin(partnerId, { orgs: [orgId] })]) {
      expect((await client.post('/configuration-policies').send(draft)).body).toMatchObject({
        status: 403,
        code: 'scope_denied',
      });
      expect((await client.patch(`/configuration-policies/${shared}`).send({ name: 'y' })).body).toMatchObject({
        status: 403,
        code: 'scope_denied',
      });
      expect((await client.get(`/configuration-policies/${shared}`)).status).toBe(200);
      expect((await assign(shared, 'organization', orgId, client)).status).toBe(201);
    }
  });

  it('are 404 for another partner and another organisation', async () => {
    const [shared, own] = [await policy(true), await policy(true, { ownerScope: 'organization', orgId })];
    const other = await tenancy.organization(partnerId);
    const stranger = tenancy.admin((await tenancy.partner()).id);
    for (const id of [shared, own])
      expect((await stranger.get(`/configuration-policies/${id}`)).body).toMatchObject({
        status: 404,
        code: 'configuration_policy_not_found',
      });
    expect((await tenancy.as(anOrgAdmin(partnerId, other.id)).delete(`/configuration-policies/${own}`)).status).toBe(
      404,
    );
    expect((await stranger.get('/configuration-policies')).body.pagination.total).toBe(0);
  });
});

const admin = tenancy.admin(partnerId);

const policy = async (uacInterceptionEnabled: boolean, fields: object = { ownerScope: 'partner' }, client = admin) =>
  created<{ data: { id: string } }>(
    await client
      .post('/configuration-policies')
      .send({ name: 'Policy', features: { pam: { uacInterceptionEnabled } }, ...fields }),
  ).data.id;
const assign = (id: string, level: string, targetId: string, client = admin) =>
  client.post(`/configuration-policies/${id}/assignments`).send({ level, targetId });
const effective = async () => (await admin.get(`/devices/${device.deviceId}/effective-configuration`)).body.pam;
