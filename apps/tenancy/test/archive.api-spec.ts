import { AgentUninstallRequested, OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { aSystemAdmin } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideTenancy, created, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
let partnerId: string;
let orgId: string;
besideTenancy((started) => (tenancy = started));
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  orgId = (await tenancy.organization(partnerId)).id;
});

describe('archiving an organisation', () => {
  it('keeps the data for 90 days by default, has agents removed, and publishes the change', async () => {
    const agent = await tenancy.device((await tenancy.enrollmentKey(partnerId, orgId)).key);
    const { status, body } = await archive();
    expect([status, body]).toEqual([
      200,
      { id: orgId, status: 'archived', archivedAt: expect.any(String), purgeAt: expect.any(String) },
    ]);
    expect(Date.parse(body.purgeAt) - Date.parse(body.archivedAt)).toBe(90 * DAY);
    expect((await tenancy.service.emitted(AgentUninstallRequested)).map(({ data }) => data)).toContainEqual({
      deviceId: agent.deviceId,
      orgId,
      partnerId,
      orgVersion: 2,
    });
    expect((await tenancy.service.emitted(OrganizationChanged)).at(-1)?.data).toMatchObject({
      orgId,
      status: 'archived',
      version: 2,
    });
    expect((await tenancy.service.audits('organization.archive')).at(-1)).toMatchObject({
      partnerId,
      orgId,
      details: { retentionDays: 90, devices: 1 },
    });
  });

  it('takes a retention of days, or null for ever', async () => {
    expect((await archive({ retentionDays: null })).body.purgeAt).toBeNull();
    await restore();
    const { body } = await archive({ retentionDays: 1 });
    expect(Date.parse(body.purgeAt) - Date.parse(body.archivedAt)).toBe(DAY);
  });

  it.each([0, 3651, 1.5, '10'])('refuses the retention %j', async (retentionDays) => {
    expect((await archive({ retentionDays })).status).toBe(400);
  });

  it('hides the organisation from lists, stays readable, and blocks every write below it', async () => {
    const admin = tenancy.admin(partnerId);
    const [site, key] = [await tenancy.site(partnerId, orgId), await tenancy.enrollmentKey(partnerId, orgId)];
    const contact = (await admin.post(`/orgs/organizations/${orgId}/contacts`).send({ name: 'x' })).body.data;
    await archive();
    expect((await admin.get('/orgs/organizations')).body.pagination.total).toBe(0);
    expect((await admin.get('/orgs/organizations?search=Org')).body.pagination.total).toBe(0);
    expect((await admin.get('/orgs')).body.data).toEqual([]);
    expect((await admin.get('/orgs/sites')).body.pagination.total).toBe(0);
    expect((await admin.get(`/orgs/organizations/${orgId}`)).body.status).toBe('archived');
    const writes = [
      admin.patch(`/orgs/organizations/${orgId}`).send({ name: 'y' }),
      admin.delete(`/orgs/organizations/${orgId}`),
      admin.post('/orgs/sites').send({ orgId, name: 'y' }),
      admin.patch(`/orgs/sites/${site.id}`).send({ name: 'y' }),
      admin.delete(`/orgs/sites/${site.id}`),
      admin.post(`/orgs/organizations/${orgId}/contacts`).send({ name: 'y' }),
      admin.patch(`/orgs/contacts/${contact.id}`).send({ name: 'y' }),
      admin.delete(`/orgs/contacts/${contact.id}`),
      admin.post('/enrollment-keys').send({ orgId, name: 'y' }),
      admin.post(`/enrollment-keys/${key.id}/rotate`),
      admin.delete(`/enrollment-keys/${key.id}`),
      archive(),
      tenancy.service
        .as(null)
        .post('/agents/enroll')
        .send({ enrollmentKey: key.key, hostname: 'pc', osType: 'windows' }),
    ];
    for (const answer of await Promise.all(writes))
      expect(answer.body).toMatchObject({ status: 409, code: 'organization_frozen' });
    const imported = await admin.post('/orgs/contacts/import').send({ rows: [{ organizationId: orgId, name: 'y' }] });
    expect(imported.body.errors).toMatchObject([{ index: 0, code: 'organization_frozen' }]);
  });

  it('hides what it owns from lists, while each thing stays readable; once deleted, nothing of it is found', async () => {
    const admin = tenancy.admin(partnerId);
    const make = async (path: string, fields: object) =>
      `${path}/${created<{ data: { id: string } }>(await admin.post(path).send({ name: 'Thing', orgId, ...fields })).data.id}`;
    const owned = [
      await make('/scripts', { content: 'x' }),
      await make('/custom-fields', { ownerScope: 'organization', fieldKey: 'thing', type: 'text' }),
      await make('/configuration-policies', { ownerScope: 'organization', features: {} }),
      await make('/device-groups', {}),
    ];
    const { id: keyId, key } = await tenancy.enrollmentKey(partnerId, orgId);
    const device = `/devices/${(await tenancy.device(key)).deviceId}`;
    const things = [
      ...owned,
      `/enrollment-keys/${keyId}`,
      device,
      `${device}/custom-fields`,
      `${device}/effective-configuration`,
    ];
    const lists = [
      '/scripts',
      '/custom-fields',
      '/configuration-policies',
      '/device-groups',
      '/enrollment-keys',
      '/devices',
    ];
    const shared = await make('/scripts', { name: 'Shared', content: 'x', availability: 'partner' });
    const totals = () => Promise.all(lists.map(async (path) => (await admin.get(path)).body.pagination.total));
    const statuses = () => Promise.all(things.map(async (path) => (await admin.get(path)).status));
    expect(await totals()).toEqual([2, 1, 1, 1, 1, 1]);
    await archive();
    expect(await totals()).toEqual([1, 0, 0, 0, 0, 0]);
    expect(await statuses()).toEqual(things.map(() => 200));
    await restore();
    expect((await admin.delete(`/orgs/organizations/${orgId}`)).status).toBe(200);
    expect(await totals()).toEqual([1, 0, 0, 0, 0, 0]);
    expect(await statuses()).toEqual(things.map(() => 404));
    expect((await admin.get(shared)).status).toBe(200);
  });

  it('restores as active', async () => {
    await tenancy.admin(partnerId).patch(`/orgs/organizations/${orgId}`).send({ status: 'trial' });
    await archive();
    expect((await restore()).body).toMatchObject({ id: orgId, status: 'active', archivedAt: null, purgeAt: null });
    expect((await restore()).body).toMatchObject({ status: 409, code: 'organization_not_archived' });
    await tenancy.service.sql(`UPDATE organizations SET status = 'purging' WHERE id = $1`, [orgId]);
    expect((await restore()).body).toMatchObject({ status: 410, code: 'purge_started' });
  });

  it('is for partner scope with a second factor, within its own partner', async () => {
    const path = `/orgs/organizations/${orgId}/archive`;
    expect((await tenancy.as(aSystemAdmin()).post(path)).body).toMatchObject({ status: 403, code: 'scope_denied' });
    expect((await tenancy.admin(partnerId, { mfa: false }).post(path)).body).toMatchObject({
      status: 403,
      code: 'mfa_required',
    });
    expect((await tenancy.admin((await tenancy.partner()).id).post(path)).body).toMatchObject({
      status: 404,
      code: 'organization_not_found',
    });
  });
});

const DAY = 24 * 3600 * 1000;

const archive = (body: object = {}) => tenancy.admin(partnerId).post(`/orgs/organizations/${orgId}/archive`).send(body);
const restore = () => tenancy.admin(partnerId).post(`/orgs/organizations/${orgId}/restore`);
