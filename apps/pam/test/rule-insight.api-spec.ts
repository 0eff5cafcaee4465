import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { WarnOnTierDrift } from '../src/rules/warn-on-tier-drift.ts';
import { besidePam, PamHarness, type Tenant } from './pam.harness.ts';

describe('what a rule would do, and what it can no longer do', () => {
  let pam: PamHarness;
  besidePam((started) => (pam = started));

  describe('preview', () => {
    it('counts the matches of the past by status, with a sample of the newest', async () => {
      const acme = await pam.tenant();
      await pam.request(acme, { status: 'denied', path: 'C:\\Tools\\old.exe' });
      const newest = await pam.request(acme, { path: 'C:\\Tools\\new.exe' });
      await pam.request(acme, { path: 'C:\\Other\\x.exe' });
      await pam.request(await pam.tenant(acme.partnerId), { path: 'C:\\Tools\\theirs.exe' });
      const { status, body } = await preview(acme, { matchPathGlob: 'c:/tools/**' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        success: true,
        totalMatched: 2,
        totalScanned: 3,
        windowDays: 30,
        truncated: false,
        statusBreakdown: { denied: 1, pending: 1, approved: 0, auto_approved: 0, expired: 0, revoked: 0, actuating: 0 },
      });
      expect(body.sample[0]).toEqual({
        id: newest,
        requestedAt: expect.stringMatching(/Z$/),
        flowType: 'uac_intercept',
        status: 'pending',
      });
    });

    it('looks at 50 000 requests at most, and says so', async () => {
      const acme = await pam.tenant();
      await pam.requests(acme, 50_001);
      const { body } = await preview(acme, { matchUser: 'ann' });
      expect(body).toMatchObject({ truncated: true, totalScanned: 50_000, totalMatched: 50_000 });
      expect(body.sample).toHaveLength(10);
    });

    it('takes the draft of a rule as a whole', async () => {
      const acme = await pam.tenant();
      const draft = {
        orgId: acme.orgId,
        name: 'draft',
        description: null,
        verdict: 'auto_deny',
        priority: 7,
        enabled: false,
        approvalDurationMinutes: 5,
        mode: 'shadow',
        expiresAt: new Date(Date.now() + 60_000).toISOString(),
        fromRequestId: newId(),
        matchUser: 'ann',
      };
      expect((await preview(acme, draft)).status).toBe(200);
    });

    it('keeps no other request waiting, however much work a rule makes', async () => {
      const acme = await pam.tenant();
      await pam.requests(acme, 600);
      await pam.service.sql(
        `UPDATE elevation_requests SET target_executable_path = repeat('a', 30000) WHERE org_id = $1`,
        [acme.orgId],
      );
      const delays = monitorEventLoopDelay({ resolution: 5 });
      delays.enable();
      const { body } = await preview(acme, { matchPathGlob: `**${'?'.repeat(1000)}b**` });
      delays.disable();
      expect(body).toMatchObject({ totalMatched: 0, totalScanned: 600, truncated: false });
      expect(delays.max / 1e6).toBeLessThan(1000);
    });

    it('looks at one flow when asked to, and at the sites of the caller only', async () => {
      const acme = await pam.tenant();
      await pam.request(acme);
      await pam.request(acme, { flowType: 'tech_jit_admin', deviceId: acme.otherDeviceId });
      expect((await preview(acme, { matchUser: 'ann', flowType: 'tech_jit_admin' })).body).toMatchObject({
        totalMatched: 1,
        totalScanned: 1,
      });
      expect((await preview(acme, { matchUser: 'ann' }, adminOf(acme, { sites: [acme.siteId] }))).body).toMatchObject({
        totalMatched: 1,
        totalScanned: 1,
      });
      expect((await preview(acme, { matchUser: 'ann', siteId: acme.siteId })).body).toMatchObject({
        totalMatched: 1,
        totalScanned: 2,
      });
    });

    it('uses the signers of a group of the organisation', async () => {
      const acme = await pam.tenant();
      const { id } = (
        await adminOf(acme)
          .post('/pam/signer-groups')
          .send({ name: 'G', signers: ['Contoso'] })
      ).body.signerGroup;
      const request = await pam.request(acme);
      await pam.service.sql(`UPDATE elevation_requests SET target_executable_signer = 'CONTOSO' WHERE id = $1`, [
        request,
      ]);
      expect((await preview(acme, { matchSignerGroupId: id })).body.totalMatched).toBe(1);
      expect((await preview(acme, { matchSignerGroupId: newId() })).body).toMatchObject({
        status: 400,
        code: 'signer_group_not_in_org',
      });
    });

    it('knows no site of another organisation', async () => {
      const [acme, other] = [await pam.tenant(), await pam.tenant()];
      expect((await preview(acme, { matchUser: 'ann', siteId: other.siteId })).body).toMatchObject({
        status: 400,
        code: 'site_not_in_org',
      });
    });

    it('needs no second factor and changes nothing, but needs devices:write', async () => {
      const acme = await pam.tenant();
      expect((await preview(acme, { matchUser: 'ann' }, adminOf(acme, { mfa: false }))).status).toBe(200);
      expect((await preview(acme, { matchUser: 'ann' }, adminOf(acme, { permissions: ['devices:read'] }))).status).toBe(
        403,
      );
      expect((await adminOf(acme).get('/pam/rules')).body.rules).toEqual([]);
    });

    it.each([
      {},
      { matchUser: 'ann', windowDays: 0 },
      { matchUser: 'ann', windowDays: 91 },
      { matchUser: 'ann', flowType: 'x' },
      { matchHash: 'a'.repeat(64), matchRiskTier: 1 },
    ])('is refused with %j', async (body) => {
      expect((await preview(await pam.tenant(), body)).status).toBe(400);
    });

    it('needs the organisation when several are in reach', async () => {
      const acme = await pam.tenant();
      await pam.tenant(acme.partnerId);
      const partner = pam.as(aPartnerAdmin(acme.partnerId));
      expect((await preview(acme, { matchUser: 'ann' }, partner)).body.code).toBe('org_required');
      expect((await preview(acme, { matchUser: 'ann', orgId: acme.orgId }, partner)).status).toBe(200);
    });

    const preview = (tenant: Tenant, body: object, client = adminOf(tenant)) =>
      client.post('/pam/rules/preview').send(body);
  });

  describe('risk-tier drift', () => {
    let directory: string;
    let tracker: Server;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'pam-'));
      await writeFile(join(directory, 'tools.json'), JSON.stringify({ run_script: { tier: 3 } }));
      tracker = createServer((request, response) => {
        let text = '';
        request.on('data', (chunk) => (text += String(chunk)));
        request.on('end', () => {
          events.push({
            path: request.url,
            auth: String(request.headers['x-sentry-auth']),
            body: JSON.parse(text) as Record<string, unknown>,
          });
          response.end('{}');
        });
      });
      await new Promise<void>((resolve) => tracker.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      tracker.close();
      await rm(directory, { recursive: true });
    });

    it('is told at start-up, for enabled rules that can no longer match, and shown in the list', async () => {
      const acme = await pam.tenant();
      const create = async (name: string, body: object) =>
        (
          await adminOf(acme)
            .post('/pam/rules')
            .send({ name, verdict: 'auto_deny', ...body })
        ).body.rule.id as string;
      const stale = await create('stale', { matchToolName: 'run_script', matchRiskTier: 4 });
      await create('switched off', { matchToolName: 'run_script', matchRiskTier: 4, enabled: false });
      await create('can still match', { matchRiskTier: 4 });
      const dsn = `http://secret@127.0.0.1:${(tracker.address() as AddressInfo).port}/7`;
      const upgraded = await PamHarness.start({
        replicaOf: pam.service,
        env: { PAM_TOOL_CATALOG: join(directory, 'tools.json'), ERROR_TRACKING_URL: dsn },
      });
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({
        path: '/api/7/store/',
        auth: expect.stringContaining('sentry_key=secret'),
        body: { tags: { code: 'pam_rule_risk_tier_unreachable' }, extra: { rules: [{ id: stale, validTiers: [3] }] } },
      });
      expect(events[0]?.body['message']).toContain('[pam-rule-tier-drift]');
      const { rules } = (await upgraded.as(anOrgAdmin(acme.partnerId, acme.orgId)).get('/pam/rules')).body;
      expect(
        rules.filter(({ matchRiskTierStale }: { matchRiskTierStale: boolean }) => matchRiskTierStale),
      ).toMatchObject([{ name: 'stale', matchRiskTierValidTiers: [3] }, { name: 'switched off' }]);
      await upgraded.stop();
    });

    it('is not told when there is none', async () => {
      const before = events.length;
      await pam.service.service.app.get(WarnOnTierDrift).run();
      expect(events).toHaveLength(before);
    });

    it('a catalogue that cannot be read stops the start, naming the setting', async () => {
      await expect(
        PamHarness.start({ replicaOf: pam.service, env: { PAM_TOOL_CATALOG: '/nowhere.json' } }),
      ).rejects.toThrow('PAM_TOOL_CATALOG');
    });

    const events: { path?: string; auth?: string; body: Record<string, unknown> }[] = [];
  });

  const adminOf = (tenant: Tenant, overrides: object = {}) =>
    pam.as(anOrgAdmin(tenant.partnerId, tenant.orgId, overrides));
});
