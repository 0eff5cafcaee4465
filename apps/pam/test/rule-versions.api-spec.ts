import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin, atOnce } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start();
const acme = await pam.tenant();
afterAll(() => pam.stop());

describe('PAM-192 versions', () => {
  const rule = { name: 'Rule', verdict: 'auto_deny', matchUser: 'ann' };
  const policy = () => ({
    name: 'Tools',
    mode: 'audit',
    target: { level: 'organization', id: acme.orgId },
    rules: [{ name: 'x', signer: 'Contoso' }],
  });

  it.each([
    ['/pam/rules', 'rule', () => rule],
    ['/pam/signer-groups', 'signerGroup', () => ({ name: 'Vendors' })],
    ['/pam/software-policies', 'softwarePolicy', policy],
  ])('PAM-192 refuse a change of another version: %s', async (route, member, body) => {
    const made = await admin.post(route).send(body());
    const { id, version } = made.body[member];
    expect([made.headers['etag'], version]).toEqual(['"1"', 1]);
    const address = `${route}/${id}`;
    const changed = await admin.patch(address).set('If-Match', '"1"').send({ name: 'New' });
    expect([changed.status, changed.headers['etag']]).toEqual([200, '"2"']);
    for (const answer of [
      await admin.patch(address).set('If-Match', '"1"').send({ name: 'Newer' }),
      await admin.delete(address).set('If-Match', '"1"'),
    ])
      expect(answer.body).toMatchObject({ status: 412, code: 'version_conflict', currentVersion: 2 });
    expect((await admin.patch(address).set('If-Match', '*').send({ name: 'Newest' })).body[member].version).toBe(3);
    expect((await admin.delete(address).set('If-Match', '"2", "3"')).status).toBe(200);
  });

  it.each([
    ['/pam/config', 'config', { defaultUnmatchedVerdict: 'auto_deny' }],
    ['/pam/approval-policy', 'approvalPolicy', { default: { pendingMinutes: 20 } }],
    ['/pam/escalation-policy', 'escalationPolicy', { tellDevice: true }],
    ['/pam/justification-policy', 'justificationPolicy', { reason: { mode: 'required' } }],
  ])('PAM-192 begin at 0 for what was never changed, and may be sent back with it: %s', async (route, member, body) => {
    const { orgId, partnerId } = await pam.tenant();
    const client = pam.as(anOrgAdmin(partnerId, orgId));
    const put = (version: string) => client.put(route).set('If-Match', version).send(body);
    expect((await client.get(route)).headers['etag']).toBe('"0"');
    const answers = await atOnce(3, () => put('"0"'));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect((await client.get(route)).body[member]).toMatchObject({ version: 1 });
    expect((await put('"1"')).headers['etag']).toBe('"2"');
    const read = (await client.get(route)).body[member];
    const sentBack = await client.put(route).send(read);
    expect([sentBack.status, sentBack.body[member]]).toEqual([200, { ...read, version: 3 }]);
  });

  it('shows one rule with its author, within reach', async () => {
    const tenant = await pam.tenant();
    const boss = await pam.technician(tenant, { name: 'Ann Author' });
    const { id } = (
      await pam
        .as(boss)
        .post('/pam/rules')
        .send({ ...rule, siteId: tenant.siteId })
    ).body.rule;
    const answer = await pam.as(boss).get(`/pam/rules/${id}`);
    expect([answer.status, answer.headers['etag']]).toEqual([200, '"1"']);
    expect(answer.body.rule).toMatchObject({ id, createdByName: 'Ann Author', matchRiskTierStale: false });
    const elsewhere = anOrgAdmin(tenant.partnerId, tenant.orgId, { sites: [tenant.otherSiteId] });
    for (const principal of [aPartnerAdmin(newId()), anOrgAdmin(acme.partnerId, acme.orgId), elsewhere])
      expect((await pam.as(principal).get(`/pam/rules/${id}`)).body.code).toBe('rule_not_found');
    expect((await admin.get('/pam/rules/x')).body.code).toBe('validation_failed');
  });

  it('PAM-193 come in pages when one is named, and whole otherwise', async () => {
    const { orgId, partnerId } = await pam.tenant();
    const client = pam.as(anOrgAdmin(partnerId, orgId));
    for (const priority of [1, 2, 3]) await client.post('/pam/rules').send({ ...rule, priority });
    const whole = (await client.get('/pam/rules')).body;
    expect([whole.rules.length, whole.pagination]).toEqual([3, undefined]);
    const second = (await client.get('/pam/rules?limit=2&page=2')).body;
    expect(second.rules.map(({ priority }: { priority: number }) => priority)).toEqual([3]);
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 3 });
    expect((await client.get('/pam/rules?limit=1000')).body.pagination).toEqual({ page: 1, limit: 100, total: 3 });
    for (const route of ['/pam/signer-groups', '/pam/software-policies', '/approvals'])
      expect((await client.get(`${route}?page=1`)).body.pagination).toEqual({ page: 1, limit: 50, total: 0 });
  });
});

const admin = pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
