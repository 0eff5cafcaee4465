import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, atOnce, type Client } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { created, Tenancy } from './tenancy.harness.ts';

let orgId: string;
let admin: Client;

const tenancy = await Tenancy.start();
const partnerId = (await tenancy.partner()).id;
afterAll(() => tenancy.stop());
beforeEach(async () => {
  orgId = (await tenancy.organization(partnerId)).id;
  admin = tenancy.admin(partnerId);
});

describe('contacts', () => {
  it('stores e-mail addresses in lower case and defaults roles to none', async () => {
    expect(await add({ name: 'Ann', email: 'Ann@Example.TEST' })).toMatchObject({
      orgId,
      siteId: null,
      name: 'Ann',
      email: 'ann@example.test',
      roles: [],
      isPrimary: false,
    });
    expect((await tenancy.service.audits('contact.create')).at(-1)).toMatchObject({
      partnerId,
      orgId,
      result: 'success',
    });
  });

  it.each([[{}], [{ name: '  ' }], [{ title: 'CEO', email: '' }], [{ name: null }], [{ phone: '\u200b' }]])(
    'answers no-identifier to %j',
    async (fields) => {
      expect((await admin.post(contacts()).send(fields)).body).toMatchObject({ status: 400, code: 'no-identifier' });
    },
  );

  it('counts and stores texts without the blanks around them', async () => {
    const name = 'x'.repeat(255);
    const sent = { name: ` ${name}\u200b`, email: '\u200bann@example.test', title: ' CEO ', notes: '  ' };
    expect(await add(sent)).toMatchObject({ name, email: 'ann@example.test', title: 'CEO', notes: null });
  });

  it('answers invalid-role, and 400 for what is too long', async () => {
    expect((await admin.post(contacts()).send({ name: 'x', roles: ['king'] })).body).toMatchObject({
      status: 400,
      code: 'invalid-role',
    });
    expect((await admin.post(contacts()).send({ name: 'x', notes: 'n'.repeat(5001) })).status).toBe(400);
    expect(
      (await admin.post(contacts()).send({ name: 'x', email: `${'a'.repeat(64)}@${'b'.repeat(260)}.test` })).status,
    ).toBe(400);
    expect((await admin.post(contacts()).send({ name: 'x', isPrimary: 'false' })).status).toBe(400);
  });

  it('answers site-not-in-org for a site of another organisation, on POST and PATCH', async () => {
    const other = await tenancy.site(partnerId, (await tenancy.organization(partnerId)).id);
    expect((await admin.post(contacts()).send({ name: 'x', siteId: other.id })).body).toMatchObject({
      status: 400,
      code: 'site-not-in-org',
    });
    const { id } = await add({ name: 'x' });
    expect((await admin.patch(`/orgs/contacts/${id}`).send({ siteId: other.id })).body).toMatchObject({
      status: 400,
      code: 'site-not-in-org',
    });
  });

  it('clears by null, keeps what is omitted, and never loses the last identifier', async () => {
    const { id } = await add({ name: 'Ann', phone: '1', notes: 'n', roles: ['billing'] });
    expect((await admin.patch(`/orgs/contacts/${id}`).send({ name: null })).body.data).toMatchObject({
      name: null,
      phone: '1',
      notes: 'n',
      roles: ['billing'],
    });
    expect((await admin.patch(`/orgs/contacts/${id}`).send({ phone: null })).body).toMatchObject({
      status: 400,
      code: 'no-identifier',
    });
    expect((await admin.patch(`/orgs/contacts/${id}`).send({ roles: null, notes: null })).body.data).toMatchObject({
      roles: [],
      notes: null,
      phone: '1',
    });
    expect((await admin.patch(`/orgs/contacts/${id}`).send({ orgId: newId() })).body).toMatchObject({
      status: 400,
      code: 'no_updates_provided',
    });
  });

  it('demotes the previous primary of the same scope only', async () => {
    const site = await tenancy.site(partnerId, orgId);
    const [first, ofSite] = [
      await add({ name: 'first', isPrimary: true }),
      await add({ name: 'site', siteId: site.id, isPrimary: true }),
    ];
    const second = await add({ name: 'second', isPrimary: true });
    const primaries = async () =>
      (
        await tenancy.service.sql<{ id: string }>(
          'SELECT id FROM contacts WHERE org_id = $1 AND is_primary ORDER BY id',
          [orgId],
        )
      ).map(({ id }) => id);
    expect(await primaries()).toEqual([ofSite.id, second.id].sort());
    await admin.patch(`/orgs/contacts/${ofSite.id}`).send({ siteId: null });
    expect(await primaries()).toEqual([ofSite.id]);
    expect((await admin.patch(`/orgs/contacts/${first.id}`).send({ isPrimary: true })).body.data.isPrimary).toBe(true);
    expect(await primaries()).toEqual([first.id]);
  });

  it('has exactly one primary after fifty writers at once', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, (_, at) => add({ name: `c${at}` })));
    const promote = (at: number) => admin.patch(`/orgs/contacts/${all[at % 10]?.id}`).send({ isPrimary: true });
    const answers = await atOnce(50, promote);
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await tenancy.service.sql('SELECT id FROM contacts WHERE org_id = $1 AND is_primary', [orgId])).toHaveLength(
      1,
    );
  });

  it('filters by site, by none and by role, with exact totals', async () => {
    const site = await tenancy.site(partnerId, orgId);
    await add({ name: 'A', roles: ['billing', 'site'] });
    await add({ name: 'B', siteId: site.id, roles: ['site'] });
    const names = async (query: string) =>
      (await admin.get(`${contacts()}?${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect([
      await names(''),
      await names(`siteId=${site.id}`),
      await names('siteId=none'),
      await names('role=site'),
      await names('role=billing'),
    ]).toEqual([['A', 'B'], ['B'], ['A'], ['A', 'B'], ['A']]);
    expect((await admin.get(`${contacts()}?limit=1`)).body.pagination).toEqual({ page: 1, limit: 1, total: 2 });
    expect((await admin.get(`${contacts()}?siteId=x`)).status).toBe(400);
    for (const role of ['king', ''])
      expect((await admin.get(`${contacts()}?role=${role}`)).body.code).toBe('invalid-role');
  });

  it('is out of reach for another partner', async () => {
    const { id } = await add({ name: 'x' });
    const stranger = tenancy.admin((await tenancy.partner()).id);
    for (const answer of [
      await stranger.patch(`/orgs/contacts/${id}`).send({ name: 'y' }),
      await stranger.delete(`/orgs/contacts/${id}`),
    ])
      expect(answer.body).toMatchObject({ status: 404, code: 'contact_not_found' });
    for (const answer of [await stranger.get(contacts()), await stranger.post(contacts()).send({ name: 'y' })])
      expect(answer.body).toMatchObject({ status: 404, code: 'organization_not_found' });
    expect((await admin.delete(`/orgs/contacts/${id}`)).body).toEqual({ success: true });
  });

  it('keeps a caller confined to sites from contacts pinned outside them, and from moving its own there', async () => {
    const [mine, other] = [await tenancy.site(partnerId, orgId), await tenancy.site(partnerId, orgId)];
    const [own, ofOther] = [
      await add({ name: 'own', siteId: mine.id }),
      await add({ name: 'other', siteId: other.id }),
    ];
    const confined = tenancy.as(anOrgAdmin(partnerId, orgId, { sites: [mine.id] }));
    expect((await confined.get(contacts())).body).toMatchObject({ data: [{ id: own.id }], pagination: { total: 1 } });
    expect((await confined.get(`${contacts()}?siteId=${other.id}`)).body.pagination.total).toBe(0);
    expect((await confined.patch(`/orgs/contacts/${ofOther.id}`).send({ name: 'y' })).status).toBe(404);
    for (const siteId of [other.id, null])
      expect((await confined.patch(`/orgs/contacts/${own.id}`).send({ siteId })).body).toMatchObject({
        status: 403,
        code: 'site_access_denied',
      });
    expect((await confined.post(contacts()).send({ name: 'x' })).body).toMatchObject({
      status: 403,
      code: 'site_access_denied',
    });
  });

  it('is refused by storage too', async () => {
    const insert = (columns: string, values: string) =>
      tenancy.service.sql(
        `INSERT INTO contacts (id, partner_id, org_id, ${columns}) VALUES (gen_random_uuid(), $1, $2, ${values})`,
        [partnerId, orgId],
      );
    await expect(insert('title', `'x'`)).rejects.toThrow('contact_has_identifier');
    await expect(insert('name, roles', `'x', '{king}'`)).rejects.toThrow('contact_roles_are_known');
    await expect(insert('name, site_id', `'x', gen_random_uuid()`)).rejects.toThrow('contact_site_in_organization');
    await insert('name, is_primary', `'x', true`);
    await expect(insert('name, is_primary', `'y', true`)).rejects.toThrow('contact_one_primary_per_scope');
  });

  it('leaves a deleted site for the organisation', async () => {
    const site = await tenancy.site(partnerId, orgId);
    const { id } = await add({ name: 'x', siteId: site.id, isPrimary: true });
    await add({ name: 'org', isPrimary: true });
    expect((await admin.delete(`/orgs/sites/${site.id}`)).status).toBe(200);
    expect(await tenancy.service.sql('SELECT site_id, is_primary FROM contacts WHERE id = $1', [id])).toEqual([
      { site_id: null, is_primary: false },
    ]);
  });
});

const contacts = (): string => `/orgs/organizations/${orgId}/contacts`;
const add = async (fields: object) =>
  created<{ data: { id: string; isPrimary: boolean; email: string } }>(await admin.post(contacts()).send(fields)).data;
