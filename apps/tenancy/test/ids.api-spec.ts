import { anOrgAdmin } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { besideTenancy, created, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
besideTenancy((started) => (tenancy = started));

describe('ids in upper case', () => {
  it('are the same in path, query and body as in lower case, and come back in lower case', async () => {
    const partnerId = (await tenancy.partner()).id;
    const admin = tenancy.admin(partnerId);
    const { id: orgId } = await tenancy.organization(partnerId, { partnerId: upper(partnerId) });
    expect((await admin.get(`/orgs/organizations?partnerId=${upper(partnerId)}`)).body).toMatchObject({
      data: [{ id: orgId, partnerId }],
      pagination: { total: 1 },
    });
    const { id: siteId } = await tenancy.site(partnerId, upper(orgId));
    const confined = tenancy.as(anOrgAdmin(partnerId, orgId, { sites: [siteId] }));
    const key = created<{ key: string; siteId: string }>(
      await confined.post('/enrollment-keys').send({ orgId: upper(orgId), siteId: upper(siteId), name: 'Key' }),
    );
    expect(key.siteId).toBe(siteId);
    expect(
      (await confined.post(`/orgs/organizations/${upper(orgId)}/contacts`).send({ name: 'x', siteId: upper(siteId) }))
        .body.data,
    ).toMatchObject({ orgId, siteId });
    expect(
      (
        await confined
          .post('/orgs/contacts/import')
          .send({ rows: [{ organizationId: upper(orgId), site: upper(siteId), name: 'y' }] })
      ).body,
    ).toMatchObject({ imported: [{ index: 0, organizationId: orgId }], errors: [] });

    const { deviceId, agentToken } = await tenancy.device(key.key);
    expect((await tenancy.service.asAgent(agentToken).get(`/agents/${upper(deviceId)}/config`)).status).toBe(200);
    expect((await confined.patch(`/devices/${upper(deviceId)}`).send({ displayName: 'x' })).body).toMatchObject({
      id: deviceId,
      displayName: 'x',
    });
    const policy = created<{ data: { id: string } }>(
      await admin.post('/configuration-policies').send({ name: 'Policy', ownerScope: 'partner', features: {} }),
    ).data.id;
    for (const [level, targetId] of [
      ['partner', partnerId],
      ['organization', orgId],
      ['device', deviceId],
    ] as const) {
      expect(
        (
          await admin
            .post(`/configuration-policies/${upper(policy)}/assignments`)
            .send({ level, targetId: upper(targetId) })
        ).body.data,
      ).toMatchObject({ policyId: policy, targetId });
    }
  });
});

const upper = (id: string): string => id.toUpperCase();
