import { anOrgAdmin, type Client } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideTenancy, created, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
let partnerId: string;
let orgId: string;
let key: string;
let admin: Client;
besideTenancy((started) => (tenancy = started));
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  orgId = (await tenancy.organization(partnerId)).id;
  key = (await tenancy.enrollmentKey(partnerId, orgId)).key;
  admin = tenancy.admin(partnerId);
});

describe('custom fields', () => {
  it('belong to the whole partner or to one organisation, with unique keys for each owner', async () => {
    expect(await field({})).toMatchObject({
      partnerId,
      ownerScope: 'partner',
      orgId: null,
      fieldKey: 'field',
      type: 'text',
      options: [],
    });
    expect(await field({ ownerScope: 'organization', orgId })).toMatchObject({ ownerScope: 'organization', orgId });
    expect(
      (await admin.post('/custom-fields').send({ name: 'x', fieldKey: 'field', type: 'text', ownerScope: 'partner' }))
        .body,
    ).toMatchObject({ status: 409, code: 'name_taken' });
    expect((await admin.get(`/custom-fields?orgId=${orgId}`)).body.data).toMatchObject([{ partnerId }, { partnerId }]);
  });

  it.each([[{ fieldKey: '1x' }], [{ type: 'colour' }], [{ type: 'dropdown' }], [{ type: 'text', options: ['a'] }]])(
    'refuse %j',
    async (fields) => {
      expect(
        (
          await admin
            .post('/custom-fields')
            .send({ name: 'x', fieldKey: 'x', type: 'text', ownerScope: 'partner', ...fields })
        ).body,
      ).toMatchObject({ status: 400, code: 'validation_failed' });
    },
  );

  it('of the partner are changed only with access to all its organisations', async () => {
    const { id } = await field({});
    const orgAdmin = tenancy.as(anOrgAdmin(partnerId, orgId));
    expect((await orgAdmin.get(`/custom-fields/${id}`)).status).toBe(200);
    for (const answer of [
      await orgAdmin.patch(`/custom-fields/${id}`).send({ name: 'y' }),
      await orgAdmin.delete(`/custom-fields/${id}`),
      await orgAdmin.post('/custom-fields').send({ name: 'x', fieldKey: 'y', type: 'text', ownerScope: 'partner' }),
    ]) {
      expect(answer.body).toMatchObject({ status: 403, code: 'scope_denied' });
    }
    expect((await tenancy.admin((await tenancy.partner()).id).get(`/custom-fields/${id}`)).body).toMatchObject({
      status: 404,
      code: 'custom_field_not_found',
    });
  });
});

describe('values of custom fields', () => {
  it('live at the device, fit their type, and are cleared by null', async () => {
    const { deviceId } = await tenancy.device(key);
    await field({ fieldKey: 'rack', type: 'number' });
    await field({ fieldKey: 'tier', type: 'dropdown', options: ['gold', 'silver'], ownerScope: 'organization', orgId });
    const write = (values: object) => admin.patch(`/devices/${deviceId}/custom-fields`).send({ values });
    expect((await write({ rack: 7, tier: 'gold' })).status).toBe(200);
    expect(await valuesOf(deviceId)).toEqual({ rack: 7, tier: 'gold' });
    await write({ tier: null });
    expect(await valuesOf(deviceId)).toEqual({ rack: 7, tier: null });
    for (const values of [{ rack: '7' }, { tier: 'lead' }, { rack: true }])
      expect((await write(values)).body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await write({ unknown: 1 })).body).toMatchObject({ status: 404, code: 'custom_field_not_found' });
    expect((await write({})).body).toMatchObject({ status: 400, code: 'no_updates_provided' });
    expect(
      (await tenancy.admin((await tenancy.partner()).id).get(`/devices/${deviceId}/custom-fields`)).body,
    ).toMatchObject({ status: 404, code: 'device_not_found' });
  });

  it('of the organisation are lost when the device leaves it', async () => {
    const { deviceId } = await tenancy.device(key);
    await field({ fieldKey: 'own', ownerScope: 'organization', orgId });
    await field({ fieldKey: 'shared' });
    await admin.patch(`/devices/${deviceId}/custom-fields`).send({ values: { own: 'a', shared: 'b' } });
    const other = await tenancy.organization(partnerId);
    const site = await tenancy.site(partnerId, other.id);
    expect(
      (await admin.post(`/devices/${deviceId}/move`).send({ orgId: other.id, siteId: site.id })).body.consequences,
    ).toMatchObject({ customFieldValuesDropped: 1 });
    expect(await valuesOf(deviceId)).toEqual({ shared: 'b' });
  });
});

describe('importing definitions', () => {
  it("TEN-117 creates them for the partner or the organisation; those of locations become the organisation's, the later winning", async () => {
    await field({ fieldKey: 'known', type: 'number' });
    const { id: archived } = await tenancy.organization(partnerId);
    await admin.post(`/orgs/organizations/${archived}/archive`).send({});
    const rows = [
      { name: 'Asset Tag #', type: 'text', ownerScope: 'partner' },
      { name: 'Floor', type: 'dropdown', options: ['1'], sourceScope: 'location', ownerScope: 'partner', orgId },
      { name: 'Floor', type: 'dropdown', options: ['2', '3'], sourceScope: 'location', orgId },
      { name: 'Known', fieldKey: 'known', type: 'number', ownerScope: 'partner' },
      { name: 'Known', fieldKey: 'known', type: 'text', ownerScope: 'partner' },
      { name: 'No options', type: 'dropdown', ownerScope: 'partner' },
      { name: 'Without owner', type: 'text', sourceScope: 'location', ownerScope: 'partner' },
      { name: 'Archived', type: 'text', orgId: archived },
      { name: 'Floor', type: 'text', orgId },
    ];
    const preview = (await admin.post('/custom-fields/import/preview').send({ rows })).body.rows;
    const expected = ['create', 'create', 'update', 'exists', ...Array(5).fill('conflict')];
    expect(preview.map(({ annotation }: { annotation: string }) => annotation)).toEqual(expected);
    expect((await admin.get('/custom-fields')).body.pagination.total).toBe(1);
    const { body } = await admin.post('/custom-fields/import').send({ rows });
    expect([body.created.length, body.updated.length, body.skipped.length]).toEqual([2, 1, 1]);
    expect(body.errors.map(({ index, code }: Record<string, unknown>) => [index, code])).toEqual([
      [4, 'conflict'],
      [5, 'validation_failed'],
      [6, 'org_required'],
      [7, 'organization_frozen'],
      [8, 'conflict'],
    ]);
    expect((await admin.get('/custom-fields')).body.data).toMatchObject([
      { fieldKey: 'asset_tag', orgId: null },
      { fieldKey: 'known' },
      { fieldKey: 'floor', orgId, options: ['2', '3'] },
    ]);
  });

  it('takes five hundred at once, which is more than the body of another request holds', async () => {
    const options = Array.from({ length: 10 }, (_, at) => `Option number ${at}`);
    const rows = Array.from({ length: 500 }, (_, at) => ({ name: `Field ${at}`, type: 'dropdown', options, orgId }));
    const { body } = await admin.post('/custom-fields/import/preview').send({ rows });
    expect(body.rows).toHaveLength(500);
  });
});

describe('importing values', () => {
  it('resolves hostnames and recorded source ids to exactly one device, and reports the rest', async () => {
    await field({ fieldKey: 'rack', type: 'number' });
    const { deviceId } = await tenancy.device(key, { hostname: 'pc-1' });
    const twins = [await tenancy.device(key, { hostname: 'twin' }), await tenancy.device(key, { hostname: 'twin' })];
    const rows = [
      { hostname: 'PC-1', sourceSystem: 'rmm', sourceDeviceId: '77', values: { rack: '5' } },
      { hostname: 'twin', values: { rack: 1 } },
      { hostname: 'gone', values: { rack: 1 } },
      { hostname: 'pc-1', values: { unknown: 1 } },
      { hostname: 'pc-1', values: { rack: 'five' } },
      { values: { rack: 1 } },
    ];
    const preview = (await admin.post('/devices/custom-fields/import/preview').send({ rows })).body.rows;
    expect(preview.slice(0, 3)).toMatchObject([
      { outcome: 'matched', deviceId },
      { outcome: 'conflict', deviceId: null, error: { code: 'conflict' } },
      { outcome: 'not-found', deviceId: null },
    ]);
    for (const twin of twins) expect(preview[1].error.message).toContain(twin.deviceId);
    expect(preview.slice(3, 5)).toMatchObject([
      { outcome: 'conflict', deviceId, error: { code: 'custom_field_not_found' } },
      { outcome: 'conflict', deviceId, error: { message: 'values.rack: the value does not fit the field.' } },
    ]);
    expect(await valuesOf(deviceId)).toEqual({ rack: null });
    const { body } = await admin.post('/devices/custom-fields/import').send({ rows });
    expect(body.applied).toMatchObject([{ index: 0, deviceId }]);
    expect(body.errors.map(({ index, code }: Record<string, unknown>) => [index, code])).toEqual([
      [1, 'conflict'],
      [2, 'not-found'],
      [3, 'custom_field_not_found'],
      [4, 'validation_failed'],
      [5, 'validation_failed'],
    ]);
    expect(await valuesOf(deviceId)).toEqual({ rack: 5 });
    const again = (values: object, mode?: string) =>
      admin
        .post('/devices/custom-fields/import')
        .send({ rows: [{ sourceSystem: 'rmm', sourceDeviceId: '77', values }], mode });
    expect((await again({ rack: 9 })).body).toMatchObject({
      skipped: [{ index: 0, outcome: 'already-applied', deviceId }],
      applied: [],
    });
    const { id } = await field({ fieldKey: 'shelf' });
    expect((await again({ rack: 9, shelf: 'A' })).body.applied).toEqual([
      { index: 0, outcome: 'link-match', deviceId, fieldIds: [id] },
    ]);
    expect(await valuesOf(deviceId)).toEqual({ rack: 5, shelf: 'A' });
    expect((await again({ rack: 9 }, 'overwrite')).body).toMatchObject({
      applied: [{ outcome: 'link-match', deviceId }],
    });
    expect(await valuesOf(deviceId)).toEqual({ rack: 9, shelf: 'A' });
  });

  it.each([
    ['/devices/custom-fields/import/preview', 'rows'],
    ['/devices/custom-fields/import', 'rows'],
    ['/custom-fields/import/preview', 'rows'],
    ['/custom-fields/import', 'rows'],
    ['/scripts/import', 'scripts'],
  ])('TEN-105 is refused at %s as a whole for a row that is no object, and the row is named', async (path, member) => {
    for (const other of [[], null, 5, 'x']) {
      const { body } = await admin.post(path).send({ [member]: [other] });
      expect(body).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(JSON.stringify(body.issues)).toContain('row 0 must be an object');
    }
  });

  it.each(['number', 'boolean', 'date', 'text', 'dropdown'])('leaves a %s where the cell is blank', async (type) => {
    const { deviceId } = await tenancy.device(key, { hostname: 'pc-1' });
    await field({ fieldKey: 'rack', type: 'number' });
    await field({ fieldKey: 'other', type, ...(type === 'dropdown' && { options: ['A'] }) });
    const value = { number: 7, boolean: true, date: '2026-01-02', text: 'A', dropdown: 'A' }[type];
    await admin.patch(`/devices/${deviceId}/custom-fields`).send({ values: { other: value } });
    const sent = async (values: object) =>
      (
        await admin
          .post('/devices/custom-fields/import')
          .send({ rows: [{ hostname: 'pc-1', values }], mode: 'overwrite' })
      ).body;
    expect(await sent({ rack: '5', other: ' ' })).toMatchObject({ applied: [{ index: 0 }], errors: [] });
    expect(await sent({ other: '' })).toMatchObject({ applied: [], skipped: [{ outcome: 'already-applied' }] });
    expect(await sent({ unknown: '' })).toMatchObject({ errors: [{ code: 'custom_field_not_found' }] });
    expect(await valuesOf(deviceId)).toEqual({ rack: 5, other: value });
  });

  it('prefers a field of the organisation to one of the partner, and takes at most 200 values a row', async () => {
    const { deviceId } = await tenancy.device(key, { hostname: 'pc-1' });
    await field({ fieldKey: 'rack', type: 'number' });
    const own = await field({ fieldKey: 'rack', ownerScope: 'organization', orgId });
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`unknown_${at}`, 1]));
    const { body } = await admin.post('/devices/custom-fields/import').send({
      rows: [
        { hostname: ' PC-1 ', organizationId: orgId, values: { rack: 'text' } },
        { hostname: 'pc-1', values: many(200) },
        { hostname: 'pc-1', values: many(201) },
      ],
    });
    expect(body.applied).toEqual([{ index: 0, outcome: 'matched', deviceId, fieldIds: [own.id] }]);
    expect(body.errors).toMatchObject([
      { index: 1, code: 'custom_field_not_found' },
      { index: 2, code: 'validation_failed', message: expect.stringContaining('200') },
    ]);
  });

  it('costs in proportion to its rows, however many devices and fields meet', async () => {
    const { deviceId } = await tenancy.device(key, { hostname: 'original' });
    const grow = async (from: number, to: number): Promise<void> => {
      await tenancy.service.sql(
        `INSERT INTO custom_fields (id, partner_id, name, field_key, type)
         SELECT gen_random_uuid(), $1, 'many', 'many_' || n, 'text' FROM generate_series($2::int, $3::int - 1) n`,
        [partnerId, from * 10, to * 10],
      );
      await tenancy.service.sql(
        `INSERT INTO devices (id, partner_id, org_id, site_id, hostname, os_type)
         SELECT gen_random_uuid(), partner_id, org_id, site_id, 'host-' || n, os_type
         FROM devices, generate_series($2::int, $3::int - 1) n WHERE id = $1`,
        [deviceId, from, to],
      );
    };
    const valuesAt = (row: number, fields: number) =>
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`many_${(row * 200 + at) % fields}`, 'x']));
    const preview = async (count: number): Promise<number> => {
      const rows = Array.from({ length: count }, (_, row) => ({
        hostname: `host-${row}`,
        values: valuesAt(row, count * 10),
      }));
      const before = process.cpuUsage();
      const { body } = await admin.post('/devices/custom-fields/import/preview').send({ rows });
      const { user, system } = process.cpuUsage(before);
      const right = body.rows.filter(
        (row: { outcome: string; fieldIds: string[] }) => row.outcome === 'matched' && row.fieldIds.length === 200,
      );
      expect(right).toHaveLength(count);
      return user + system;
    };
    /** The processor time of this process, which a busy machine does not stretch; the least of three. */
    const costOf = async (count: number): Promise<number> =>
      Math.min(await preview(count), await preview(count), await preview(count));
    await grow(0, 50);
    const few = await costOf(50);
    await grow(50, 500);
    // Ten times the rows, devices and fields: ten times the cost. A search among all for each would take a hundred.
    expect((await costOf(500)) / few).toBeLessThan(30);
  });

  it('never reaches a device of another partner', async () => {
    await field({ fieldKey: 'rack', type: 'number' });
    await tenancy.device(key, { hostname: 'secret-host' });
    const other = (await tenancy.partner()).id;
    const { body } = await tenancy
      .admin(other)
      .post('/devices/custom-fields/import/preview')
      .send({ rows: [{ hostname: 'secret-host', values: { rack: 1 } }] });
    expect(body.rows).toMatchObject([{ outcome: 'not-found', deviceId: null }]);
  });
});

const field = async (fields: object) =>
  created<{ data: { id: string; fieldKey: string } }>(
    await admin
      .post('/custom-fields')
      .send({ name: 'Field', fieldKey: 'field', type: 'text', ownerScope: 'partner', ...fields }),
  ).data;
const valuesOf = async (deviceId: string) =>
  Object.fromEntries(
    (await admin.get(`/devices/${deviceId}/custom-fields`)).body.data.map(
      ({ fieldKey, value }: { fieldKey: string; value: unknown }) => [fieldKey, value],
    ),
  );
