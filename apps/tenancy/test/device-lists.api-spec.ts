import type { Principal } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SumDeviceCounts } from '../src/devices/counts/device-caps.ts';
import { Tenancy } from './tenancy.harness.ts';

const tenancy = await Tenancy.start();
afterAll(() => tenancy.stop());

let partnerId: string;
let places: [Place, Place, Place];
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  const [one, two] = [await tenancy.organization(partnerId), await tenancy.organization(partnerId)];
  places = [await place(one.id), await place(one.id), await place(two.id)];
});

describe('the total of a list of devices', () => {
  it('is exact for every reach and filter, before and after the differences are summed up', async () => {
    const [one, near, far] = places;
    const [first] = [await idsOf(one, 3), await idsOf(near, 2), await idsOf(far, 4)];
    await tenancy.admin(partnerId).patch(`/devices/${first[0]}`).send({ status: 'maintenance' });
    const confined = anOrgAdmin(partnerId, one.orgId, { sites: [near.siteId] });
    for (const sum of [async () => undefined, () => counts.sum()]) {
      await sum();
      const all = aPartnerAdmin(partnerId);
      expect([
        await total(all),
        await total(all, `orgId=${one.orgId}`),
        await total(all, `siteId=${one.siteId}`),
        await total(all, 'status=maintenance'),
        await total(all, `orgId=${far.orgId}&status=online`),
      ]).toEqual([9, 5, 3, 1, 4]);
      expect([
        await total(aPartnerAdmin(partnerId, { orgs: [far.orgId] })),
        await total(aPartnerAdmin(partnerId, { orgs: [] })),
        await total(anOrgAdmin(partnerId, one.orgId)),
        await total(confined),
        await total(confined, `siteId=${one.siteId}`),
      ]).toEqual([4, 0, 5, 2, 0]);
    }
  });

  it('follows moves, decommissioning, archives and the end of a site', async () => {
    const [one, near, far] = places;
    const admin = tenancy.admin(partnerId);
    const [moved = '', ended = ''] = await idsOf(one, 2);
    await counts.sum();
    await admin.post(`/devices/${moved}/move`).send({ orgId: far.orgId, siteId: far.siteId });
    await admin.post(`/devices/${ended}/decommission`);
    const all = aPartnerAdmin(partnerId);
    expect([
      await total(all),
      await total(all, `orgId=${one.orgId}`),
      await total(all, `siteId=${far.siteId}`),
      await total(all, 'status=decommissioned'),
    ]).toEqual([2, 1, 1, 1]);
    await admin.delete(`/orgs/sites/${one.siteId}`);
    await admin.post(`/orgs/organizations/${far.orgId}/archive`).send({});
    expect(await total(all)).toBe(0);
    await admin.post(`/orgs/organizations/${far.orgId}/restore`);
    expect(await total(all)).toBe(1);
    await idsOf(near, 1);
    expect(await total(all)).toBe(2);
  });

  it('stays exact while many enrol at once and several replicas sum up', async () => {
    const [one, near, far] = places;
    const summing = Array.from({ length: 5 }, () => counts.sum());
    await Promise.all([idsOf(one, 10), idsOf(near, 10), idsOf(far, 10), ...summing]);
    await Promise.all([counts.sum(), counts.sum()]);
    expect(await total(aPartnerAdmin(partnerId))).toBe(30);
    await tenancy.service.sql('DELETE FROM devices WHERE partner_id = $1', [partnerId]);
    await counts.sum();
    expect(await countedRows()).toEqual([]);
  });
});

it('TEN-115 devices that were not seen since an instant are listed and counted', async () => {
  const [one] = places;
  const [silent = ''] = await idsOf(one, 3);
  await tenancy.service.sql(`UPDATE devices SET last_seen_at = now() - interval '8 days' WHERE id = $1`, [silent]);
  await counts.sum();
  const before = new Date(Date.now() - 7 * 86_400_000).toISOString();
  const { body } = await tenancy.admin(partnerId).get(`/devices?limit=1&lastSeenBefore=${before}`);
  expect([body.data[0].id, body.pagination.total]).toEqual([silent, 1]);
  expect(await total(aPartnerAdmin(partnerId))).toBe(3);
  const refused = await tenancy.admin(partnerId).get('/devices?lastSeenBefore=lately');
  expect(refused.body.code).toBe('validation_failed');
});

describe('the search for devices', () => {
  it('finds a text in host name, display name or serial number, without regard to case, and takes signs literally', async () => {
    const [{ key }] = places;
    const name = newId().slice(-12);
    const { deviceId } = await tenancy.device(key, { hostname: `PC_${name}`, serialNumber: 'SN-100%' });
    await tenancy.device(key, { hostname: `PCx${name}`, serialNumber: 'SN-1000' });
    await tenancy.admin(partnerId).patch(`/devices/${deviceId}`).send({ displayName: 'Front Desk' });
    const found = async (text: string): Promise<string[]> =>
      (await tenancy.admin(partnerId).get(`/devices?search=${encodeURIComponent(text)}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    for (const text of [`pc_${name}`, 'FRONT d', 'sn-100%']) expect(await found(text)).toEqual([deviceId]);
    expect(await found('nothing like it')).toEqual([]);
    expect(await found('')).toHaveLength(2);
    expect(await found('search_text')).toEqual([]);
  });
});

const counts = tenancy.service.service.app.get(SumDeviceCounts, { strict: false });

interface Place {
  readonly orgId: string;
  readonly siteId: string;
  readonly key: string;
}

async function place(orgId: string): Promise<Place> {
  const siteId = (await tenancy.site(partnerId, orgId)).id;
  return { orgId, siteId, key: (await tenancy.enrollmentKey(partnerId, orgId, { siteId })).key };
}

const idsOf = async ({ key }: Place, number: number): Promise<string[]> =>
  Promise.all(Array.from({ length: number }, async () => (await tenancy.device(key)).deviceId));

/** The total that a caller is told, which must be what walking through the pages finds. */
async function total(principal: Principal, query = ''): Promise<number> {
  const { body } = await tenancy.as(principal).get(`/devices?limit=100&${query}`);
  expect(body.data).toHaveLength(body.pagination.total);
  return body.pagination.total as number;
}

const countedRows = (): Promise<object[]> =>
  tenancy.service.sql(
    `SELECT count FROM device_counts WHERE partner_id = $1 UNION ALL SELECT count FROM device_count_deltas
      WHERE partner_id = $1`,
    [partnerId],
  );
