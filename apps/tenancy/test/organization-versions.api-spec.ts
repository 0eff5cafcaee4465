import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Tenancy } from './tenancy.harness.ts';

const tenancy = await Tenancy.start();
const admin = tenancy.admin((await tenancy.partner()).id);
afterAll(() => tenancy.stop());

describe('TEN-88 versions', () => {
  const organization = () => ({ name: 'Org', slug: `org-${newId()}` });
  const policy = () => ({ name: 'Policy', ownerScope: 'partner', features: {} });

  it.each([
    ['/orgs/organizations', organization],
    ['/configuration-policies', policy],
  ])('TEN-88 refuse a change of another version: %s', async (route, body) => {
    const made = await admin.post(route).send(body());
    const { id, version } = recordOf(made.body);
    expect([made.headers['etag'], version]).toEqual(['"1"', 1]);
    const address = `${route}/${id}`;
    const change = (tag: string) => admin.patch(address).set('If-Match', tag).send({ name: newId() });
    const answers = await Promise.all([change('"1"'), change('"1"'), change('"1"')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const read = await admin.get(address);
    const changed = answers.find(({ status }) => status === 200);
    expect([read.headers['etag'], read.body]).toEqual(['"2"', changed?.body]);
    for (const answer of [await change('"1"'), await admin.delete(address).set('If-Match', '"1"')])
      expect(answer.body).toMatchObject({ status: 412, code: 'version_conflict', currentVersion: 2 });
    const [listed] = (await admin.get(route)).body.data;
    expect(listed).toMatchObject({ id, version: 2 });
    expect(recordOf((await change('*')).body).version).toBe(3);
    expect((await admin.delete(address).set('If-Match', '"2", "3"')).status).toBe(200);
  });

  it('TEN-88 leave assignments out', async () => {
    const partnerId = (await tenancy.partner()).id;
    const client = tenancy.admin(partnerId);
    const { id } = (await client.post('/configuration-policies').send(policy())).body.data;
    await client.post(`/configuration-policies/${id}/assignments`).send({ level: 'partner', targetId: partnerId });
    expect((await client.get(`/configuration-policies/${id}`)).headers['etag']).toBe('"1"');
  });

  const recordOf = (body: { data?: object }) => (body.data ?? body) as { id: string; version: number };
});
