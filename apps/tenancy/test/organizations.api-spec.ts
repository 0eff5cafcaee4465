import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, anOrgAdmin, atOnce } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideTenancy, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
let partnerId: string;
besideTenancy((started) => (tenancy = started));
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
});

describe('creating organisations', () => {
  it('lets a partner omit partnerId and audits partnerId, status and type', async () => {
    const organization = await tenancy.organization(partnerId, { name: 'Org', slug: 'org' });
    expect(organization).toMatchObject({
      partnerId,
      name: 'Org',
      slug: 'org',
      type: 'customer',
      status: 'active',
      settings: {},
      deletedAt: null,
    });
    expect((await tenancy.service.audits('organization.create')).at(-1)).toMatchObject({
      partnerId,
      orgId: organization.id,
      details: { partnerId, status: 'active', type: 'customer' },
    });
    expect((await tenancy.service.emitted(OrganizationChanged)).at(-1)?.data).toEqual({
      orgId: organization.id,
      partnerId,
      name: 'Org',
      status: 'active',
      deleted: false,
      mergedIntoId: null,
      version: 1,
    });
  });

  it('refuses another partnerId with 403, and system callers without one with 400', async () => {
    expect(
      (await tenancy.admin(partnerId).post('/orgs/organizations').send({ name: 'x', slug: 'x', partnerId: newId() }))
        .body,
    ).toMatchObject({ status: 403, code: 'partner_access_denied', detail: 'Access denied to this partner.' });
    expect((await tenancy.system.post('/orgs/organizations').send({ name: 'x', slug: 'x' })).body).toMatchObject({
      status: 400,
      code: 'partner_required',
    });
    expect(
      (await tenancy.system.post('/orgs/organizations').send({ name: 'x', slug: 'x', partnerId: newId() })).body,
    ).toMatchObject({ status: 404, code: 'partner_not_found', detail: 'Partner not found.' });
  });

  it('refuses a contract that ends before it starts, in one body or against what is stored', async () => {
    const [early, late] = ['2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'];
    const refusal = { status: 400, code: 'validation_failed', issues: [{ path: 'contractEnd' }] };
    const client = tenancy.admin(partnerId);
    const crossed = { name: 'x', slug: 'crossed', contractStart: late, contractEnd: early };
    expect((await client.post('/orgs/organizations').send(crossed)).body).toMatchObject(refusal);
    const { id } = await tenancy.organization(partnerId, { contractStart: late, contractEnd: late });
    const patch = async (body: object) => (await client.patch(`/orgs/organizations/${id}`).send(body)).body;
    expect(await patch({ contractEnd: early })).toMatchObject(refusal);
    expect(await patch({ contractStart: early })).toMatchObject({ contractStart: early, contractEnd: late });
    expect(await patch({ contractStart: null, contractEnd: early })).toMatchObject({ contractEnd: early });
  });

  it('keeps slugs unique within the partner only', async () => {
    await tenancy.organization(partnerId, { slug: 'same' });
    const other = (await tenancy.partner()).id;
    expect((await tenancy.organization(other, { slug: 'same' })).slug).toBe('same');
    expect(
      (await tenancy.admin(partnerId).post('/orgs/organizations').send({ name: 'x', slug: 'same' })).body,
    ).toMatchObject({ status: 409, code: 'slug_taken' });
  });

  it.each(['offboarding', 'merging', 'archived', 'purging'])('does not take the status %s', async (status) => {
    expect(
      (await tenancy.admin(partnerId).post('/orgs/organizations').send({ name: 'x', slug: 'x', status })).body,
    ).toMatchObject({ status: 400, code: 'status_not_settable' });
  });

  it('holds maxOrganizations under twenty creations at once', async () => {
    const capped = (await tenancy.partner({ maxOrganizations: 1 })).id;
    const create = (at: number) =>
      tenancy
        .admin(capped)
        .post('/orgs/organizations')
        .send({ name: 'x', slug: `x${at}` });
    const answers = await atOnce(20, create);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'organization_limit_reached')).toHaveLength(19);
    await tenancy.admin(capped).delete(`/orgs/organizations/${answers.find(({ status }) => status === 201)?.body.id}`);
    expect((await tenancy.admin(capped).post('/orgs/organizations').send({ name: 'y', slug: 'y' })).status).toBe(201);
  });

  it('needs a second factor and the permission, and records the refusal as denied', async () => {
    const draft = { name: 'x', slug: 'x' };
    expect((await tenancy.admin(partnerId, { mfa: false }).post('/orgs/organizations').send(draft)).body).toMatchObject(
      { status: 403, code: 'mfa_required' },
    );
    expect(
      (
        await tenancy
          .admin(partnerId, { permissions: ['organizations:read'] })
          .post('/orgs/organizations')
          .send(draft)
      ).body,
    ).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(
      (await tenancy.service.audits('organization.create')).filter(
        (audit) => audit.result === 'denied' && audit.partnerId === partnerId,
      ),
    ).toHaveLength(2);
  });
});

describe('reading and changing organisations', () => {
  it("answers 404, never 403, for another partner's organisation", async () => {
    const foreign = await tenancy.organization((await tenancy.partner()).id);
    const own = tenancy.admin(partnerId);
    const path = `/orgs/organizations/${foreign.id}`;
    for (const answer of [
      await own.get(path),
      await own.patch(path).send({ name: 'stolen' }),
      await own.delete(path),
    ]) {
      expect(answer.body).toMatchObject({ code: 'organization_not_found', detail: 'Organization not found.' });
    }
    expect((await tenancy.system.get(path)).body).toMatchObject({ name: 'Organization', deletedAt: null });
  });

  it('does not change partnerId', async () => {
    const { id } = await tenancy.organization(partnerId);
    expect(
      (await tenancy.admin(partnerId).patch(`/orgs/organizations/${id}`).send({ partnerId: newId() })).body,
    ).toMatchObject({
      status: 400,
      code: 'no_updates_provided',
      detail: 'No updates provided.',
      issues: [{ path: 'partnerId', message: 'cannot be changed' }],
    });
    expect(
      (await tenancy.admin(partnerId).patch(`/orgs/organizations/${id}`).send({ partnerId: newId(), name: 'New' }))
        .body,
    ).toMatchObject({ status: 400, issues: [{ path: 'partnerId', message: 'cannot be changed' }] });
    expect(
      (await tenancy.admin(partnerId).patch(`/orgs/organizations/${id}`).send({ partnerId, name: 'New' })).body,
    ).toMatchObject({ partnerId, name: 'New' });
  });

  it('sets offboarding by PATCH, once (AUD-40), but not the statuses of operations', async () => {
    const { id } = await tenancy.organization(partnerId);
    const patch = (status: string) => tenancy.admin(partnerId).patch(`/orgs/organizations/${id}`).send({ status });
    for (let at = 0; at < 2; at++)
      expect((await patch('offboarding')).body).toMatchObject({ status: 'offboarding', version: 2 });
    expect((await patch('purging')).body).toMatchObject({ status: 400, code: 'status_not_settable' });
    const audits = await tenancy.service.audits('organization.update');
    expect(audits.filter(({ orgId }) => orgId === id)).toMatchObject([{ details: { changedFields: ['status'] } }]);
  });

  it('AUD-40 takes settings in another order and an instant in another spelling for no change, and names what changed', async () => {
    const { id } = await tenancy.organization(partnerId, {
      settings: { longer: { start: '09:00', end: '17:00' }, a: 1 },
      contractStart: '2026-01-01T00:00:00Z',
    });
    const patch = (fields: object) => tenancy.admin(partnerId).patch(`/orgs/organizations/${id}`).send(fields);
    const same = {
      settings: { longer: { start: '09:00', end: '17:00' }, a: 1 },
      contractStart: '2026-01-01T00:00:00Z',
    };
    expect((await patch(same)).body.version).toBe(1);
    expect((await patch({ ...same, name: 'Renamed', type: 'customer' })).body.version).toBe(2);
    const audits = (await tenancy.service.audits('organization.update')).filter(({ orgId }) => orgId === id);
    expect(audits).toMatchObject([{ details: { changedFields: ['name'] } }]);
  });

  it('soft-deletes without touching the sites', async () => {
    const { id } = await tenancy.organization(partnerId);
    const site = await tenancy.site(partnerId, id);
    expect((await tenancy.admin(partnerId).delete(`/orgs/organizations/${id}`)).body).toEqual({ success: true });
    expect((await tenancy.admin(partnerId).get(`/orgs/organizations/${id}`)).status).toBe(404);
    expect(await tenancy.service.sql('SELECT id FROM sites WHERE id = $1', [site.id])).toHaveLength(1);
    expect((await tenancy.admin(partnerId).get('/orgs/sites')).body.data).toEqual([]);
    expect((await tenancy.service.emitted(OrganizationChanged)).at(-1)?.data).toMatchObject({
      orgId: id,
      deleted: true,
      version: 2,
    });
  });

  it.each(['not-a-uuid', '1', "'"])('answers 4xx to the id %s', async (id) => {
    expect([400, 404]).toContain(
      (await tenancy.admin(partnerId).get(`/orgs/organizations/${encodeURIComponent(id)}`)).status,
    );
  });
});

describe('listing organisations', () => {
  it('shows each caller what is in reach, with an exact total', async () => {
    const [b, a, c] = [
      await tenancy.organization(partnerId, { name: 'B' }),
      await tenancy.organization(partnerId, { name: 'A' }),
      await tenancy.organization(partnerId, { name: 'C' }),
    ];
    await tenancy.organization((await tenancy.partner()).id, { name: 'foreign' });
    const page = await tenancy.admin(partnerId).get('/orgs/organizations?limit=2');
    expect([names(page.body), page.body.pagination]).toEqual([['A', 'B'], { page: 1, limit: 2, total: 3 }]);
    expect(names((await tenancy.admin(partnerId).get('/orgs/organizations?limit=2&page=2')).body)).toEqual(['C']);
    expect((await tenancy.admin(partnerId).get('/orgs/organizations?page=9')).body).toMatchObject({
      data: [],
      pagination: { total: 3 },
    });
    expect(names((await tenancy.admin(partnerId, { orgs: [c.id, a.id] }).get('/orgs/organizations')).body)).toEqual([
      'A',
      'C',
    ]);
    expect((await tenancy.admin(partnerId, { orgs: [] }).get('/orgs/organizations')).body).toMatchObject({
      data: [],
      pagination: { total: 0 },
    });
    expect(names((await tenancy.as(anOrgAdmin(partnerId, b.id)).get('/orgs')).body)).toEqual(['B']);
    expect((await tenancy.as(anOrgAdmin(partnerId, b.id)).get('/orgs/organizations')).body).toMatchObject({
      status: 403,
      code: 'scope_denied',
    });
  });

  it("refuses a partner that asks for another's list", async () => {
    expect((await tenancy.admin(partnerId).get(`/orgs/organizations?partnerId=${newId()}`)).body).toMatchObject({
      status: 403,
      code: 'partner_access_denied',
    });
  });

  it('searches literally', async () => {
    for (const name of ['100% Acme', 'acme_1', 'Other']) await tenancy.organization(partnerId, { name });
    const search = async (text: string): Promise<string[]> =>
      names((await tenancy.admin(partnerId).get(`/orgs/organizations?search=${encodeURIComponent(text)}`)).body);
    expect([await search('ACME'), await search('%'), await search('_')]).toEqual([
      ['100% Acme', 'acme_1'],
      ['100% Acme'],
      ['acme_1'],
    ]);
  });
});

describe("the partner's order of organisations", () => {
  it('drops unknown and deleted ids, appends the omitted, and holds across pages and for newcomers', async () => {
    const [a, b, c, d] = [
      await tenancy.organization(partnerId, { name: 'A' }),
      await tenancy.organization(partnerId, { name: 'B' }),
      await tenancy.organization(partnerId, { name: 'C' }),
      await tenancy.organization(partnerId, { name: 'D' }),
    ];
    const foreign = await tenancy.organization((await tenancy.partner()).id);
    await tenancy.admin(partnerId).delete(`/orgs/organizations/${d.id}`);
    const state = async () => (await tenancy.admin(partnerId).get(`/orgs/organizations/${c.id}`)).body;
    const before = await state();
    const answer = await tenancy
      .admin(partnerId)
      .patch('/orgs/organizations/order')
      .send({ organizationOrder: [c.id, newId(), foreign.id, d.id, c.id, a.id] });
    expect(answer.body).toEqual({ organizationOrder: [c.id, a.id, b.id] });
    expect(await state()).toEqual(before);
    await tenancy.organization(partnerId, { name: '0 newest' });
    const pages = [
      await tenancy.admin(partnerId).get('/orgs/organizations?limit=2'),
      await tenancy.admin(partnerId).get('/orgs/organizations?limit=2&page=2'),
    ];
    expect(pages.flatMap(({ body }) => names(body))).toEqual(['C', 'A', 'B', '0 newest']);
    expect((await tenancy.admin(partnerId).get('/orgs/partners/me')).body.settings.organizationOrder).toEqual([
      c.id,
      a.id,
      b.id,
    ]);
    expect(names((await tenancy.admin(partnerId).get('/orgs')).body)).toEqual(['0 newest', 'A', 'B', 'C']);
  });

  it('takes as many organisations as it allows, which is more than other bodies hold', async () => {
    const { id } = await tenancy.organization(partnerId, { name: 'Only' });
    const organizationOrder = [id, ...Array.from({ length: 9_999 }, () => newId())];
    const order = (ids: string[]) =>
      tenancy.admin(partnerId).patch('/orgs/organizations/order').send({ organizationOrder: ids });
    expect((await order(organizationOrder)).body).toEqual({ organizationOrder: [id] });
    expect((await order([...organizationOrder, newId()])).status).toBe(400);
  });

  it('is for callers who see all organisations of the partner', async () => {
    expect(
      (
        await tenancy
          .as(aPartnerAdmin(partnerId, { orgs: [newId()] }))
          .patch('/orgs/organizations/order')
          .send({ organizationOrder: [] })
      ).status,
    ).toBe(403);
  });
});

const names = (body: { data: { name: string }[] }): string[] => body.data.map(({ name }) => name);
