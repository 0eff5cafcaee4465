import type { Principal } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start();
const acme = await pam.tenant();
await pam.partnerIs(acme);
afterAll(() => pam.stop());

describe('explanations', () => {
  it('PAM-104 explains a request under the rules that decided it, also after they have changed', async () => {
    const partner = aPartnerAdmin(acme.partnerId, { orgs: 'all' });
    const group = await pam
      .as(ann)
      .post('/pam/signer-groups')
      .send({ name: 'Vendors', signers: ['Acme'] });
    const miss = await ruleOf({
      name: 'Vendors',
      verdict: 'auto_deny',
      priority: 1,
      matchSignerGroupId: group.body.signerGroup.id,
    });
    const rule = await ruleOf({ name: 'Ann', verdict: 'auto_approve', matchUser: ann.email });
    const policy = await pam
      .as(partner)
      .post('/pam/software-policies')
      .send({
        name: 'Blocked',
        mode: 'blocklist',
        target: { level: 'partner', id: acme.partnerId },
        rules: [{ name: 'x', sha256: 'a'.repeat(64) }],
      });
    expect(policy.status).toBe(201);
    const id = await ask();
    const before = (await explained(id)).body.explanation;
    expect(before).toMatchObject({
      basis: 'as_decided',
      outcome: 'auto_approved',
      source: 'pam_rule',
      held: null,
      policies: [{ name: 'Blocked', level: 'partner', covers: true, matched: false, decided: false }],
      matched: { ruleId: rule, name: 'Ann', origin: 'organization', position: 2, editors: [{ userId: ann.userId }] },
      nearestMisses: [
        {
          ruleId: miss,
          position: 1,
          met: 0,
          of: 1,
          failed: { criterion: 'signerGroup', seen: null, reason: 'absent' },
        },
      ],
      laterMatches: [],
      default: { verdict: 'require_approval', used: false },
      demand: null,
      freeze: null,
      shadow: null,
      notes: ['places_are_current'],
    });
    expect(before.rulebookVersion).toBe(before.currentVersion);
    await pam.as(ann).delete(`/pam/rules/${miss}`);
    await pam.as(ann).delete(`/pam/signer-groups/${group.body.signerGroup.id}`);
    await pam.as(ann).patch(`/pam/rules/${rule}`).send({ name: 'Denied', verdict: 'auto_deny' });
    await pam.as(ann).put('/pam/config').send({ defaultUnmatchedVerdict: 'auto_deny' });
    await pam.as(partner).delete(`/pam/software-policies/${policy.body.softwarePolicy.id}`);
    const { currentVersion, ...after } = (await explained(id)).body.explanation;
    const { currentVersion: former, ...same } = before;
    expect(after).toEqual(same);
    expect(currentVersion).toBe(former + 5);
    expect((await explained(await ask())).body.explanation).toMatchObject({
      outcome: 'denied',
      matched: { name: 'Denied', position: 1 },
      policies: [],
    });
    await pam.as(ann).delete(`/pam/rules/${rule}`);
    await pam.as(ann).put('/pam/config').send({ defaultUnmatchedVerdict: 'require_approval' });
  });

  it('explains a request without a version under the rules of now', async () => {
    const id = await pam.request(acme);
    expect((await explained(id)).body.explanation).toMatchObject({
      basis: 'current',
      rulebookVersion: null,
      outcome: 'pending',
      source: null,
      default: { used: true },
      demand: { approvals: 1, pendingMinutes: 15, level: null },
    });
  });

  it('WHY-01 is refused for a request of another tenant, and of another site', async () => {
    const id = await pam.request(acme, { deviceId: acme.otherDeviceId });
    const other = await pam.tenant();
    expect((await explained(id, anOrgAdmin(other.partnerId, other.orgId))).status).toBe(404);
    expect((await explained(newId())).status).toBe(404);
    const confined = anOrgAdmin(acme.partnerId, acme.orgId, { sites: [acme.siteId] });
    expect((await explained(id, confined)).body.code).toBe('site_access_denied');
    expect((await draft({ deviceId: acme.otherDeviceId }, confined)).body.code).toBe('site_access_denied');
    expect((await draft({ deviceId: other.deviceId })).body.code).toBe('device_not_found');
    const reader = anOrgAdmin(acme.partnerId, acme.orgId, { permissions: ['devices:read'] });
    expect((await draft({}, reader)).body.code).toBe('permission_denied');
  });

  it('PAM-105 WHY-02 shows a command line to callers who may change rules, cut, and to others its length', async () => {
    const rule = await ruleOf({ verdict: 'auto_deny', matchCommandLine: '--install' });
    const elsewhere = await ruleOf({ verdict: 'auto_deny', siteId: acme.otherSiteId, matchUser: 'x' });
    const id = await pam.request(acme);
    const secret = `setup.exe --password ${'s'.repeat(300)}`;
    await pam.service.sql('UPDATE elevation_requests SET command_line = $2 WHERE id = $1', [id, secret]);
    const missesFor = async (overrides: object) =>
      (await explained(id, anOrgAdmin(acme.partnerId, acme.orgId, overrides))).body.explanation.nearestMisses;
    expect(await missesFor({})).toMatchObject([
      { ruleId: rule, failed: { criterion: 'commandLine', seen: secret.slice(0, 200), seenLength: secret.length } },
      { ruleId: elsewhere },
    ]);
    expect(await missesFor({ permissions: ['devices:read'], sites: [acme.siteId] })).toMatchObject([
      { ruleId: rule, failed: { criterion: 'commandLine', asked: '--install', seen: null, seenLength: secret.length } },
    ]);
    for (const each of [rule, elsewhere]) await pam.as(ann).delete(`/pam/rules/${each}`);
  });

  describe('of decisions about drafts', () => {
    const TOOL = { flowType: 'ai_tool_action', toolName: 'run_script' };
    it('PAM-106 explains what would become of a prompt, also of one that is ignored', async () => {
      const rule = await ruleOf({ name: 'Updater', verdict: 'ignore', matchParentImage: 'updater.exe' });
      const nights = await ruleOf({
        verdict: 'auto_deny',
        matchUser: 'corp\\ann',
        timeWindow: { start: '00:00', end: '00:59' },
      });
      const at = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString();
      const prompt = {
        subjectUsername: 'CORP\\ann',
        targetExecutablePath: 'C:\\Tools\\x.exe',
        parentImage: 'C:\\Updater.exe',
      };
      expect((await draft(prompt)).body.explanation).toMatchObject({
        basis: 'current',
        outcome: 'ignored',
        source: 'pam_rule',
        matched: { ruleId: rule, verdict: 'ignore' },
        demand: null,
      });
      const { body } = await draft({ ...prompt, parentImage: null, at });
      expect(body.explanation).toMatchObject({ outcome: 'denied', matched: { ruleId: nights } });
      expect(body.explanation.nearestMisses[0].failed).toMatchObject({ criterion: 'parentImage', reason: 'absent' });
      for (const each of [rule, nights]) await pam.as(ann).delete(`/pam/rules/${each}`);
    });

    it('PAM-106 explains what would become of a technician’s request and of a tool action, whose tier is that of the catalogue', async () => {
      const tool = await ruleOf({ verdict: 'auto_deny', matchToolName: 'run_script' });
      const person = await ruleOf({ verdict: 'auto_approve', matchUser: ann.email });
      expect((await draft({ flowType: 'tech_jit_admin' })).body.explanation).toMatchObject({
        outcome: 'auto_approved',
        matched: { ruleId: person },
      });
      const { explanation } = (await draft({ ...TOOL, input: {} })).body;
      expect(explanation).toMatchObject({ outcome: 'denied', matched: { ruleId: tool } });
      for (const each of [tool, person]) await pam.as(ann).delete(`/pam/rules/${each}`);
    });

    it.each<[string, object]>([
      ['an unknown flow', { flowType: 'x' }],
      ['an unknown member', { pid: 4 }],
      ['a tool action without a tool', { flowType: 'ai_tool_action' }],
      ['the path of a program for a tool action', { ...TOOL, targetExecutablePath: 'C:\\Tools\\a.exe' }],
      ['a tool for a prompt', { toolName: 'run_script' }],
      ['a group for the request of a technician', { flowType: 'tech_jit_admin', adGroups: ['Admins'] }],
      ['an instant that is too far away', { at: '2020-01-01T00:00:00Z' }],
      ['no instant', { at: 'tomorrow' }],
      ['no hash', { targetExecutableHash: 'x' }],
    ])('is refused with %s', async (_, body) => {
      expect((await draft(body)).body).toMatchObject({ status: 400, code: 'validation_failed' });
    });
  });

  const explained = (id: string, as: Principal = ann) => pam.as(as).get(`/pam/elevation-requests/${id}/explanation`);
  const draft = (body: object, as: Principal = ann) =>
    pam
      .as(as)
      .post('/pam/decisions/explain')
      .send({ deviceId: acme.deviceId, flowType: 'uac_intercept', ...body });
  const ruleOf = async (body: object): Promise<string> =>
    (
      await pam
        .as(ann)
        .post('/pam/rules')
        .send({ name: 'Rule', ...body })
    ).body.rule.id;
  const ask = async (): Promise<string> =>
    (await pam.as(ann).post('/pam/elevation-requests').send({ deviceId: acme.deviceId, reason: 'patch' })).body.id;
});

const ann = anOrgAdmin(acme.partnerId, acme.orgId);
