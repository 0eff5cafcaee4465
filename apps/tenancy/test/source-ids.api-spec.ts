import { aPartnerAdmin, anOrgTechnician, type Client } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideTenancy, created, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
let partnerId: string;
let admin: Client;
let ours: Place;
let theirs: Place;
besideTenancy((started) => (tenancy = started));
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  admin = tenancy.admin(partnerId);
  const field = { name: 'Secret', fieldKey: 'secret', type: 'text', ownerScope: 'partner' };
  created(await admin.post('/custom-fields').send(field));
  ours = await place('our-pc');
  theirs = await place('their-pc');
});

describe('source ids of devices', () => {
  it('ATK-04a: the link that one organisation records never draws the data of another', async () => {
    await imported(theirs.technician, { hostname: 'their-pc', sourceDeviceId: '77' }, 'theirs');
    const named = await imported(
      admin,
      { organizationId: ours.orgId, hostname: 'our-pc', sourceDeviceId: '77' },
      'ours',
    );
    expect(named).toMatchObject({ applied: [{ outcome: 'matched', deviceId: ours.deviceId }], errors: [] });
    const again = await imported(admin, { organizationId: ours.orgId, sourceDeviceId: '77' }, 'ours again');
    expect(again).toMatchObject({ applied: [{ outcome: 'link-match', deviceId: ours.deviceId }] });
    expect([await secretAt(ours), await secretAt(theirs)]).toEqual(['ours again', 'theirs']);
  });

  it('ATK-04b: a row without an organisation is not resolved by what a single organisation recorded', async () => {
    await imported(theirs.technician, { hostname: 'their-pc', sourceDeviceId: '77' }, 'theirs');
    const { errors } = await imported(admin, { sourceDeviceId: '77' }, 'ours');
    expect(errors).toMatchObject([{ code: 'not-found' }]);
    expect((await imported(admin, { hostname: 'our-pc', sourceDeviceId: '77' }, 'ours')).applied).toMatchObject([
      { deviceId: ours.deviceId },
    ]);
    expect((await imported(admin, { sourceDeviceId: '77' }, 'new')).applied).toMatchObject([
      { outcome: 'link-match', deviceId: ours.deviceId },
    ]);
    expect(await secretAt(theirs)).toBe('theirs');
  });

  it('ATK-04c: a row whose hostname or organisation disagrees with the link is a conflict', async () => {
    await imported(admin, { organizationId: ours.orgId, hostname: 'our-pc', sourceDeviceId: '77' }, 'ours');
    for (const row of [
      { hostname: 'their-pc', sourceDeviceId: '77' },
      { organizationId: theirs.orgId, sourceDeviceId: '77' },
    ]) {
      expect(await previewed(admin, row)).toMatchObject({
        outcome: 'conflict',
        deviceId: null,
        error: { code: 'conflict' },
      });
      expect((await imported(admin, row, 'wrong')).errors).toMatchObject([{ index: 0, code: 'conflict' }]);
    }
    expect([await secretAt(ours), await secretAt(theirs)]).toEqual(['ours', null]);
    expect((await imported(admin, { hostname: ' OUR-PC', sourceDeviceId: '77' }, 'x')).applied).toMatchObject([
      { outcome: 'link-match' },
    ]);
  });

  it('ATK-04d: a technician of one site records no source id for the organisation', async () => {
    const other = await tenancy.site(partnerId, ours.orgId);
    const { key } = await tenancy.enrollmentKey(partnerId, ours.orgId, { siteId: other.id });
    const { deviceId } = await tenancy.device(key, { hostname: 'site-pc' });
    const confined = tenancy.as(anOrgTechnician(partnerId, ours.orgId, { sites: [other.id] }));
    expect((await imported(confined, { hostname: 'site-pc', sourceDeviceId: '78' }, 'mine')).applied).toMatchObject([
      { deviceId },
    ]);
    expect((await imported(ours.technician, { sourceDeviceId: '78' }, 'ours')).errors).toMatchObject([
      { code: 'not-found' },
    ]);
    await imported(ours.technician, { hostname: 'our-pc', sourceDeviceId: '79' }, 'ours');
    const elsewhere = await imported(confined, { hostname: 'site-pc', sourceDeviceId: '79' }, 'mine');
    expect(elsewhere.errors).toMatchObject([{ code: 'not-found' }]);
  });

  it('ATK-04e: an id that resembles another one by its line breaks is another one', async () => {
    await imported(admin, { hostname: 'our-pc', sourceDeviceId: 'a\nb' }, 'ours');
    const rows = [{ sourceSystem: 'rmm\na', sourceDeviceId: 'b', values: { secret: 'x' } }];
    const { body } = await admin.post('/devices/custom-fields/import').send({ rows });
    expect(body.errors).toMatchObject([{ index: 0, code: expect.stringMatching(/not-found|validation_failed/) }]);
  });

  it('ATK-04f: a device that moves to another organisation takes no source id along', async () => {
    await imported(admin, { organizationId: ours.orgId, hostname: 'our-pc', sourceDeviceId: '77' }, 'ours');
    const site = await tenancy.site(partnerId, theirs.orgId);
    const mover = tenancy.as(aPartnerAdmin(partnerId));
    expect(
      (await mover.post(`/devices/${ours.deviceId}/move`).send({ orgId: theirs.orgId, siteId: site.id })).status,
    ).toBe(200);
    expect(
      (await imported(admin, { organizationId: theirs.orgId, sourceDeviceId: '77' }, 'theirs')).errors,
    ).toMatchObject([{ code: 'not-found' }]);
  });

  it('lead to the device that took the place of a decommissioned one', async () => {
    const { orgId, deviceId } = ours;
    await imported(admin, { organizationId: orgId, hostname: 'our-pc', sourceDeviceId: '77' }, 'old');
    await admin.post(`/devices/${deviceId}/decommission`);
    const { key } = await tenancy.enrollmentKey(partnerId, orgId);
    const agent = await tenancy.device(key, { hostname: 'our-pc' });
    const named = { organizationId: orgId, hostname: 'our-pc', sourceDeviceId: '77' };
    expect((await imported(admin, named, 'new')).applied).toMatchObject([
      { outcome: 'matched', deviceId: agent.deviceId },
    ]);
    expect((await imported(admin, { organizationId: orgId, sourceDeviceId: '77' }, 'newer')).applied).toMatchObject([
      { outcome: 'link-match', deviceId: agent.deviceId },
    ]);
  });

  it("ATK-04g: where a merge brings a source id that the survivor has, the survivor's link stays", async () => {
    await imported(admin, { organizationId: ours.orgId, hostname: 'our-pc', sourceDeviceId: '77' }, 'ours');
    await imported(admin, { organizationId: ours.orgId, hostname: 'our-pc', sourceDeviceId: '78' }, 'ours');
    await imported(admin, { organizationId: theirs.orgId, hostname: 'their-pc', sourceDeviceId: '77' }, 'theirs');
    await tenancy.service.sql(
      'INSERT INTO site_placements SELECT site_id, $2, partner_id FROM site_placements WHERE org_id = $1',
      [ours.orgId, theirs.orgId],
    );
    await tenancy.service.sql('UPDATE devices SET org_id = $2 WHERE org_id = $1', [ours.orgId, theirs.orgId]);
    const links = await tenancy.service.sql(
      'SELECT device_id, source_device_id FROM device_sources WHERE org_id = $1 ORDER BY 2',
      [theirs.orgId],
    );
    expect(links).toEqual([
      { device_id: theirs.deviceId, source_device_id: '77' },
      { device_id: ours.deviceId, source_device_id: '78' },
    ]);
  });

  it('ATK-04h: a misspelt member of a row refuses the whole import, because the row would widen', async () => {
    const row = { organisationId: ours.orgId, hostname: 'their-pc', values: { secret: 'wrong' } };
    const values = await admin.post('/devices/custom-fields/import').send({ rows: [row] });
    expect(values.body).toMatchObject({
      status: 400,
      code: 'validation_failed',
      issues: [{ path: 'rows.0.organisationId' }],
    });
    const person = { organizationId: ours.orgId, name: 'Ann' };
    const contacts = await admin
      .post('/orgs/contacts/import')
      .send({ rows: [person, { ...person, siteName: 'Main' }] });
    expect(contacts.body).toMatchObject({
      status: 400,
      code: 'validation_failed',
      issues: [{ path: 'rows.1.siteName' }],
    });
    const { rows } = (await admin.post('/orgs/contacts/import/preview').send({ rows: [person] })).body;
    expect((await admin.post('/orgs/contacts/import').send({ rows })).body).toMatchObject({
      imported: [{ index: 0 }],
      errors: [],
    });
  });
});

interface Row {
  readonly organizationId?: string;
  readonly hostname?: string;
  readonly sourceDeviceId?: string;
}

interface Place {
  readonly orgId: string;
  readonly deviceId: string;
  readonly technician: Client;
}

async function place(hostname: string): Promise<Place> {
  const { id: orgId } = await tenancy.organization(partnerId);
  const { key } = await tenancy.enrollmentKey(partnerId, orgId);
  const { deviceId } = await tenancy.device(key, { hostname });
  return { orgId, deviceId, technician: tenancy.as(anOrgTechnician(partnerId, orgId)) };
}

const rowOf = (row: Row, secret: string) => ({
  ...row,
  ...(row.sourceDeviceId && { sourceSystem: 'rmm' }),
  values: { secret },
});
const imported = async (client: Client, row: Row, secret: string) =>
  (await client.post('/devices/custom-fields/import').send({ rows: [rowOf(row, secret)], mode: 'overwrite' })).body;
const previewed = async (client: Client, row: Row) =>
  (await client.post('/devices/custom-fields/import/preview').send({ rows: [rowOf(row, 'x')] })).body.rows[0];
const secretAt = async ({ deviceId }: Place): Promise<unknown> =>
  (await admin.get(`/devices/${deviceId}/custom-fields`)).body.data[0].value;
