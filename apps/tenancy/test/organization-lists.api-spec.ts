import type { Client } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideTenancy, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
let partnerId: string;
let admin: Client;
besideTenancy((started) => (tenancy = started));
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  admin = tenancy.admin(partnerId);
});

describe('the list of organisations', () => {
  beforeEach(async () => {
    for (const [name, status] of [
      ['Beta', 'active'],
      ['Alpha', 'trial'],
      ['Delta', 'suspended'],
    ])
      await tenancy.organization(partnerId, { name, status });
    const { id } = await tenancy.organization(partnerId, { name: 'Gamma' });
    await admin.post(`/orgs/organizations/${id}/archive`);
    const { id: deleted } = await tenancy.organization(partnerId, { name: 'Epsilon' });
    await admin.delete(`/orgs/organizations/${deleted}`);
  });

  it.each([
    ['', ['Alpha', 'Beta', 'Delta']],
    ['status=archived', ['Gamma']],
    ['status=trial&status=suspended', ['Alpha', 'Delta']],
    ['status=archived,active', ['Beta', 'Gamma']],
    ['status=purging', []],
    ['status=archived&search=mm', ['Gamma']],
    ['status=archived&search=eta', []],
  ])('filters by status, and shows archived organisations only then: %s', async (query, names) => {
    expect((await list(query)).sort()).toEqual(names);
  });

  it('never lists deleted organisations, whatever the status', async () => {
    const statuses = ['active', 'suspended', 'trial', 'churned', 'offboarding', 'merging', 'archived', 'purging'];
    expect((await list(`status=${statuses.join()}`)).sort()).toEqual(['Alpha', 'Beta', 'Delta', 'Gamma']);
  });

  it('shows archived organisations only to callers who reach them', async () => {
    const other = tenancy.admin((await tenancy.partner()).id);
    expect(await list('status=archived', other)).toEqual([]);
    const { id } = (await admin.get('/orgs/organizations?search=Beta')).body.data[0];
    expect(await list('status=archived,active', tenancy.admin(partnerId, { orgs: [id] }))).toEqual(['Beta']);
  });

  it.each([
    ['sort=name', ['Alpha', 'Beta', 'Delta']],
    ['sort=-name', ['Delta', 'Beta', 'Alpha']],
    ['sort=createdAt', ['Beta', 'Alpha', 'Delta']],
    ['sort=-createdAt', ['Delta', 'Alpha', 'Beta']],
    ['sort=status', ['Beta', 'Delta', 'Alpha']],
    ['sort=-name&search=ta', ['Delta', 'Beta']],
  ])('sorts: %s', async (query, names) => {
    expect(await list(query)).toEqual(names);
  });

  it.each(['sort=-name', 'sort=name', 'sort=-createdAt&search=a', ''])(
    'keeps the order across pages: %s',
    async (query) => {
      const whole = await list(query);
      const pages: string[] = [];
      for (const page of [1, 2, 3, 4]) pages.push(...(await list(`${query}&limit=1&page=${page}`)));
      expect(pages).toEqual(whole);
      expect(whole).toHaveLength(3);
    },
  );

  it.each(['status=gone', 'status=', 'sort=slug', 'sort=--name', 'sort=name&sort=-name', 'stauts=active'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await admin.get(`/orgs/organizations?${query}`);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    },
  );
});

describe('the lists of sites and contacts', () => {
  let orgId: string;
  beforeEach(async () => {
    orgId = (await tenancy.organization(partnerId)).id;
  });

  it.each([
    ['sort=name', ['A', 'B', 'C']],
    ['sort=-name', ['C', 'B', 'A']],
    ['sort=createdAt', ['B', 'C', 'A']],
    ['sort=-createdAt&limit=2', ['A', 'C']],
    ['sort=-createdAt&limit=2&page=2', ['B']],
  ])('sort: %s', async (query, names) => {
    for (const name of ['B', 'C', 'A']) {
      await tenancy.site(partnerId, orgId, { name });
      await admin.post(`/orgs/organizations/${orgId}/contacts`).send({ name });
    }
    expect(namesOf(await admin.get(`/orgs/sites?orgId=${orgId}&${query}`))).toEqual(names);
    expect(namesOf(await admin.get(`/orgs/organizations/${orgId}/contacts?${query}`))).toEqual(names);
  });

  it('sort contacts without an address last', async () => {
    for (const contact of [
      { name: 'none' },
      { name: 'b', email: 'b@example.test' },
      { name: 'a', email: 'a@example.test' },
    ])
      await admin.post(`/orgs/organizations/${orgId}/contacts`).send(contact);
    const sorted = (sort: string) => admin.get(`/orgs/organizations/${orgId}/contacts?sort=${sort}`);
    expect(namesOf(await sorted('email'))).toEqual(['a', 'b', 'none']);
    expect(namesOf(await sorted('-email'))).toEqual(['none', 'b', 'a']);
  });
});

const namesOf = ({ body }: { body: { data: { name: string }[] } }): string[] => body.data.map(({ name }) => name);
const list = async (query: string, client = admin) => namesOf(await client.get(`/orgs/organizations?${query}`));
