import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin, overlapping, patient } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start({ env: patient() });
const acme = await pam.tenant();
afterAll(() => pam.stop());

describe('the order of rules', () => {
  it('PAM-194 puts rules into another order at once, in one change', async () => {
    const [a, b, c] = [await create(), await create(), await create()];
    const before = await pam.rulebookVersion(acme);
    const answer = await admin.put('/pam/rules/order').send({ orgId: acme.orgId, ruleIds: [c, a, b] });
    expect(answer.status).toBe(200);
    expect(answer.body.rules.map(({ id, priority }: { id: string; priority: number }) => [id, priority])).toEqual([
      [c, 10],
      [a, 20],
      [b, 30],
    ]);
    expect(await pam.rulebookVersion(acme)).toBe(before + 1);
    const [entry, ...others] = await pam.service.audits('pam.rule.reorder');
    const priorities = { before: { [a]: 100, [b]: 100, [c]: 100 }, after: { [a]: 20, [b]: 30, [c]: 10 } };
    expect([entry?.details, others]).toEqual([{ changed: 3, changes: { priorities }, ruleIds: [c, a, b] }, []]);
    const swapped = await admin.put('/pam/rules/order').send({ ruleIds: [b, c] });
    expect(idsOf(swapped.body.rules)).toEqual([b, a, c]);
    expect(idsOf((await admin.get('/pam/rules')).body.rules)).toEqual([b, a, c]);
  });

  it('PAM-194 is changed beside a rule of it without a deadlock', async () => {
    const [a, b] = [await create(), await create()];
    const { body } = await admin.post('/pam/signer-groups').send({ name: 'Known', signers: ['Acme'] });
    const group: string = body.signerGroup.id;
    const change = () => admin.patch(`/pam/rules/${a}`).send({ matchSignerGroupId: group });
    const order = () => admin.put('/pam/rules/order').send({ ruleIds: [b, a] });
    const lock = `SELECT FROM signer_groups WHERE id = '${group}' FOR UPDATE`;
    const answers = await overlapping<Response>(pam.service, lock, change, order);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const deadlocks = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
    expect(await pam.service.sql(deadlocks)).toEqual([{ deadlocks: 0 }]);
  });

  it('PAM-194 refuses what it cannot order', async () => {
    const [own, other] = [await create(), await pam.tenant(acme.partnerId)];
    const foreign = await create(pam.as(anOrgAdmin(other.partnerId, other.orgId)));
    const order = (ruleIds: string[], client = admin) => client.put('/pam/rules/order').send({ ruleIds });
    expect((await order([own, own])).body.code).toBe('validation_failed');
    expect((await order([])).body.code).toBe('validation_failed');
    expect((await order([own, foreign])).body.code).toBe('rule_not_found');
    expect((await order([own, newId()])).body.code).toBe('rule_not_found');
    const atSite = pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { sites: [acme.siteId] }));
    expect((await order([own], atSite)).body.code).toBe('site_access_denied');
    const partner = pam.as(aPartnerAdmin(acme.partnerId));
    expect((await order([own], partner)).body.code).toBe('org_required');
    expect((await order([own], pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { mfa: false })))).body.code).toBe(
      'mfa_required',
    );
  });

  it('PAM-195 copies a rule to other organisations, each with its own result', async () => {
    const [sister, frozen, stranger] = [
      await pam.tenant(acme.partnerId),
      await pam.tenant(acme.partnerId),
      await pam.tenant(),
    ];
    await pam.organizationIs(frozen, 'archived', 2);
    const partner = pam.as(aPartnerAdmin(acme.partnerId));
    const id = await create(admin, { priority: 7, timeWindow: { start: '08:00', end: '17:00' } });
    const copyTo = (orgIds: string[], of = id, key?: string) => {
      const call = partner.post(`/pam/rules/${of}/copies`);
      return (key ? call.set('Idempotency-Key', key) : call).send({ orgIds });
    };
    const key = newId();
    const orgIds = [sister, frozen, stranger, acme].map(({ orgId }) => orgId);
    const answer = await copyTo(orgIds, id, key);
    expect(answer.status).toBe(200);
    expect(answer.body.copies).toEqual([
      { orgId: sister.orgId, ruleId: expect.any(String), code: null },
      { orgId: frozen.orgId, ruleId: null, code: 'organization_frozen' },
      { orgId: stranger.orgId, ruleId: null, code: 'organization_not_found' },
      { orgId: acme.orgId, ruleId: null, code: 'conflict' },
    ]);
    expect((await copyTo(orgIds, id, key)).body).toEqual(answer.body);
    expect((await copyTo([sister.orgId], id, key)).body.code).toBe('idempotency_key_reused');
    const { rules } = (await partner.get(`/pam/rules?orgId=${sister.orgId}`)).body;
    expect(rules).toEqual([expect.objectContaining({ ...RULE, priority: 7, version: 1, orgId: sister.orgId })]);
    const atSite = await create(admin, { siteId: acme.siteId });
    expect((await copyTo([sister.orgId], atSite)).body.copies[0].code).toBe('site_not_in_org');
    expect((await copyTo([sister.orgId, sister.orgId])).body.code).toBe('validation_failed');
    expect((await copyTo([sister.orgId], newId())).body.code).toBe('rule_not_found');
    expect((await copyTo(Array.from({ length: 101 }, newId))).body.code).toBe('validation_failed');
    const confined = aPartnerAdmin(acme.partnerId, { sites: [sister.siteId] });
    const refused = await pam
      .as(confined)
      .post(`/pam/rules/${id}/copies`)
      .send({ orgIds: [sister.orgId] });
    expect(refused.body.copies[0].code).toBe('site_access_denied');
    const denied = (await pam.service.audits('pam.rule.create')).filter(({ result }) => result === 'denied');
    expect(denied).toMatchObject([
      { orgId: sister.orgId, details: { code: 'site_access_denied', copiedFrom: id }, actor: { id: confined.userId } },
    ]);
    await admin.delete(`/pam/rules/${id}`).expect(200);
    expect((await copyTo(orgIds, id, key)).body.copies[0]).toEqual(answer.body.copies[0]);
    expect((await copyTo([sister.orgId], id, key)).body.code).toBe('idempotency_key_reused');
    for (const other of [newId(), undefined])
      expect((await copyTo(orgIds, id, other)).body).toMatchObject({ status: 404, code: 'rule_not_found' });
  });

  it('PAM-195 copies no rule that has expired', async () => {
    const sister = await pam.tenant(acme.partnerId);
    const id = await create(admin, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await pam.service.sql('UPDATE pam_rules SET expires_at = now() WHERE id = $1', [id]);
    const partner = pam.as(aPartnerAdmin(acme.partnerId));
    const { body } = await partner.post(`/pam/rules/${id}/copies`).send({ orgIds: [sister.orgId] });
    expect(body.copies).toEqual([{ orgId: sister.orgId, ruleId: null, code: 'validation_failed' }]);
  });

  it('PAM-354 keeps the author of a copied rule as an editor of the copy', async () => {
    const sister = await pam.tenant(acme.partnerId);
    const author = await pam.technician(acme);
    const there = await pam.technician(sister, { userId: author.userId, email: author.email });
    const id = await create(pam.as(author), { verdict: 'auto_approve', matchUser: author.email, matchHash: null });
    const policy = { levels: [], default: { approvals: 1 }, separation: { ruleEditors: true, aiRequester: false } };
    await pam.as(anOrgAdmin(sister.partnerId, sister.orgId)).put('/pam/approval-policy').send(policy).expect(200);
    const partner = pam.as(aPartnerAdmin(acme.partnerId));
    const { copies } = (await partner.post(`/pam/rules/${id}/copies`).send({ orgIds: [sister.orgId] })).body;
    expect(copies).toEqual([{ orgId: sister.orgId, ruleId: expect.any(String), code: null }]);
    const asked = await pam.as(there).post('/pam/elevation-requests').send({ deviceId: sister.deviceId, reason: 'x' });
    expect(asked.body.status).toBe('pending');
    const entry = (await pam.service.audits('pam.rule.create')).find(({ details }) => details?.['copiedFrom'] === id);
    expect(entry?.details).toMatchObject({ copiedFrom: id, sourceAuthor: { id: author.userId } });
    const draft = { deviceId: sister.deviceId, flowType: 'tech_jit_admin', subjectUsername: author.email };
    const { explanation } = (await pam.as(there).post('/pam/decisions/explain').send(draft)).body;
    expect(explanation.matched.editors).toContainEqual(expect.objectContaining({ userId: author.userId }));
  });

  const create = async (client = admin, body = {}): Promise<string> =>
    (await client.post('/pam/rules').send({ ...RULE, ...body })).body.rule.id;
  const idsOf = (rules: { id: string }[]): string[] => rules.map(({ id }) => id);
});

const RULE = { name: 'Rule', verdict: 'auto_deny', matchUser: 'ann' };
const admin = pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
