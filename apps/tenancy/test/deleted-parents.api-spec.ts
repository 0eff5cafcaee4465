import { anOrgAdmin, type Client } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { besideTenancy, created, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
besideTenancy((started) => (tenancy = started));

describe('what lies below a deleted parent', () => {
  it.each([['organization'], ['partner']])('ATK-32a: is read by the system, below a deleted %s', async (parent) => {
    const below = await thingsBelow();
    const path = parent === 'partner' ? `/orgs/partners/${below.partnerId}` : `/orgs/organizations/${below.orgId}`;
    expect((await tenancy.system.delete(path)).status).toBe(200);
    expect((await tenancy.system.get(path)).status).toBe(404);
    expect(await statuses(tenancy.system, below.single)).toEqual(all(below.single, 200));
    expect(await listed(tenancy.system, below)).toEqual(all(below.lists.keys(), true));
  });

  it('ATK-32b: is neither read nor listed by others, below a deleted organisation', async () => {
    const below = await thingsBelow();
    const { partnerId, orgId } = below;
    await tenancy.admin(partnerId).delete(`/orgs/organizations/${orgId}`);
    for (const client of [
      tenancy.admin(partnerId),
      tenancy.as(anOrgAdmin(partnerId, orgId)),
      tenancy.admin((await tenancy.partner()).id),
    ]) {
      const { [below.single[0] ?? '']: site, ...others } = await statuses(client, below.single);
      expect([403, 404]).toContain(site);
      expect(others).toEqual(all(below.single.slice(1), 404));
      const unseen = {
        ...all(below.lists.keys(), false),
        [`/orgs/organizations/${orgId}/contacts`]: 404,
        [`/orgs/sites?orgId=${orgId}`]: 403,
      };
      expect(await listed(client, below)).toEqual(unseen);
    }
  });

  it.each([['organization'], ['partner']])(
    'ATK-32c: cannot be changed, not even by the system, below a deleted %s',
    async (parent) => {
      const below = await thingsBelow();
      const organization = `/orgs/organizations/${below.orgId}`;
      await tenancy.system.delete(parent === 'partner' ? `/orgs/partners/${below.partnerId}` : organization);
      expect((await tenancy.system.patch(organization).send({ name: 'x' })).status).toBe(404);
      const made = await tenancy.system.post('/orgs/sites').send({ orgId: below.orgId, name: 'x' });
      expect(made.body).toMatchObject({ status: 404, code: 'organization_not_found' });
      for (const path of below.single.filter((each) => !/custom-fields\/|effective|enrollment/.test(each))) {
        const body = path.endsWith('/custom-fields')
          ? { values: { f: 'x' } }
          : path.includes('/devices/')
            ? { displayName: 'x' }
            : { name: 'x' };
        expect({ path, status: (await tenancy.system.patch(path).send(body)).status }).toEqual({ path, status: 404 });
      }
      expect((await tenancy.system.delete(below.single[0] ?? '')).status).toBe(404);
    },
  );

  it.each([
    ['/custom-fields', { fieldKey: 'f', type: 'text', ownerScope: 'partner' }],
    ['/configuration-policies', { features: {}, ownerScope: 'partner' }],
    ['/scripts', { content: 'x', availability: 'partner' }],
  ])('ATK-32c: cannot be changed where it belonged to the deleted partner as a whole: %s', async (path, fields) => {
    const { id: partnerId } = await tenancy.partner();
    const { data, id } = created<Made>(
      await tenancy
        .admin(partnerId)
        .post(path)
        .send({ name: 'N', ...fields }),
    );
    const address = `${path}/${data?.id ?? id}`;
    await tenancy.system.delete(`/orgs/partners/${partnerId}`);
    for (const refused of [
      await tenancy.system.patch(address).send({ name: 'x' }),
      await tenancy.system.delete(address),
    ])
      expect(refused.body).toMatchObject({ status: 404, code: 'partner_not_found' });
    expect((await tenancy.system.get(address)).status).toBe(200);
  });
});

interface Below {
  readonly partnerId: string;
  readonly orgId: string;
  /** Addresses of one thing each. */
  readonly single: readonly string[];
  /** Addresses of lists, each with the id of something that belongs in it. */
  readonly lists: ReadonlyMap<string, string>;
}

type Made = { readonly id: string; readonly data: { readonly id: string } };

async function thingsBelow(): Promise<Below> {
  const { id: partnerId } = await tenancy.partner();
  const { id: orgId } = await tenancy.organization(partnerId);
  const admin = tenancy.admin(partnerId);
  const make = async (path: string, body: object): Promise<Made> => created(await admin.post(path).send(body));
  const { id: siteId } = await tenancy.site(partnerId, orgId);
  const key = await tenancy.enrollmentKey(partnerId, orgId, { siteId });
  const { deviceId } = await tenancy.device(key.key);
  const owned = { ownerScope: 'organization', orgId };
  const { data: contact } = await make(`/orgs/organizations/${orgId}/contacts`, { name: 'Ann' });
  const { data: group } = await make('/device-groups', { orgId, name: 'Group' });
  const { data: field } = await make('/custom-fields', { name: 'F', fieldKey: 'f', type: 'text', ...owned });
  const policies = await make('/configuration-policies', { name: 'P', features: {}, ...owned });
  const scripts = await make('/scripts', { name: 'S', content: 'x', orgId });
  const [policy, script] = [policies, scripts].map((made) => made.data ?? made);
  const lists = new Map([
    [`/orgs/sites?orgId=${orgId}`, siteId],
    [`/devices?orgId=${orgId}`, deviceId],
    [`/orgs/organizations/${orgId}/contacts`, contact.id],
    [`/device-groups?orgId=${orgId}`, group.id],
    [`/enrollment-keys?orgId=${orgId}`, key.id],
    [`/custom-fields?orgId=${orgId}`, field.id],
    [`/configuration-policies?orgId=${orgId}`, policy?.id ?? ''],
    [`/scripts?orgId=${orgId}`, script?.id ?? ''],
  ]);
  const single = [
    `/orgs/sites/${siteId}`,
    `/devices/${deviceId}`,
    `/devices/${deviceId}/custom-fields`,
    `/devices/${deviceId}/effective-configuration`,
    `/device-groups/${group.id}`,
    `/enrollment-keys/${key.id}`,
    `/custom-fields/${field.id}`,
    `/configuration-policies/${policy?.id}`,
    `/scripts/${script?.id}`,
  ];
  return { partnerId, orgId, single, lists };
}

const statuses = async (client: Client, paths: Iterable<string>) =>
  Object.fromEntries(
    await Promise.all([...paths].map(async (path) => [path, (await client.get(path)).status] as const)),
  );
const all = (paths: Iterable<string>, status: unknown) => Object.fromEntries([...paths].map((path) => [path, status]));

async function listed(client: Client, { lists }: Below): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [path, id] of lists) {
    const { status, body } = await client.get(path);
    found[path] = status === 200 ? body.data.some((row: { id: string }) => row.id === id) : status;
  }
  return found;
}
