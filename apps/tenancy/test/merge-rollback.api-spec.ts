import { DeviceChanged } from '@gatehouse/contracts-tenancy';
import { tenantDataProgressed, TenantDataRequested } from '@gatehouse/tenant-data';
import { type Client, startTestBroker } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { tenancyTenantData } from '../src/merge/tenant-data/tenancy-tenant-data.ts';
import { created, Tenancy } from './tenancy.harness.ts';

let partnerId: string;
let sourceId: string;
let survivorId: string;
let admin: Client;
let source: Place;
let survivor: Place;

const broker = await startTestBroker();
const tenancy = await Tenancy.start({ PURGE_SWEEP_SECONDS: '1' }, broker.url);
afterAll(async () => {
  await tenancy.stop();
  await broker.stop();
});
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  admin = tenancy.admin(partnerId);
  [sourceId, survivorId] = [(await tenancy.organization(partnerId)).id, (await tenancy.organization(partnerId)).id];
  [source, survivor] = [await furnished(sourceId), await furnished(survivorId)];
});

describe('a merge that is put back', () => {
  it('gives devices and contacts back as they were, wherever they went at the survivor', async () => {
    const before = await contactsOf(sourceId);
    const runId = await moved();
    expect((await admin.patch(`/orgs/contacts/${source.contactId}`).send({ siteId: survivor.siteId })).status).toBe(
      200,
    );
    expect((await admin.post(`/devices/${source.deviceId}/move`).send({ siteId: survivor.siteId })).status).toBe(200);
    await join(survivor.groupId, source.deviceId);
    expect((await admin.delete(`/orgs/sites/${source.siteId}`)).body).toMatchObject({
      status: 409,
      code: 'organization_frozen',
    });
    expect(await putBack(runId)).toBe('failed');
    expect(await contactsOf(sourceId)).toEqual(before);
    expect(await deviceOf(source.deviceId)).toMatchObject({
      orgId: sourceId,
      siteId: source.siteId,
      groupIds: [source.groupId],
    });
    expect(
      (await tenancy.service.emitted(DeviceChanged))
        .map(({ data }) => data)
        .findLast(({ deviceId }) => deviceId === source.deviceId),
    ).toMatchObject({ orgId: sourceId, siteId: source.siteId, groupIds: [source.groupId] });
    expect((await admin.get(`/orgs/organizations/${sourceId}`)).body.status).toBe('active');
  });

  it('gives contacts their external ids back, although one of the ids was assigned to another contact during the merge', async () => {
    const importing = async (organizationId: string, fields: object, mode = 'skip') =>
      (
        await admin
          .post('/orgs/contacts/import')
          .send({ mode, rows: [{ organizationId, externalSystem: 'crm', ...fields }] })
      ).body;
    await importing(sourceId, { name: 'Stays', externalId: '1' });
    await importing(sourceId, { email: 'goes@x.test', externalId: '2' });
    const theirs = (await importing(survivorId, { name: 'Theirs', externalId: '1' })).imported[0].contactId;
    const runId = await moved();
    await admin.delete(`/orgs/contacts/${theirs}`);
    expect((await importing(survivorId, { email: 'goes@x.test', externalId: '1' }, 'update')).updated).toHaveLength(1);
    expect(await putBack(runId)).toBe('failed');
    expect(
      await tenancy.service.sql(
        `SELECT name, email, external_id FROM contacts WHERE org_id = $1 AND external_system IS NOT NULL
          ORDER BY external_id`,
        [sourceId],
      ),
    ).toEqual([
      { name: 'Stays', email: null, external_id: '1' },
      { name: null, email: 'goes@x.test', external_id: '2' },
    ]);
  });

  it('leaves to the survivor what is its own, and nothing of it where the organisation goes on', async () => {
    const runId = await moved();
    const { id: keyId, key } = await tenancy.enrollmentKey(partnerId, survivorId, { siteId: source.siteId });
    const { deviceId } = await tenancy.device(key);
    await join(source.groupId, deviceId);
    const contactId = await contactAt(survivorId, source.siteId);
    expect(await putBack(runId)).toBe('failed');
    const device = await deviceOf(deviceId);
    expect(device).toMatchObject({ orgId: survivorId, groupIds: [] });
    expect((await admin.get(`/orgs/sites/${device.siteId}`)).body).toMatchObject({
      orgId: survivorId,
      name: 'Default site',
    });
    expect((await admin.get(`/enrollment-keys/${keyId}`)).body).toMatchObject({
      orgId: survivorId,
      siteId: device.siteId,
    });
    expect((await contactsOf(survivorId)).find(({ id }) => id === contactId)).toEqual({
      id: contactId,
      site_id: null,
      is_primary: false,
    });
    expect((await admin.get(`/device-groups/${source.groupId}`)).body.data).toMatchObject({
      orgId: sourceId,
      deviceCount: 1,
    });
    expect(
      (await tenancy.service.emitted(DeviceChanged))
        .map(({ data }) => data)
        .findLast((data) => data.deviceId === deviceId),
    ).toMatchObject({ orgId: survivorId, siteId: device.siteId, groupIds: [] });
    for (const table of ['site_placements', 'device_group_placements'])
      expect([table, await rowsOf(table, survivorId)]).toEqual([
        table,
        await rowsOf(table.replace('_placements', 's'), survivorId),
      ]);
    await expectPurged();
    expect(await deviceOf(deviceId)).toMatchObject({ orgId: survivorId });
  });

  async function expectPurged(): Promise<void> {
    await admin.post(`/orgs/organizations/${sourceId}/archive`).send({ retentionDays: 1 });
    await tenancy.service.sql('UPDATE organizations SET purge_at = now() WHERE id = $1', [sourceId]);
    for (let tries = 0; tries < 60 && (await admin.get(`/orgs/organizations/${sourceId}`)).status === 200; tries++)
      await wait(100);
    for (const { policy, table } of tenancyTenantData.tables)
      if (policy !== 'keep') expect([table, await rowsOf(table, sourceId)]).toEqual([table, 0]);
  }
});

describe('a step that fails', () => {
  it('is in the log, with what failed and why', async () => {
    const warned = jest.spyOn(tenancy.service.service.platform.log, 'warn').mockImplementation(() => undefined);
    await tenancy.service.sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk full';
        END $$; CREATE TRIGGER refuse BEFORE UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    const runId = await tenancy.run('move', { partnerId, sourceId, targetId: survivorId });
    try {
      await tenancy.service.deliver(TenantDataRequested, { runId, step: 'move', sourceId, targetId: survivorId });
      for (let tries = 0; tries < 60 && warned.mock.calls.length === 0; tries++) await wait(50);
      expect(warned.mock.calls).toContainEqual([
        { step: 'move', runId, err: expect.objectContaining({ message: 'disk full' }) },
        expect.any(String),
      ]);
    } finally {
      warned.mockRestore();
      await tenancy.service.sql('DROP TRIGGER refuse ON contacts; DROP FUNCTION refuse');
    }
  });
});

interface Place {
  readonly siteId: string;
  readonly groupId: string;
  readonly deviceId: string;
  readonly contactId: string;
}

async function furnished(orgId: string): Promise<Place> {
  const siteId = (await tenancy.site(partnerId, orgId)).id;
  const { deviceId } = await tenancy.device((await tenancy.enrollmentKey(partnerId, orgId, { siteId })).key);
  const groupId = created<{ data: { id: string } }>(await admin.post('/device-groups').send({ orgId, name: 'Group' }))
    .data.id;
  await join(groupId, deviceId);
  return { siteId, groupId, deviceId, contactId: await contactAt(orgId, siteId) };
}

const join = async (groupId: string, deviceId: string) =>
  expect((await admin.post(`/device-groups/${groupId}/devices`).send({ deviceIds: [deviceId] })).status).toBe(200);
const contactAt = async (orgId: string, siteId: string) =>
  created<{ data: { id: string } }>(
    await admin.post(`/orgs/organizations/${orgId}/contacts`).send({ name: 'Contact', siteId, isPrimary: true }),
  ).data.id;
const deviceOf = async (id: string) => (await admin.get(`/devices/${id}`)).body;
const contactsOf = (orgId: string) =>
  tenancy.service.sql('SELECT id, site_id, is_primary FROM contacts WHERE org_id = $1 ORDER BY id', [orgId]);
const rowsOf = async (table: string, orgId: string) =>
  (await tenancy.service.sql(`SELECT FROM ${table} WHERE org_id = $1`, [orgId])).length;

/** A merge whose rows have moved here, and which waits for another service. */
async function moved(): Promise<string> {
  const runId = await tenancy.run('move', { partnerId, sourceId, targetId: survivorId });
  await tenancy.service.sql(`UPDATE organizations SET status = 'merging' WHERE id = $1`, [sourceId]);
  await tenancy.service.deliver(TenantDataRequested, { runId, step: 'move', sourceId, targetId: survivorId });
  while (
    (await tenancy.service.sql('SELECT FROM tenant_tasks WHERE run_id = $1 AND done_at IS NULL', [runId])).length > 0
  )
    await wait(50);
  expect(await deviceOf(source.deviceId)).toMatchObject({ orgId: survivorId });
  return runId;
}

/** The other service gives up; here everything goes back. */
async function putBack(runId: string): Promise<unknown> {
  for (const word of [
    { step: 'move', error: 'disk full' },
    { step: 'rollback', error: null },
  ] as const) {
    await tenancy.service.deliver(tenantDataProgressed('identity'), {
      runId,
      service: 'identity',
      done: 0,
      finished: true,
      ...word,
    });
  }
  const state = async () => (await admin.get(`/orgs/organizations/merge-runs/${runId}`)).body.state;
  for (let tries = 0; tries < 60 && (await state()) !== 'failed'; tries++) await wait(100);
  return state();
}
