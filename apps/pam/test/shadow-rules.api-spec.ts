import type { ReplaySummaryRecord, ShadowReportRecord } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('a shadow rule', () => {
  let pam: PamHarness;
  let acme: Tenant;
  besidePam((started) => (pam = started));
  beforeEach(async () => {
    acme = await pam.tenant();
  });

  it('PAM-246 decides nothing, and what it would have decided is kept with the request', async () => {
    const grant = await rule({ verdict: 'auto_approve', mode: 'shadow', priority: 1 });
    const first = await ask();
    expect(first.status).toBe('pending');
    expect(await keptWith(first.id)).toEqual([{ ruleId: grant, outcome: 'auto_approved', held: null }]);
    const shown = (await adminOf(acme).get(`/pam/elevation-requests/${first.id}`)).body.request;
    expect(shown.shadow).toEqual([{ ruleId: grant, outcome: 'auto_approved', held: null }]);
    await rule({ verdict: 'auto_deny', priority: 0 });
    const hidden = await ask();
    expect([hidden.status, await keptWith(hidden.id)]).toEqual(['denied', null]);
  });

  it('PAM-247 is reported on as a replay of it as a live rule would find', async () => {
    const grant = await rule({ verdict: 'auto_approve', mode: 'shadow', priority: 5 });
    for (const deviceId of [acme.deviceId, acme.deviceId, acme.otherDeviceId]) await ask(deviceId);
    const deny = await rule({ verdict: 'auto_deny', priority: 9 });
    const denied = await ask();
    expect(denied.status).toBe('denied');
    const report = await reportOf(grant);
    expect(report).toMatchObject({ hits: 4, hitsIgnored: 0, wouldChange: 4, devices: 2 });
    expect(report.outcomes).toEqual([
      { from: 'pending', to: 'auto_approved', count: 3 },
      { from: 'denied', to: 'auto_approved', count: 1 },
    ]);
    expect(report.sample[0]).toMatchObject({
      requestId: denied.id,
      before: { outcome: 'denied', ruleId: deny },
      after: { outcome: 'auto_approved', ruleId: grant, held: null },
      recorded: { status: 'denied', source: 'pam_rule' },
    });
    // Under the rules of the time there was no denial.
    await adminOf(acme).delete(`/pam/rules/${deny}`);
    const started = await adminOf(acme)
      .post('/pam/replays')
      .send({ changes: [{ op: 'update', ruleId: grant, patch: { mode: 'live' } }] });
    let summary: ReplaySummaryRecord | null = null;
    while (summary === null) {
      await wait(50);
      ({ summary } = (await adminOf(acme).get(`/pam/replays/${started.body.jobId}`)).body);
    }
    expect(summary).toMatchObject({ changed: report.wouldChange, devicesAffected: report.devices });
    expect(summary.newlyAutoApproved).toBe(4);
    const confined = adminOf(acme, { sites: [acme.otherSiteId] });
    expect((await confined.get(`/pam/rules/${grant}/shadow-report`)).body.report).toMatchObject({
      hits: 1,
      devices: 1,
    });
  });

  it('goes live by an ordinary change, and its report is foreign to others', async () => {
    const shadow = await rule({ verdict: 'auto_approve', mode: 'shadow' });
    const patch = (client = adminOf(acme)) => client.patch(`/pam/rules/${shadow}`).send({ mode: 'live' });
    expect((await patch(adminOf(acme, { mfa: false }))).body.code).toBe('mfa_required');
    const live = await patch();
    expect(live.body.rule).toMatchObject({ mode: 'live', shadowSince: null });
    expect((await pam.service.audits('pam.rule.update')).at(-1)).toMatchObject({
      resource: { id: shadow },
      details: { changedFields: ['mode'] },
    });
    expect((await ask()).status).toBe('auto_approved');
    const path = `/pam/rules/${shadow}/shadow-report`;
    expect((await adminOf(await pam.tenant()).get(path)).body.code).toBe('rule_not_found');
    expect((await adminOf(acme).get(`/pam/rules/${newId()}/shadow-report`)).status).toBe(404);
    for (const query of ['?days=0', '?days=91', '?days=x'])
      expect((await adminOf(acme).get(path + query)).status).toBe(400);
    expect((await adminOf(acme).patch(`/pam/rules/${shadow}`).send({ mode: 'off' })).status).toBe(400);
  });

  const adminOf = ({ partnerId, orgId }: Tenant, overrides: object = {}) =>
    pam.as(anOrgAdmin(partnerId, orgId, overrides));
  const rule = async (own: object): Promise<string> => {
    const body = { name: 'rule', matchToolName: 'run_script', ...own };
    return (await adminOf(acme).post('/pam/rules').send(body)).body.rule.id as string;
  };
  const ask = async (deviceId = acme.deviceId) => {
    const [action, permissions] = [{ deviceId, toolName: 'run_script', input: {} }, ['tools:request']];
    const { body } = await adminOf(acme, { permissions }).post('/pam/tool-actions').send(action);
    return body as { id: string; status: string };
  };
  const keptWith = async (id: string): Promise<unknown> =>
    (await pam.service.sql<{ shadow: unknown }>('SELECT shadow FROM elevation_requests WHERE id = $1', [id]))[0]
      ?.shadow;
  const reportOf = async (id: string, query = ''): Promise<ShadowReportRecord> =>
    (await adminOf(acme).get(`/pam/rules/${id}/shadow-report${query}`)).body.report;
});
