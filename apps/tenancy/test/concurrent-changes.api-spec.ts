import { asService } from '@gatehouse/contracts-core';
import { DeviceChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { PERFORM, tenantDataProgressed } from '@gatehouse/tenant-data';
import { anOrgAdmin, aSystemAdmin, NO_OUTBOX, overlapping as overlappingAt, patient } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tenancyTenantData } from '../src/merge/tenant-data/tenancy-tenant-data.ts';
import { created, Tenancy } from './tenancy.harness.ts';

const tenancy = await Tenancy.start(patient());
const partnerId = (await tenancy.partner()).id;
const orgId = (await tenancy.organization(partnerId)).id;
const admin = tenancy.admin(partnerId);
afterAll(() => tenancy.stop());

/** The first call stops short of its commit until all have begun. */
const overlapping = <T>(...calls: (() => PromiseLike<T>)[]): Promise<T[]> =>
  overlappingAt(tenancy.service, NO_OUTBOX, ...calls);

const make = async (path: string, fields: object) =>
  created<{ data: { id: string } }>(await admin.post(path).send({ name: 'Thing', orgId, ...fields })).data.id;

const MADE: [string, string, () => Promise<string>][] = [
  ['site', 'site_not_found', async () => `/orgs/sites/${(await tenancy.site(partnerId, orgId)).id}`],
  [
    'contact',
    'contact_not_found',
    async () => `/orgs/contacts/${await make(`/orgs/organizations/${orgId}/contacts`, {})}`,
  ],
  [
    'enrollment_key',
    'enrollment_key_not_found',
    async () => `/enrollment-keys/${(await tenancy.enrollmentKey(partnerId, orgId)).id}`,
  ],
  ['device_group', 'device_group_not_found', async () => `/device-groups/${await make('/device-groups', {})}`],
  ['script', 'script_not_found', async () => `/scripts/${await make('/scripts', { content: 'x' })}`],
  [
    'custom_field',
    'custom_field_not_found',
    async () =>
      `/custom-fields/${await make('/custom-fields', { ownerScope: 'organization', fieldKey: 'thing', type: 'text' })}`,
  ],
  [
    'configuration_policy',
    'configuration_policy_not_found',
    async () =>
      `/configuration-policies/${await make('/configuration-policies', { ownerScope: 'organization', features: {} })}`,
  ],
  [
    'organization',
    'organization_not_found',
    async () => `/orgs/organizations/${(await tenancy.organization(partnerId)).id}`,
  ],
];

describe('changes at the same time', () => {
  it.each(MADE)('delete a %s once: the second finds none, and the log tells of one', async (thing, notFound, made) => {
    const path = await made();
    const remove = () => admin.delete(path);
    expect(saidBy(await overlapping(remove, remove))).toEqual([200, notFound]);
    const id = path.split('/').at(-1);
    expect((await tenancy.service.audits(`${thing}.delete`)).filter(({ resource }) => resource.id === id)).toHaveLength(
      1,
    );
  });

  it.each(MADE.filter(([thing]) => thing !== 'enrollment_key'))(
    'find no %s to change when it has just gone',
    async (_, notFound, made) => {
      const path = await made();
      expect(
        saidBy(
          await overlapping(
            () => admin.delete(path),
            () => admin.patch(path).send({ name: 'Other' }),
          ),
        ),
      ).toEqual([200, notFound]);
    },
  );

  const policyMade = () => make('/configuration-policies', { ownerScope: 'organization', features: {} });
  const deviceMade = async () => (await tenancy.device((await tenancy.enrollmentKey(partnerId, orgId)).key)).deviceId;
  const assigned = (policyId: string, level: string, targetId: string) =>
    admin.post(`/configuration-policies/${policyId}/assignments`).send({ level, targetId });
  it.each<
    [
      string,
      string,
      () => Promise<{ path: string; use: () => PromiseLike<{ status: number; body: { code?: string } }> }>,
    ]
  >([
    [
      'site to assign a policy to',
      'target_not_found',
      async () => {
        const [id, policyId] = [(await tenancy.site(partnerId, orgId)).id, await policyMade()];
        return { path: `/orgs/sites/${id}`, use: () => assigned(policyId, 'site', id) };
      },
    ],
    [
      'group to assign a policy to',
      'target_not_found',
      async () => {
        const [id, policyId] = [await make('/device-groups', {}), await policyMade()];
        return { path: `/device-groups/${id}`, use: () => assigned(policyId, 'group', id) };
      },
    ],
    [
      'policy to assign',
      'configuration_policy_not_found',
      async () => {
        const id = await policyMade();
        return { path: `/configuration-policies/${id}`, use: () => assigned(id, 'organization', orgId) };
      },
    ],
    [
      'group for a device',
      'device_group_not_found',
      async () => {
        const [id, deviceId] = [await make('/device-groups', {}), await deviceMade()];
        return {
          path: `/device-groups/${id}`,
          use: () => admin.post(`/device-groups/${id}/devices`).send({ deviceIds: [deviceId] }),
        };
      },
    ],
    [
      'field for a value',
      'custom_field_not_found',
      async () => {
        const [id, deviceId] = [
          await make('/custom-fields', { ownerScope: 'organization', fieldKey: 'short_lived', type: 'text' }),
          await deviceMade(),
        ];
        return {
          path: `/custom-fields/${id}`,
          use: () => admin.patch(`/devices/${deviceId}/custom-fields`).send({ values: { short_lived: 'x' } }),
        };
      },
    ],
  ])('find no %s that has just gone', async (_, notFound, made) => {
    const { path, use } = await made();
    expect(saidBy(await overlapping(() => admin.delete(path), use))).toEqual([200, notFound]);
  });

  it('assign no policy of its organisation to a device that leaves it', async () => {
    const [deviceId, policyId] = [await deviceMade(), await policyMade()];
    const target = { organizationId: (await tenancy.organization(partnerId)).id };
    const orgSite = await tenancy.site(partnerId, target.organizationId);
    const move = () =>
      admin.post(`/devices/${deviceId}/move`).send({ orgId: target.organizationId, siteId: orgSite.id });
    const calls = [move, () => assigned(policyId, 'device', deviceId)];
    expect(saidBy(await overlapping(...calls))).toEqual([200, 'target_not_found']);
  });

  it('delete a group, and tell of a device that has just joined it as one without it', async () => {
    const [id, deviceId] = [await make('/device-groups', {}), await deviceMade()];
    const join = () => admin.post(`/device-groups/${id}/devices`).send({ deviceIds: [deviceId] });
    const calls = [join, () => admin.delete(`/device-groups/${id}`)];
    expect(saidBy(await overlapping(...calls))).toEqual([200, 200]);
    const states = (await tenancy.service.emitted(DeviceChanged)).map(({ data }) => data);
    expect(states.filter((state) => state.deviceId === deviceId).at(-1)).toMatchObject({ groupIds: [] });
  });

  it('delete a group beside a change of its devices without a deadlock', async () => {
    const [id, first, second] = [await make('/device-groups', {}), await deviceMade(), await deviceMade()];
    const join = (...deviceIds: string[]) => admin.post(`/device-groups/${id}/devices`).send({ deviceIds });
    await join(first).expect(200);
    const lock = `SELECT FROM devices WHERE id = '${second}' FOR UPDATE`;
    const calls = [() => join(first, second), () => admin.delete(`/device-groups/${id}`)];
    expect(saidBy(await overlappingAt(tenancy.service, lock, ...calls))).toEqual([200, 200]);
    expect(await deadlocks()).toBe(0);
  });

  it('delete a site beside a new primary contact there without a deadlock', async () => {
    const { id: siteId } = await tenancy.site(partnerId, orgId);
    const contact = (name: string) =>
      admin.post(`/orgs/organizations/${orgId}/contacts`).send({ name, siteId, isPrimary: true });
    const { id } = created<{ data: { id: string } }>(await contact('First')).data;
    const lock = `SELECT FROM contacts WHERE id = '${id}' FOR UPDATE`;
    const calls = [() => contact('Second'), () => admin.delete(`/orgs/sites/${siteId}`)];
    expect(saidBy(await overlappingAt(tenancy.service, lock, ...calls))).toEqual([201, 200]);
    expect(await deadlocks()).toBe(0);
  });

  it.each([
    ['/orgs/organizations', { slug: 'late' }],
    ['/custom-fields', { ownerScope: 'partner', fieldKey: 'late', type: 'text' }],
    ['/configuration-policies', { ownerScope: 'partner', features: {} }],
    ['/scripts', { availability: 'partner', content: 'x' }],
  ])('make nothing at %s for a partner that is deleted', async (path, fields) => {
    const system = tenancy.as(aSystemAdmin());
    const { id } = await tenancy.partner();
    const makeFor = (partner: string) => system.post(path).send({ name: 'Late', partnerId: partner, ...fields });
    const calls = [() => system.delete(`/orgs/partners/${id}`), () => makeFor(id)];
    expect(saidBy(await overlapping(...calls))).toEqual([200, 'partner_not_found']);
    expect(saidBy([await makeFor(id), await makeFor(newId())])).toEqual(['partner_not_found', 'partner_not_found']);
  });

  it('take an assignment back once', async () => {
    const policy = `/configuration-policies/${await make('/configuration-policies', { ownerScope: 'organization', features: {} })}`;
    const { id } = created<{ data: { id: string } }>(
      await admin.post(`${policy}/assignments`).send({ level: 'organization', targetId: orgId }),
    ).data;
    const remove = () => admin.delete(`${policy}/assignments/${id}`);
    expect(saidBy(await overlapping(remove, remove))).toEqual([200, 'assignment_not_found']);
    expect(await tenancy.service.audits('configuration_policy.unassign')).toHaveLength(1);
  });

  it('take a field in once, from whichever of them comes first', async () => {
    const rows = (...keys: string[]) => keys.map((fieldKey) => ({ name: fieldKey, fieldKey, type: 'text', orgId }));
    const take =
      (...keys: string[]) =>
      () =>
        admin.post('/custom-fields/import').send({ rows: rows(...keys) });
    const [first, second] = await overlapping(take('shared'), take('own', 'shared', 'last'));
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(second?.body).toMatchObject({
      created: [{ index: 0 }, { index: 2 }],
      skipped: [{ index: 1, fieldId: first?.body.created[0].fieldId }],
      errors: [],
    });
    const [field, imported] = await overlapping(
      () =>
        admin
          .post('/custom-fields')
          .send({ name: 'x', fieldKey: 'made', type: 'number', ownerScope: 'organization', orgId }),
      take('made', 'after'),
    );
    expect([field?.status, imported?.status]).toEqual([201, 200]);
    expect(imported?.body).toMatchObject({
      created: [{ index: 1 }],
      skipped: [],
      errors: [{ index: 0, code: 'conflict' }],
    });
  });

  it('import values of the fields that are left, and report the rows of one that has just gone', async () => {
    const { key } = await tenancy.enrollmentKey(partnerId, orgId);
    const [{ deviceId }, field] = [
      await tenancy.device(key, { hostname: 'valued' }),
      (fieldKey: string) => make('/custom-fields', { fieldKey, type: 'text', ownerScope: 'partner', orgId: undefined }),
    ];
    const [going, staying] = [await field('going'), await field('staying')];
    const importer = tenancy.as(anOrgAdmin(partnerId, orgId));
    const take =
      (...keys: string[]) =>
      () =>
        importer
          .post('/devices/custom-fields/import')
          .send({ rows: keys.map((key) => ({ hostname: 'valued', values: { [key]: 'x' } })) });
    const [removed, imported] = await overlapping(
      () => admin.delete(`/custom-fields/${going}`),
      take('going', 'staying'),
    );
    expect([removed?.status, imported?.status]).toEqual([200, 200]);
    expect(imported?.body).toMatchObject({
      applied: [{ index: 1, deviceId, fieldIds: [staying] }],
      errors: [{ index: 0, code: 'custom_field_not_found' }],
    });
  });

  it('import no contact again that a merge is bringing', async () => {
    const [sourceId, contact] = [
      (await tenancy.organization(partnerId)).id,
      { name: 'Both', externalSystem: 'crm', externalId: '1' },
    ];
    const take = (organizationId: string) =>
      admin.post('/orgs/contacts/import').send({ rows: [{ organizationId, ...contact }] });
    const { contactId } = (await take(sourceId)).body.imported[0];
    const run = { runId: newId(), step: 'move' as const, sourceId, targetId: orgId };
    const merge = () =>
      tenancy.service.service.app.get(UnitOfWork).background(asService('tenancy'), async (tx) => {
        const done = await PERFORM.move(tx, tenancyTenantData, run);
        tx.emit(
          tenantDataProgressed('tenancy'),
          { runId: run.runId, step: 'move', service: 'tenancy', done, finished: false, error: null },
          { aggregateId: run.runId },
        );
      });
    const [, imported] = await overlapping<unknown>(merge, () => take(orgId));
    expect(imported).toMatchObject({
      status: 200,
      body: { imported: [], skipped: [{ index: 0, contactId, reason: 'exists' }], errors: [] },
    });
  });

  describe('with a site that goes while contacts are imported', () => {
    let site: string;
    beforeEach(async () => {
      site = (await tenancy.site(partnerId, orgId)).id;
    });

    it('refuse the rows of that site alone, as though it had never been', async () => {
      const [removed, imported] = await overlapping(remove, take({ name: 'Pinned', site }, { name: 'Free' }));
      expect([removed?.status, imported?.status]).toEqual([200, 200]);
      expect(imported?.body).toMatchObject({
        imported: [{ index: 1 }],
        errors: [{ index: 0, code: 'site-not-in-org' }],
      });
    });

    it('leave its contacts to the organisation, when an import of theirs is under way', async () => {
      const [imported, removed] = await overlapping(take({ name: 'Early', site }), remove);
      expect([imported?.status, removed?.status]).toEqual([200, 200]);
      expect(await siteOf(imported?.body.imported[0].contactId)).toBeNull();
    });

    it('put no contact back there that an import changes in something else', async () => {
      const email = `${site}@x.test`;
      const { contactId } = (await take({ email, site })()).body.imported[0];
      const [removed, imported] = await overlapping(remove, take({ email, phone: '5' }));
      expect([removed?.status, imported?.status]).toEqual([200, 200]);
      expect([imported?.body.updated, await siteOf(contactId)]).toMatchObject([[{ contactId }], null]);
    });

    const remove = () => admin.delete(`/orgs/sites/${site}`);
    const take =
      (...rows: object[]) =>
      () =>
        admin
          .post('/orgs/contacts/import')
          .send({ mode: 'update', rows: rows.map((fields) => ({ organizationId: orgId, ...fields })) });
    const siteOf = async (contactId: string) =>
      (await tenancy.service.sql('SELECT site_id FROM contacts WHERE id = $1', [contactId]))[0]?.site_id;
  });
});

const saidBy = (answers: { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => body.code ?? status);

const deadlocks = async () => {
  const sql = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
  return Number((await tenancy.service.sql(sql))[0]?.deadlocks);
};
