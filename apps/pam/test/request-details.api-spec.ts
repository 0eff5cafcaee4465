import { newId } from '@gatehouse/crypto';
import { anApiKey, anOrgAdmin, aPartnerAdmin, type Client } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PamConfig } from '../src/pam.config.ts';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

const HASH = 'ab'.repeat(32);

describe('what is asked for', () => {
  let pam: PamHarness;
  let acme: Tenant;
  let admin: Client;
  besidePam((started) => (pam = started));
  beforeEach(async () => {
    acme = await pam.tenant();
    admin = pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
  });

  describe('in lists', () => {
    it('PAM-90 is shown as the agent reported it, with the place and the end of the wait', async () => {
      await request();
      const [row] = await listed();
      expect(row).toMatchObject({ ...shown, siteId: acme.siteId, siteName: `Site ${acme.siteId.slice(-4)}` });
      expect(Date.parse(row.pendingUntil)).toBeGreaterThan(Date.now());
      expect(row).not.toHaveProperty('firstSeen');
    });

    it('is shown with active windows and in approvals too', async () => {
      const technician = await pam.technician(acme);
      const pending = await request();
      await pam.announce(acme, pending);
      await request(REPORTED, { status: 'approved' });
      expect((await admin.get('/pam/active')).body.active).toEqual([expect.objectContaining(shown)]);
      expect((await pam.as(technician).get('/approvals')).body.approvals).toEqual([
        expect.objectContaining({ request: expect.objectContaining({ ...shown, flags: ['first_seen'] }) }),
      ]);
    });

    it('says who decided and why', async () => {
      const id = await request();
      await admin.post(`/pam/elevation-requests/${id}/respond`).send({ decision: 'deny', reason: 'Unknown file' });
      expect((await listed())[0]).toMatchObject({
        status: 'denied',
        decisionReason: 'Unknown file',
        deniedByName: expect.any(String),
        decidedAt: expect.any(String),
      });
    });

    it('says why a phone approved it', async () => {
      const technician = await pam.technician(acme);
      const id = await request();
      await pam.announce(acme, id);
      const [approval] = (await pam.as(technician).get('/approvals')).body.approvals;
      await pam.as(technician).post(`/approvals/${approval.id}/approve`).send({ reason: 'Known update' });
      expect((await listed())[0]).toMatchObject({ status: 'approved', decisionReason: 'Known update' });
    });

    it('shows the input of a tool', async () => {
      await request(
        { target_executable_path: null, tool_name: 'shell', risk_tier: 3, action_digest: HASH, tool_input: { a: 1 } },
        { flowType: 'ai_tool_action' },
      );
      expect((await listed())[0]).toMatchObject({ toolName: 'shell', toolInput: { a: 1 }, flags: ['high_tier'] });
    });

    const days = (count: number) => `uuid_from_instant(now() - interval '${count} days')`;
    const age = (id: string, count: number) =>
      pam.service.sql(
        `UPDATE elevation_requests SET id = ${days(count)}, requested_at = now() - $2::interval WHERE id = $1`,
        [id, `${count} days`],
      );

    it('PAM-90 marks a file that the organisation has not seen for 90 days', async () => {
      const flags = async () => (await listed('limit=1'))[0].flags;
      await age(await request(), 95);
      await request();
      expect(await flags()).toEqual(['first_seen']);
      await request({ ...REPORTED, target_executable_path: 'C:\\Program Files\\other.exe' });
      expect(await flags()).toEqual([]);
      await request({ ...REPORTED, target_executable_hash: null });
      expect(await flags()).toEqual(['first_seen']);
      await request({
        ...REPORTED,
        target_executable_hash: null,
        target_executable_path: 'c:\\program files\\vendor\\SETUP.EXE',
      });
      expect(await flags()).toEqual([]);
    });

    it('PAM-90 does not count requests of another organisation', async () => {
      const other = await pam.tenant(acme.partnerId);
      await set(await pam.request(other), REPORTED);
      await request();
      expect((await listed())[0].flags).toEqual(['first_seen']);
    });

    const shown = {
      orgName: 'Acme',
      targetExecutableHash: HASH,
      targetExecutableSigner: 'Vendor',
      targetExecutableSignerThumbprint: 'TH',
      targetExecutablePublisher: 'O=Vendor',
      pid: 4711,
      parentImage: 'C:\\Windows\\explorer.exe',
      commandLine: 'setup.exe /S',
      adGroups: ['CORP\\Staff'],
      reason: 'An update',
      observedAt: '2026-01-31T09:30:00.000Z',
    };
  });

  describe('filters', () => {
    it('PAM-91 take several statuses', async () => {
      const pending = await request();
      await request(REPORTED, { status: 'denied' });
      const approved = await request(REPORTED, { status: 'approved' });
      expect(await idsOf('status=pending&status=approved')).toEqual([approved, pending]);
      expect((await admin.get('/pam/elevation-requests?status=pending&status=approved')).body.pagination.total).toBe(2);
      expect(await idsOf('status=pending')).toEqual([pending]);
    });

    it('PAM-91 find a part of the host, the user, the path or the signer', async () => {
      const id = await request({ ...REPORTED, subject_username: 'CORP\\100%_ann' });
      await request({ target_executable_path: 'C:\\other.exe', subject_username: 'bob', device_hostname: 'SRV-2' });
      for (const text of ['100%_a', 'SETUP.exe', 'vend', '_ann'])
        expect([text, await idsOf(`search=${encodeURIComponent(text)}`)]).toEqual([text, [id]]);
      expect(await idsOf('search=desk-1')).toHaveLength(2);
      expect(await idsOf('search=srv-2')).toHaveLength(1);
      expect(await idsOf(`search=${encodeURIComponent('100x_')}`)).toEqual([]);
    });

    it('PAM-255 look through a bounded number of requests and say when there are older ones', async () => {
      const config = pam.service.service.app.get(PamConfig);
      const usual = config.pamSearchedRequests;
      const ids = [await request(), await request(), await request()].reverse();
      const search = async (query: string) => {
        const { requests, pagination, truncated } = (await admin.get(`/pam/elevation-requests?${query}`)).body;
        return [requests.map(({ id }: { id: string }) => id), pagination.total, truncated];
      };
      expect(await search('search=setup&limit=2&page=2')).toEqual([[ids[2]], 3, false]);
      config.pamSearchedRequests = 2;
      expect(await search('search=setup&limit=1')).toEqual([[ids[0]], 3, true]);
      expect(await search('search=nothing')).toEqual([[], 0, true]);
      expect(await search('decisionSource=human')).toEqual([[], 0, true]);
      for (const query of ['limit=1', 'limit=1&search=', 'limit=1&search=%20'])
        expect(await search(query)).toEqual([[ids[0]], 3, undefined]);
      expect(await search('search=setup&page=9007199254740991')).toEqual([[], 3, true]);
      config.pamSearchedRequests = usual;
    });

    it('PAM-91 find what a rule or a person decided', async () => {
      const ruleId = newId();
      const byRule = await request({ decision_source: 'pam_rule', pam_rule_id: ruleId }, { status: 'auto_approved' });
      await request({ decision_source: 'human' }, { status: 'approved' });
      expect(await idsOf('decisionSource=pam_rule')).toEqual([byRule]);
      expect(await idsOf(`ruleId=${ruleId}`)).toEqual([byRule]);
      expect(await idsOf(`ruleId=${newId()}`)).toEqual([]);
    });

    it('PAM-91 sort by the time, and open requests also by others', async () => {
      const first = await request({ subject_username: 'zoe' }, { pendingSeconds: 600 });
      const second = await request({ subject_username: 'Amy' }, { pendingSeconds: 300 });
      expect(await idsOf('sort=requestedAt')).toEqual([first, second]);
      expect(await idsOf('sort=-requestedAt')).toEqual([second, first]);
      expect(await idsOf('sort=pendingUntil&status=pending')).toEqual([second, first]);
      expect(await idsOf('sort=-subjectUsername&status=pending')).toEqual([first, second]);
      expect(await idsOf('sort=-orgName&status=pending')).toEqual([second, first]);
    });

    it('PAM-91 sort by the name that the device has now, as they show it', async () => {
      const first = await request();
      const second = await request(REPORTED, { deviceId: acme.otherDeviceId });
      await pam.service.sql(`UPDATE device_ref SET hostname = 'Accounts-1' WHERE device_id = $1`, [acme.otherDeviceId]);
      expect(await idsOf('sort=deviceHostname&status=pending')).toEqual([second, first]);
      expect(await idsOf('sort=-deviceHostname&status=pending&search=a')).toEqual([first, second]);
    });

    it('PAM-381 filter and sort by risk: the flags of the report, and whether the file is new', async () => {
      const known = await request({ ...REPORTED, flags: ['unsigned'] });
      const risky = await request({ ...REPORTED, flags: ['unsigned', 'suspicious_text'] });
      const fresh = await request({ ...REPORTED, target_executable_hash: 'cd'.repeat(32) });
      await request({ ...REPORTED, flags: ['unsigned'] }, { status: 'denied' });
      const plain = await request(REPORTED);
      expect(await idsOf('status=pending&sort=-risk')).toEqual([risky, known, fresh, plain]);
      expect(await idsOf('status=pending&sort=risk&search=vendor')).toEqual([plain, fresh, known, risky]);
      expect(await idsOf('status=pending&flag=suspicious_text')).toEqual([risky]);
      expect(await idsOf('status=pending&flag=first_seen')).toEqual([fresh, known]);
      expect(await idsOf('status=pending&flag=high_tier')).toEqual([]);
    });

    it('PAM-91 sort active windows', async () => {
      const late = await request(REPORTED, { status: 'approved', expiresSeconds: 600 });
      const soon = await request(REPORTED, { status: 'approved', expiresSeconds: 60 });
      const active = async (sort: string) =>
        (await admin.get(`/pam/active?sort=${sort}`)).body.active.map(({ id }: { id: string }) => id);
      expect([await active('expiresAt'), await active('-expiresAt')]).toEqual([
        [soon, late],
        [late, soon],
      ]);
    });

    it.each([
      'status=open',
      'status=pending&status=open',
      'sort=commandLine',
      'sort=expiresAt',
      'sort=expiresAt&status=denied',
      'sort=expiresAt&status=pending&status=denied',
      'decisionSource=magic',
      'ruleId=1',
      `earlierThan=${newId()}`,
      'shared=file',
      'outcome=denied',
      'flag=unsigned',
      'flag=unsigned&status=denied',
      'sort=-risk',
    ])('PAM-91 refuse %s', async (query) => {
      expect((await admin.get(`/pam/elevation-requests?${query}`)).body).toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
    });
  });

  describe('of one request', () => {
    it('PAM-92 is shown with its commands and what happened, in order', async () => {
      const id = await request(REPORTED);
      await admin.post(`/pam/elevation-requests/${id}/respond`).send({ decision: 'approve', reason: 'Known' });
      await admin.post(`/devices/${acme.deviceId}/actuate-elevation`).send({ elevationRequestId: id });
      await admin.post(`/pam/elevation-requests/${id}/revoke`).send({ reason: 'Done' });
      const shown = await detail(id);
      expect(shown).toMatchObject({ id, status: 'revoked', durationMinutes: 15, commandLine: 'setup.exe /S' });
      expect(shown.commands.map(({ type, status }: Record<string, string>) => [type, status])).toEqual([
        ['actuate_elevation', 'cancelled'],
        ['revoke_elevation', 'queued'],
      ]);
      const events = shown.timeline.map(({ event }: { event: string }) => event);
      expect(events).toEqual([
        ...['requested', 'approved', 'command_queued'],
        ...['revoked', 'command_cancelled', 'command_queued'],
      ]);
      expect(shown.timeline.find(({ event }: { event: string }) => event === 'revoked')).toMatchObject({
        reason: 'Done',
        actorName: expect.any(String),
      });
    });

    it('PAM-92 counts what became of earlier requests for the file, of the device and of the person', async () => {
      await request({ ...REPORTED, status: 'denied' }, { deviceId: acme.otherDeviceId });
      await request({ ...REPORTED, target_executable_hash: null, subject_username: 'ANN' });
      await request({ ...REPORTED, subject_username: 'bob', approved_by: newId() }, { status: 'approved' });
      const none = { autoApproved: 0, approved: 0, denied: 0, expired: 0, pending: 0 };
      const { before } = await detail(await request());
      expect(before).toEqual({
        file: { ...none, denied: 1, approved: 1 },
        device: { ...none, pending: 1, approved: 1 },
        user: { ...none, denied: 1, pending: 1 },
      });
      const confined = pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { sites: [acme.siteId] }));
      const [{ id }] = await listed('limit=1');
      expect((await detail(id, confined)).before.file).toEqual({ ...none, approved: 1 });
    });

    it('PAM-380 each number of earlier requests leads to the list of them', async () => {
      const elsewhere = await request({ ...REPORTED, status: 'denied' }, { deviceId: acme.otherDeviceId });
      const byAnn = await request({ ...REPORTED, target_executable_hash: null, subject_username: 'ANN' });
      const over = { ...REPORTED, subject_username: 'bob', approved_by: newId(), status: 'expired' };
      const approved = await request(over, { status: 'approved' });
      const id = await request();
      await request();
      const earlier = (query: string) => idsOf(`earlierThan=${id}&${query}`);
      expect(await earlier('shared=file')).toEqual([approved, elsewhere]);
      expect(await earlier('shared=device')).toEqual([approved, byAnn]);
      expect(await earlier('shared=user')).toEqual([byAnn, elsewhere]);
      expect(await earlier('shared=file&outcome=approved')).toEqual([approved]);
      expect(await earlier('shared=device&outcome=pending&status=pending')).toEqual([byAnn]);
      expect(await earlier('shared=user&outcome=expired')).toEqual([]);
      const confined = pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { sites: [acme.siteId] }));
      const seen = await confined.get(`/pam/elevation-requests?earlierThan=${id}&shared=file`);
      expect(seen.body.pagination.total).toBe(1);
      const stranger = pam.as(anOrgAdmin(acme.partnerId, (await pam.tenant(acme.partnerId)).orgId));
      const unseen = await stranger.get(`/pam/elevation-requests?earlierThan=${id}&shared=file`);
      expect(unseen.body.requests).toEqual([]);
    });

    it('PAM-92 says whether the caller may decide', async () => {
      const principal = anOrgAdmin(acme.partnerId, acme.orgId);
      const may = async (id: string, client = pam.as(principal)) => (await detail(id, client)).mayRespond;
      const pending = await request();
      expect(await may(pending)).toEqual({ approve: true, deny: true });
      const reader = pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { permissions: ['devices:read'] }));
      expect(await may(pending, reader)).toEqual({ approve: 'permission_denied', deny: 'permission_denied' });
      const key = pam.as(anApiKey({ ...principal, kind: 'api_key' }));
      expect(await may(pending, key)).toEqual({ approve: 'mfa_required', deny: 'mfa_required' });
      const own = await pam.request(acme, { flowType: 'tech_jit_admin', requestedBy: principal.userId });
      expect(await may(own)).toEqual({ approve: 'self_approval_denied', deny: true });
      const decided = await request(REPORTED, { status: 'denied' });
      expect(await may(decided)).toEqual({ approve: 'not_pending', deny: 'not_pending' });
      const over = await request(REPORTED, { pendingSeconds: -1 });
      expect(await detail(over)).toMatchObject({ status: 'expired', mayRespond: { approve: 'not_pending' } });
      const timedOut = await request(REPORTED, { flowType: 'ai_tool_action', timeoutSeconds: -1 });
      expect(await may(timedOut)).toMatchObject({ approve: 'tool_execution_timed_out' });
      await pam.organizationIs(acme, 'archived', 2);
      expect(await may(pending)).toEqual({ approve: 'organization_frozen', deny: 'organization_frozen' });
    });

    it('PAM-92 is refused to other tenants, other sites and without permission', async () => {
      const id = await request();
      const codeFor = async (client: Client, path = id) =>
        (await client.get(`/pam/elevation-requests/${path}`)).body.code;
      expect(await codeFor(pam.as(null))).toBe('not_authenticated');
      expect(await codeFor(pam.as(aPartnerAdmin(newId())))).toBe('elevation_request_not_found');
      expect(await codeFor(pam.as(anOrgAdmin(acme.partnerId, newId())))).toBe('elevation_request_not_found');
      expect(await codeFor(pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { sites: [acme.otherSiteId] })))).toBe(
        'site_access_denied',
      );
      expect(await codeFor(pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { permissions: ['sites:read'] })))).toBe(
        'permission_denied',
      );
      expect(await codeFor(admin, 'x')).toBe('validation_failed');
    });
  });

  const set = async (id: string, columns: object): Promise<string> => {
    const names = Object.keys(columns);
    const changes = names.map((name, at) => `${name} = $${at + 2}`).join(', ');
    await pam.service.sql(`UPDATE elevation_requests SET ${changes} WHERE id = $1`, [id, ...Object.values(columns)]);
    return id;
  };
  const request = async (columns: object = REPORTED, options = {}) => set(await pam.request(acme, options), columns);
  const listed = async (query = '') => (await admin.get(`/pam/elevation-requests?${query}`)).body.requests;
  const idsOf = async (query: string): Promise<string[]> => (await listed(query)).map(({ id }: { id: string }) => id);
  const detail = async (id: string, client = admin) => (await client.get(`/pam/elevation-requests/${id}`)).body.request;
});

const REPORTED = {
  target_executable_path: 'C:\\Program Files\\Vendor\\setup.exe',
  target_executable_hash: HASH,
  target_executable_signer: 'Vendor',
  target_executable_signer_thumbprint: 'TH',
  target_executable_publisher: 'O=Vendor',
  pid: 4711,
  parent_image: 'C:\\Windows\\explorer.exe',
  command_line: 'setup.exe /S',
  ad_groups: ['CORP\\Staff'],
  reason: 'An update',
  observed_at: '2026-01-31T09:30:00.000Z',
};
