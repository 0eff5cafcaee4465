import { SsoEnforcementChanged } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { atOnce } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { SsoHarness } from './sso.harness.ts';

const sso = await SsoHarness.start([]);
const tenant = await sso.tenant();
afterAll(() => sso.stop());

describe('IDY-95 versions', () => {
  const role = () => ({ name: newId(), axis: 'partner', permissions: ['devices:read'] });
  const provider = () => ({ orgId: tenant.orgId, name: 'IdP', type: 'oidc' });

  it('enforcement of a new provider is told like any other, and begins with its activation (SSO-201)', async () => {
    const [wished, plain] = await Promise.all(
      [true, false].map((enforceSSO) => admin.post('/sso/providers').send({ ...provider(), enforceSSO })),
    );
    expect(wished?.body.data).toMatchObject({
      status: 'inactive',
      enforceSSO: true,
      enforcement: { stage: 'enforce' },
    });
    const ids = [wished, plain].map((answer) => answer?.body.data.id as string);
    const told = (await sso.service.emitted(SsoEnforcementChanged)).map(({ data }) => data);
    expect(told.filter(({ providerId }) => ids.includes(providerId))).toMatchObject([
      { providerId: ids[0], stage: 'enforce', enforceAt: null, cause: 'person' },
    ]);
  });

  it.each([
    ['/roles', role],
    ['/sso/providers', provider],
  ])('IDY-95 refuse a change of another version: %s', async (route, body) => {
    const made = await admin.post(route).send(body());
    const { id, version } = made.body.data;
    expect([made.headers['etag'], version]).toEqual(['"1"', 1]);
    const address = `${route}/${id}`;
    const changed = await admin.patch(address).set('If-Match', '"1"').send({ name: newId() });
    expect([changed.status, changed.headers['etag'], changed.body.data.version]).toEqual([200, '"2"', 2]);
    for (const answer of [
      await admin.patch(address).set('If-Match', '"1"').send({ name: 'Newer' }),
      await admin.delete(address).set('If-Match', '"1"'),
    ])
      expect(answer.body).toMatchObject({ status: 412, code: 'version_conflict', currentVersion: 2 });
    const listed = (await admin.get(`${route}?orgId=${tenant.orgId}`.replace(/^\/roles.*/u, '/roles'))).body.data;
    expect(listed.find((one: { id: string }) => one.id === id)).toEqual(changed.body.data);
    const any = await admin.patch(address).set('If-Match', '*').send({ name: newId() });
    expect(any.body.data.version).toBe(3);
    expect((await admin.delete(address).set('If-Match', '"2", "3"')).status).toBe(200);
  });

  it('IDY-95 repeat the first answer to a change that is sent again under its key', async () => {
    const { id } = (await admin.post('/sso/providers').send(provider())).body.data;
    const send = () =>
      admin.patch(`/sso/providers/${id}`).set({ 'If-Match': '"1"', 'Idempotency-Key': id }).send({ name: 'Again' });
    expect([(await send()).body.data.version, (await send()).body.data.version]).toEqual([2, 2]);
  });

  it('IDY-95 guard the status of a provider, which a test of it leaves alone', async () => {
    const { id } = (await admin.post('/sso/providers').send(provider())).body.data;
    const address = `/sso/providers/${id}`;
    const set = (ifMatch: string) =>
      admin.post(`${address}/status`).set('If-Match', ifMatch).send({ status: 'testing' });
    expect((await set('"7"')).body.code).toBe('version_conflict');
    expect((await set('"1"')).headers['etag']).toBe('"2"');
    await admin.post(`${address}/test`).send({});
    expect((await admin.get(address)).headers['etag']).toBe('"2"');
  });

  it('IDY-95 begin at 0 for branding that was never set, which may be sent back with its version', async () => {
    const put = (ifMatch: string) => admin.put(BRANDING).set('If-Match', ifMatch).send({ headline: 'Welcome' });
    expect((await admin.get(BRANDING)).headers['etag']).toBe('"0"');
    const answers = await atOnce(3, () => put('"0"'));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect((await admin.get(BRANDING)).body.data).toMatchObject({ version: 1 });
    expect((await put('"1"')).headers['etag']).toBe('"2"');
    const sentBack = await admin.put(BRANDING).send((await admin.get(BRANDING)).body.data);
    expect([sentBack.status, sentBack.body.data]).toEqual([
      200,
      expect.objectContaining({ headline: 'Welcome', version: 3 }),
    ]);
  });

  it('IDY-95 an entry of the log about a save of a role or of branding names the version that it made', async () => {
    const { id } = (await admin.post('/roles').send(role())).body.data;
    await admin.patch(`/roles/${id}`).send({ name: newId() });
    const saves = await sso.service.audits('role.update');
    expect(saves.find(({ resource }) => resource.id === id)?.details).toMatchObject({ version: 2 });
    const { version } = (await admin.put(BRANDING).send({ headline: 'Hello' })).body.data;
    const branded = await sso.service.audits('partner.login_branding.update');
    expect(branded.at(-1)?.details).toMatchObject({ version });
  });
});

const BRANDING = '/partners/me/login-branding';
const admin = sso.service.as(tenant.admin);
