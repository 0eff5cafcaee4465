import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { DeviceGroupChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start();
const acme = await pam.tenant();
await pam.partnerIs(acme);
afterAll(() => pam.stop());

describe('software policies', () => {
  it('are created with their defaults, bumping the rulebook', async () => {
    const before = await pam.rulebookVersion(acme);
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(answer.body.softwarePolicy).toEqual({
      id: expect.any(String),
      orgId: acme.orgId,
      name: 'Tools',
      mode: 'blocklist',
      priority: 100,
      enabled: true,
      target: toOrg(),
      rules: [{ name: 'miner', sha256: 'ab'.repeat(32) }],
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await pam.rulebookVersion(acme)).toBe(before + 1);
    expect(
      (await admin().get(`/pam/software-policies/${answer.body.softwarePolicy.id}`)).body.softwarePolicy.name,
    ).toBe('Tools');
  });

  it('hold what they look for without the spaces around it, as rules do', async () => {
    const lines = [
      { name: ' signer ', signer: ' Acme Corp ' },
      { name: 'publisher', publisher: 'Acme\t' },
      { name: 'glob', pathGlob: ' C:/My Tools/** ' },
      { name: 'none', signer: 'x', publisher: null },
    ];
    expect((await create({ rules: lines })).body.softwarePolicy.rules).toEqual([
      { name: 'signer', signer: 'Acme Corp' },
      { name: 'publisher', publisher: 'Acme' },
      { name: 'glob', pathGlob: 'C:/My Tools/**' },
      { name: 'none', signer: 'x', publisher: null },
    ]);
  });

  it('may list a thousand rules, which is more than the body of another request holds', async () => {
    const rules = Array.from({ length: 1000 }, (_, at) => ({ name: `${at} ${'n'.repeat(100)}`, signer: 'Acme Corp' }));
    const { id } = (await create({ rules })).body.softwarePolicy;
    const replaced = await admin().patch(`/pam/software-policies/${id}`).send({ rules: rules.toReversed() });
    expect(replaced.body.softwarePolicy.rules).toEqual(rules.toReversed());
  });

  it('aim at a site or device within reach only', async () => {
    expect((await create({ target: { level: 'site', id: acme.siteId } })).body.softwarePolicy.orgId).toBe(acme.orgId);
    expect(
      (await create({ target: { level: 'device', id: acme.deviceId } }, admin({ sites: [acme.siteId] }))).status,
    ).toBe(201);
    expect(
      (await create({ target: { level: 'device', id: acme.deviceId } }, admin({ sites: [acme.otherSiteId] }))).body,
    ).toMatchObject({ status: 403, code: 'site_access_denied' });
    expect((await create({}, admin({ sites: [acme.siteId] }))).body.code).toBe('site_access_denied');
    for (const level of ['site', 'device', 'group', 'organization', 'partner'])
      expect((await create({ target: { level, id: newId() } })).body).toMatchObject({
        status: 400,
        code: 'target_not_found',
      });
    const other = await pam.tenant();
    expect((await create({ target: { level: 'organization', id: other.orgId } })).body.code).toBe('target_not_found');
  });

  it('of other sites are out of sight of callers confined to sites, those of the whole organisation are not', async () => {
    const made = async (target: object): Promise<string> => (await create({ target })).body.softwarePolicy.id;
    const near = [
      await made(toOrg()),
      await made({ level: 'site', id: acme.siteId }),
      await made({ level: 'device', id: acme.deviceId }),
    ];
    const far = [
      await made({ level: 'site', id: acme.otherSiteId }),
      await made({ level: 'device', id: acme.otherDeviceId }),
    ];
    const confined = admin({ sites: [acme.siteId] });
    const seen: string[] = (await confined.get('/pam/software-policies')).body.softwarePolicies.map(
      ({ id }: { id: string }) => id,
    );
    expect([near.every((id) => seen.includes(id)), far.some((id) => seen.includes(id))]).toEqual([true, false]);
    for (const id of far) {
      expect((await confined.get(`/pam/software-policies/${id}`)).body).toMatchObject({
        status: 404,
        code: 'software_policy_not_found',
      });
      expect((await confined.delete(`/pam/software-policies/${id}`)).body).toMatchObject({
        status: 403,
        code: 'site_access_denied',
      });
    }
  });

  it('aim at a group, also one without devices, as long as it is there', async () => {
    const group = {
      groupId: newId(),
      orgId: acme.orgId,
      partnerId: acme.partnerId,
      name: 'Laptops',
      deleted: false,
      version: 1,
    };
    await pam.service.deliver(DeviceGroupChanged, group);
    const target = { level: 'group', id: group.groupId };
    expect((await create({ target })).body.softwarePolicy).toMatchObject({ orgId: acme.orgId, target });
    const { id } = (await create({ target })).body.softwarePolicy;
    await pam.service.deliver(DeviceGroupChanged, { ...group, deleted: true, version: 3 });
    await pam.service.deliver(DeviceGroupChanged, { ...group, version: 2 });
    expect((await create({ target })).body).toMatchObject({ status: 400, code: 'target_not_found' });
    expect(
      (await admin().patch(`/pam/software-policies/${id}`).send({ enabled: false })).body.softwarePolicy,
    ).toMatchObject({ enabled: false, orgId: acme.orgId, target });
    expect((await admin().patch(`/pam/software-policies/${id}`).send({ target })).body).toMatchObject({
      status: 400,
      code: 'target_not_found',
    });
  });

  it('of a whole partner need partner-wide rights, bump every organisation, and are read by all of them', async () => {
    const sister = await pam.tenant(acme.partnerId);
    await pam
      .as(anOrgAdmin(sister.partnerId, sister.orgId))
      .put('/pam/config')
      .send({ defaultUnmatchedVerdict: 'auto_deny' });
    const before = [await pam.rulebookVersion(acme), await pam.rulebookVersion(sister)];
    const whole = { target: { level: 'partner', id: acme.partnerId } };
    expect((await create(whole)).body).toMatchObject({ status: 403, code: 'partner_access_denied' });
    expect((await create(whole, partner({ orgs: [acme.orgId] }))).body.code).toBe('partner_access_denied');
    const { id } = (await create(whole, partner())).body.softwarePolicy;
    expect([await pam.rulebookVersion(acme), await pam.rulebookVersion(sister)]).toEqual(
      before.map((version) => version + 1),
    );
    expect(
      (await admin().get('/pam/software-policies')).body.softwarePolicies.map((known: { id: string }) => known.id),
    ).toContain(id);
    expect((await admin().delete(`/pam/software-policies/${id}`)).body.code).toBe('partner_access_denied');
    expect((await partner().delete(`/pam/software-policies/${id}`)).body).toEqual({ success: true });
  });

  it('are changed in part, and bump both organisations when they move', async () => {
    const sister = await pam.tenant(acme.partnerId);
    const { id } = (await create({}, partner())).body.softwarePolicy;
    const before = [await pam.rulebookVersion(acme), await pam.rulebookVersion(sister)];
    const moved = await partner()
      .patch(`/pam/software-policies/${id}`)
      .send({ target: { level: 'organization', id: sister.orgId }, mode: 'audit' });
    expect(moved.body.softwarePolicy).toMatchObject({ orgId: sister.orgId, mode: 'audit', name: 'Tools', version: 2 });
    expect([await pam.rulebookVersion(acme), await pam.rulebookVersion(sister)]).toEqual(
      before.map((version) => version + 1),
    );
    expect((await admin().patch(`/pam/software-policies/${id}`).send({ name: 'x' })).body.code).toBe(
      'software_policy_not_found',
    );
    expect((await partner().patch(`/pam/software-policies/${id}`).send({})).body.code).toBe('no_updates_provided');
  });

  it.each([
    { name: '' },
    { mode: 'allow' },
    { target: null },
    { target: { level: 'planet', id: newId() } },
    { rules: 'x' },
    { rules: [{ name: 'empty' }] },
    { rules: [{ name: 'x', sha256: 'zz' }] },
    { rules: [{ sha256: 'a'.repeat(64) }] },
    { priority: -1 },
  ])('are refused with %j', async (body) => {
    expect((await create(body)).status).toBe(400);
  });

  it('need devices:write and a second factor', async () => {
    expect((await create({}, admin({ mfa: false }))).body.code).toBe('mfa_required');
    expect((await create({}, admin({ permissions: ['devices:read'] }))).body.code).toBe('permission_denied');
  });

  const admin = (overrides: object = {}) => pam.as(anOrgAdmin(acme.partnerId, acme.orgId, overrides));
  const partner = (overrides: object = {}) => pam.as(aPartnerAdmin(acme.partnerId, overrides));
  const toOrg = () => ({ level: 'organization', id: acme.orgId });
  const create = (body: object = {}, client = admin()) =>
    client.post('/pam/software-policies').send({
      name: 'Tools',
      mode: 'blocklist',
      target: toOrg(),
      rules: [{ name: 'miner', sha256: 'AB'.repeat(32) }],
      ...body,
    });
});
