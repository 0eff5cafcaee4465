import { ApprovalPushRequested, ElevationExpired, ElevationRequestRecord } from '@gatehouse/contracts-pam';
import { anOrgAdmin, aPartnerAdmin, aSystemAdmin } from '@gatehouse/testing';
import { newId } from '@gatehouse/crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ExpireElevations } from '../src/expiry/expire-elevations.ts';
import { PamHarness, type Tenant } from './pam.harness.ts';

type Listed = { id: string };

describe('the queue of elevation requests', () => {
  let pam: PamHarness;
  beforeAll(async () => {
    pam = await PamHarness.start();
  });
  afterAll(() => pam.stop());

  const adminOf = (tenant: Tenant, overrides: object = {}) =>
    pam.as(anOrgAdmin(tenant.partnerId, tenant.orgId, overrides));
  const idsOf = (rows: Listed[]): string[] => rows.map(({ id }) => id);

  describe('list', () => {
    it('shows the newest first, with names, in the form of the specification', async () => {
      const acme = await pam.tenant();
      const [first, second] = [
        await pam.request(acme),
        await pam.request(acme, { status: 'approved', flowType: 'tech_jit_admin' }),
      ];
      const { body } = await adminOf(acme).get('/pam/elevation-requests');
      expect(idsOf(body.requests)).toEqual([second, first]);
      expect(body.pagination).toEqual({ page: 1, limit: 50, total: 2 });
      expect(body.requests[1]).toMatchObject({
        orgId: acme.orgId,
        deviceId: acme.deviceId,
        deviceHostname: 'DESK-1',
        siteName: `Site ${acme.siteId.slice(-4)}`,
        status: 'pending',
        decisionSource: null,
        subjectUsername: 'ann',
      });
      expect(body.requests[1]).not.toHaveProperty('toolName');
    });

    it('shows names as long as agents may report them, as its contract says', async () => {
      const acme = await pam.tenant();
      await pam.request(acme);
      await pam.service.sql(
        `UPDATE elevation_requests SET subject_username = repeat('u', 1024),
          target_executable_signer = repeat('s', 1024) WHERE org_id = $1`,
        [acme.orgId],
      );
      const [row] = (await adminOf(acme).get('/pam/elevation-requests')).body.requests as object[];
      expect(validateSync(plainToInstance(ElevationRequestRecord, row)).map(({ property }) => property)).toEqual([]);
    });

    it('says when the device has acted', async () => {
      const acme = await pam.tenant();
      const id = await pam.request(acme, { status: 'actuating' });
      const shown = async () => [
        (await adminOf(acme).get('/pam/elevation-requests')).body.requests[0].actuatedAt,
        (await adminOf(acme).get('/pam/active')).body.active[0].actuatedAt,
      ];
      expect(await shown()).toEqual([null, null]);
      await pam.service.sql(`UPDATE elevation_requests SET actuated_at = '2026-01-31T09:30:00Z' WHERE id = $1`, [id]);
      expect(await shown()).toEqual(['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z']);
    });

    it('counts old requests and new ones, also those that came since it last counted', async () => {
      const acme = await pam.tenant();
      const totalOf = async (query: string) =>
        (await adminOf(acme).get(`/pam/elevation-requests?${query}`)).body.pagination.total;
      const old = await pam.request(acme, { status: 'denied' });
      await pam.service.sql(
        `UPDATE elevation_requests SET id = uuid_from_instant(now() - interval '9 days'),
          requested_at = now() - interval '9 days' WHERE id = $1`,
        [old],
      );
      await pam.request(acme);
      expect([await totalOf(''), await totalOf('status=denied'), await totalOf('status=pending')]).toEqual([2, 1, 1]);
      await pam.request(acme);
      expect([await totalOf(''), await totalOf('status=denied'), await totalOf('status=pending')]).toEqual([3, 1, 2]);
      expect(await totalOf(`to=${new Date(Date.now() - 8 * 86_400_000).toISOString()}`)).toBe(1);
    });

    it('filters by everything that the specification names', async () => {
      const acme = await pam.tenant();
      const pending = await pam.request(acme);
      const elsewhere = await pam.request(acme, {
        deviceId: acme.otherDeviceId,
        status: 'approved',
        flowType: 'tech_jit_admin',
      });
      const found = async (query: string) =>
        idsOf((await adminOf(acme).get(`/pam/elevation-requests?${query}`)).body.requests);
      expect(await found('status=pending')).toEqual([pending]);
      expect(await found('flowType=tech_jit_admin')).toEqual([elsewhere]);
      expect(await found(`deviceId=${acme.deviceId}`)).toEqual([pending]);
      expect(await found(`siteId=${acme.otherSiteId}`)).toEqual([elsewhere]);
      const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
      for (const from of [hourAgo, '1970-01-01T00:00:00Z', '1600-01-01T00:00:00Z'])
        expect(await found(`from=${from}`)).toHaveLength(2);
      expect(await found(`to=${hourAgo}`)).toEqual([]);
      expect(await found('page=2&limit=1')).toEqual([pending]);
      expect(
        await found(
          `status=pending&flowType=uac_intercept&deviceId=${acme.deviceId}&siteId=${acme.siteId}&from=${hourAgo}&to=2100-01-01T00:00:00Z`,
        ),
      ).toEqual([pending]);
      expect(await found(`status=pending&deviceId=${acme.otherDeviceId}`)).toEqual([]);
      expect((await adminOf(acme).get('/pam/elevation-requests?page=9')).body).toMatchObject({
        requests: [],
        pagination: { page: 9, limit: 50, total: 2 },
      });
    });

    it.each([
      'status=open',
      'flowType=x',
      'orgId=1',
      'deviceId=1',
      'siteId=x',
      'from=yesterday',
      'to=2024-02-30T00:00:00Z',
      'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
      "status=pending'--",
    ])('PAM-43 refuses the query %s', async (query) => {
      const acme = await pam.tenant();
      expect((await adminOf(acme).get(`/pam/elevation-requests?${query}`)).status).toBe(400);
    });

    it.each(['page=-1', 'limit=101', 'limit=0', 'page=9223372036854775807', 'limit=NaN'])(
      'PAM-43 clamps %s',
      async (query) => {
        const acme = await pam.tenant();
        expect((await adminOf(acme).get(`/pam/elevation-requests?${query}`)).status).toBe(200);
      },
    );

    it('bounds requestedAt at both ends, by the times that rows show', async () => {
      const acme = await pam.tenant();
      const id = await pam.request(acme);
      await pam.service.sql(
        `UPDATE elevation_requests SET requested_at = date_trunc('milliseconds',
          requested_at) + interval '900 microseconds' WHERE id = $1`,
        [id],
      );
      const [{ requestedAt }] = (await adminOf(acme).get('/pam/elevation-requests')).body.requests;
      const total = async (from: string, to: string) =>
        (await adminOf(acme).get(`/pam/elevation-requests?from=${from}&to=${to}`)).body.pagination.total;
      const beside = (ms: number) => new Date(Date.parse(requestedAt) + ms).toISOString();
      expect([
        await total(requestedAt, requestedAt),
        await total(beside(1), beside(5)),
        await total(beside(-5), beside(-1)),
      ]).toEqual([1, 0, 0]);
    });

    it('PAM-52 shows a caller confined to sites the requests of devices that are there now', async () => {
      const acme = await pam.tenant();
      const id = await pam.request(acme, { status: 'approved' });
      const there = adminOf(acme, { sites: [acme.otherSiteId] });
      expect((await there.get('/pam/elevation-requests')).body).toMatchObject({
        requests: [],
        pagination: { total: 0 },
      });
      await pam.deviceIs(acme, { deviceId: acme.deviceId, siteId: acme.otherSiteId, version: 2 });
      expect(idsOf((await there.get('/pam/elevation-requests')).body.requests)).toEqual([id]);
      expect(idsOf((await there.get('/pam/active')).body.active)).toEqual([id]);
      expect((await there.get(`/pam/elevation-requests?siteId=${acme.siteId}`)).body.requests).toEqual([]);
    });

    it('shows a partner the requests of its organisations and of no other', async () => {
      const acme = await pam.tenant();
      const sister = await pam.tenant(acme.partnerId);
      const stranger = await pam.tenant();
      const [one, two] = [await pam.request(acme), await pam.request(sister), await pam.request(stranger)];
      expect(
        idsOf((await pam.as(aPartnerAdmin(acme.partnerId)).get('/pam/elevation-requests')).body.requests).toSorted(),
      ).toEqual([one, two].toSorted());
      expect(
        idsOf(
          (await pam.as(aPartnerAdmin(acme.partnerId, { orgs: [sister.orgId] })).get('/pam/elevation-requests')).body
            .requests,
        ),
      ).toEqual([two]);
      expect(
        (await pam.as(aPartnerAdmin(acme.partnerId, { orgs: [] })).get('/pam/elevation-requests')).body.requests,
      ).toEqual([]);
    });
  });

  it('PAM-06 lists as active what is open by the clock', async () => {
    const acme = await pam.tenant();
    const open = [
      await pam.request(acme, { status: 'approved' }),
      await pam.request(acme, { status: 'auto_approved' }),
      await pam.request(acme, { status: 'actuating' }),
    ];
    await pam.request(acme, { status: 'approved', expiresSeconds: -1 });
    await pam.request(acme);
    const { body } = await adminOf(acme).get('/pam/active');
    expect(idsOf(body.active).toSorted()).toEqual(open.toSorted());
    expect(body.active[0].expiresAt).toMatch(/Z$/);
  });

  describe('of one organisation', () => {
    const twoTenants = async () => {
      const acme = await pam.tenant();
      const sister = await pam.tenant(acme.partnerId);
      const pending = await pam.request(acme);
      const open = await pam.request(acme, { status: 'approved' });
      await pam.request(sister);
      await pam.request(sister, { status: 'approved' });
      return { acme, sister, pending, open };
    };

    it('shows a partner its requests and active elevations, and counts them', async () => {
      const { acme, pending, open } = await twoTenants();
      const partner = pam.as(aPartnerAdmin(acme.partnerId));
      const listed = async (query: string) =>
        (await partner.get(`/pam/elevation-requests?orgId=${acme.orgId}${query}`)).body;
      const all = await listed('');
      expect(idsOf(all.requests)).toEqual([open, pending]);
      expect(all.pagination.total).toBe(2);
      const one = await listed(`&status=pending&siteId=${acme.siteId}&limit=20`);
      expect(idsOf(one.requests)).toEqual([pending]);
      expect(one.pagination.total).toBe(1);
      expect(idsOf((await partner.get(`/pam/active?orgId=${acme.orgId}`)).body.active)).toEqual([open]);
      expect((await partner.get('/pam/active')).body.active).toHaveLength(2);
    });

    it('shows nothing of one that is out of reach', async () => {
      const { acme, sister } = await twoTenants();
      const stranger = await pam.tenant();
      await pam.request(stranger, { status: 'approved' });
      const callers = [
        { caller: adminOf(acme), orgId: sister.orgId },
        { caller: pam.as(aPartnerAdmin(acme.partnerId)), orgId: stranger.orgId },
        { caller: pam.as(aPartnerAdmin(acme.partnerId, { orgs: [acme.orgId] })), orgId: sister.orgId },
      ];
      for (const { caller, orgId } of callers) {
        const { body } = await caller.get(`/pam/elevation-requests?orgId=${orgId}`);
        expect([body.requests, body.pagination.total]).toEqual([[], 0]);
        expect((await caller.get(`/pam/active?orgId=${orgId}`)).body.active).toEqual([]);
      }
    });

    it('refuses an id that is none', async () => {
      const acme = await pam.tenant();
      expect((await adminOf(acme).get('/pam/active?orgId=1')).body).toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
    });
  });

  it('lists 500 active requests at most, and 50 to a page by default', async () => {
    const acme = await pam.tenant();
    await pam.requests(acme, 501);
    expect((await adminOf(acme).get('/pam/active')).body.active).toHaveLength(500);
    const { body } = await adminOf(acme).get('/pam/elevation-requests');
    expect([body.requests.length, body.pagination]).toEqual([50, { page: 1, limit: 50, total: 501 }]);
  });

  describe('the sweep', () => {
    const sweep = () => pam.service.service.app.get(ExpireElevations).run();

    it('expires pending requests and windows whose time is over, each with its audit entry and event', async () => {
      const acme = await pam.tenant();
      const over = [
        await pam.request(acme, { pendingSeconds: -1 }),
        await pam.request(acme, { status: 'approved', expiresSeconds: -1 }),
        await pam.request(acme, { status: 'actuating', expiresSeconds: -1 }),
      ];
      const open = [await pam.request(acme), await pam.request(acme, { status: 'auto_approved' })];
      await Promise.all([sweep(), sweep()]);
      expect(await Promise.all(over.map((id) => pam.statusOf(id)))).toEqual(['expired', 'expired', 'expired']);
      expect(await Promise.all(open.map((id) => pam.statusOf(id)))).toEqual(['pending', 'auto_approved']);
      expect(
        (await pam.service.emitted(ElevationExpired)).filter(({ aggregateId }) => over.includes(aggregateId)),
      ).toHaveLength(3);
      expect(
        (await pam.service.audits('pam.elevation_request.expire')).filter(({ resource }) =>
          over.includes(resource.id ?? ''),
        ),
      ).toHaveLength(3);
    });

    it('ends what an organisation granted to a device that moved to another, and tells the device there', async () => {
      const [acme, other] = [await pam.tenant(), await pam.tenant()];
      const { deviceId } = acme;
      const [granted, stays] = [
        await pam.request(acme, { status: 'approved' }),
        await pam.request(acme, { status: 'approved', deviceId: acme.otherDeviceId }),
      ];
      await pam.organizationIs(other, 'merging', 2);
      await pam.deviceIs(other, { deviceId, siteId: other.siteId, version: 2 });
      await sweep();
      expect(await pam.statusOf(granted)).toBe('approved');
      await pam.organizationIs(other, 'active', 3);
      const elsewhere = await pam
        .as(aSystemAdmin())
        .post(`/devices/${deviceId}/actuate-elevation`)
        .send({ elevationRequestId: granted });
      expect(elsewhere.body).toMatchObject({ status: 404, code: 'elevation_request_not_found' });
      await sweep();
      expect([await pam.statusOf(granted), await pam.statusOf(stays)]).toEqual(['revoked', 'approved']);
      expect(
        await pam.service.sql('SELECT org_id, type, status FROM device_commands WHERE device_id = $1', [deviceId]),
      ).toEqual([{ org_id: other.orgId, type: 'revoke_elevation', status: 'queued' }]);
      expect(
        (await pam.service.audits('pam.elevation_request.revoke')).filter(({ resource }) => resource.id === granted),
      ).toMatchObject([{ orgId: acme.orgId, siteId: null, actor: { type: 'system' } }]);
    });

    it('lets an approval stand again when the device said nothing in time', async () => {
      const acme = await pam.tenant();
      const id = await pam.request(acme, { status: 'approved' });
      await adminOf(acme).post(`/devices/${acme.deviceId}/actuate-elevation`).send({ elevationRequestId: id });
      await pam.service.sql(
        `UPDATE device_commands SET expires_at = now() - interval '1 second' WHERE elevation_request_id = $1`,
        [id],
      );
      await sweep();
      expect(await pam.statusOf(id)).toBe('approved');
      expect(await pam.commandsOf(id)).toMatchObject([{ status: 'expired' }]);
    });
  });

  it('hands no actuation out after its window has closed', async () => {
    const acme = await pam.tenant();
    const id = await pam.request(acme, { status: 'approved', expiresSeconds: 20 });
    await adminOf(acme)
      .post(`/devices/${acme.deviceId}/actuate-elevation`)
      .send({ elevationRequestId: id, timeoutMs: 60_000 });
    expect(
      await pam.service.sql(
        `SELECT c.expires_at = r.expires_at AS capped FROM device_commands c
          JOIN elevation_requests r ON r.id = c.elevation_request_id WHERE r.id = $1`,
        [id],
      ),
    ).toEqual([{ capped: true }]);
  });

  describe('approvals', () => {
    it('are written only for technicians whom a push reaches and who may decide', async () => {
      const acme = await pam.tenant();
      const eligible = [
        await pam.technician(acme),
        await pam.technician(acme, { sites: [acme.siteId] }),
        await pam.technician(acme, { level: 'partner', orgs: 'all', permissions: ['*'] }),
        await pam.technician(acme, { level: 'partner', orgs: [acme.orgId], permissions: ['devices:execute'] }),
      ];
      await pam.technician(acme, { subscriptions: 0 });
      await pam.technician(acme, { active: false });
      await pam.technician(acme, { sites: [acme.otherSiteId] });
      await pam.technician(acme, { permissions: ['devices:read'] });
      await pam.technician(acme, { level: 'partner', orgs: [newId()] });
      await pam.technician(await pam.tenant());
      const id = await pam.request(acme);
      await pam.announce(acme, id);
      await pam.announce(acme, id);
      const pushes = (await pam.service.emitted(ApprovalPushRequested))
        .map(({ data }) => data)
        .filter(({ orgId }) => orgId === acme.orgId);
      expect(pushes.map(({ userId }) => userId).toSorted()).toEqual(eligible.map(({ userId }) => userId).toSorted());
      expect(JSON.stringify(pushes)).not.toMatch(/Setup|ann/);
    });

    it('PAM-45 let the first decision win; the siblings expire', async () => {
      const acme = await pam.tenant();
      const technicians = [await pam.technician(acme), await pam.technician(acme), await pam.technician(acme)];
      const id = await pam.request(acme);
      await pam.announce(acme, id);
      const approvals = await Promise.all(
        technicians.map(
          async (technician) => (await pam.as(technician).get('/approvals?status=pending')).body.approvals[0],
        ),
      );
      expect(approvals[0]).toMatchObject({
        elevationRequestId: id,
        status: 'pending',
        request: { id, deviceHostname: 'DESK-1' },
      });
      const answers = await Promise.all(
        technicians.map((technician, at) =>
          pam.as(technician).post(`/approvals/${approvals[at].id}/approve`).send({ durationMinutes: 5 }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
        code: 'already_decided',
        finalStatus: 'approved',
      });
      const rows = await pam.service.sql<{ status: string }>(
        'SELECT status FROM approvals WHERE elevation_request_id = $1',
        [id],
      );
      expect(rows.map(({ status }) => status).toSorted()).toEqual(['approved', 'expired', 'expired']);
      expect(
        (await pam.service.audits()).filter(({ resource, result }) => resource.id === id && result === 'success'),
      ).toHaveLength(1);
    });

    it('expire with a decision in the dashboard', async () => {
      const acme = await pam.tenant();
      const technician = await pam.technician(acme);
      const id = await pam.request(acme);
      await pam.announce(acme, id);
      await adminOf(acme).post(`/pam/elevation-requests/${id}/respond`).send({ decision: 'deny' });
      const [approval] = (await pam.as(technician).get('/approvals')).body.approvals;
      expect(approval.status).toBe('expired');
      expect((await pam.as(technician).post(`/approvals/${approval.id}/deny`).send({})).body).toMatchObject({
        status: 409,
        code: 'already_decided',
        finalStatus: 'denied',
      });
    });

    it('are denied by a report, and stay secret to their technician', async () => {
      const acme = await pam.tenant();
      const [one, two] = [await pam.technician(acme), await pam.technician(acme)];
      const id = await pam.request(acme);
      await pam.announce(acme, id);
      const [approval] = (await pam.as(one).get('/approvals')).body.approvals;
      expect((await pam.as(two).get(`/approvals/${approval.id}`)).body.code).toBe('approval_not_found');
      expect((await pam.as(two).post(`/approvals/${approval.id}/approve`).send({})).status).toBe(404);
      expect(
        (
          await pam
            .as({ ...one, mfa: false })
            .post(`/approvals/${approval.id}/approve`)
            .send({})
        ).body.code,
      ).toBe('mfa_required');
      expect((await pam.as(one).post(`/approvals/${approval.id}/report-suspicious`).send({})).body).toEqual({
        success: true,
        id: approval.id,
        status: 'reported',
        votesGiven: 0,
        votesRequired: 1,
      });
      expect(await pam.statusOf(id)).toBe('denied');
    });

    it('are refused as decisions are, once the device stands at a site out of reach', async () => {
      const acme = await pam.tenant();
      const technician = await pam.technician(acme, { sites: [acme.siteId] });
      const id = await pam.request(acme);
      await pam.announce(acme, id);
      const [approval] = (await pam.as(technician).get('/approvals')).body.approvals;
      await pam.service.sql('UPDATE device_ref SET site_id = $2 WHERE device_id = $1', [
        acme.deviceId,
        acme.otherSiteId,
      ]);
      for (const answer of ['approve', 'deny', 'report-suspicious']) {
        expect((await pam.as(technician).post(`/approvals/${approval.id}/${answer}`).send({})).body).toMatchObject({
          status: 403,
          code: 'site_access_denied',
        });
      }
      expect(await pam.statusOf(id)).toBe('pending');
    });

    it('are gone after their time', async () => {
      const acme = await pam.tenant();
      const technician = await pam.technician(acme);
      const id = await pam.request(acme, { pendingSeconds: 1 });
      await pam.announce(acme, id);
      const [approval] = (await pam.as(technician).get('/approvals')).body.approvals;
      await pam.service.sql(`UPDATE approvals SET expires_at = now() - interval '1 second' WHERE id = $1`, [
        approval.id,
      ]);
      expect((await pam.as(technician).post(`/approvals/${approval.id}/approve`).send({})).body).toMatchObject({
        status: 410,
        code: 'approval_expired',
      });
    });

    it('do not ask the technician who asks', async () => {
      const acme = await pam.tenant();
      const [asking, other] = [await pam.technician(acme), await pam.technician(acme)];
      const id = await pam.request(acme, { flowType: 'tech_jit_admin', requestedBy: asking.userId });
      await pam.announce(acme, id);
      expect(await pam.service.sql('SELECT user_id FROM approvals WHERE elevation_request_id = $1', [id])).toEqual([
        { user_id: other.userId },
      ]);
    });

    it('are not written for a request that is decided already', async () => {
      const acme = await pam.tenant();
      await pam.technician(acme);
      const id = await pam.request(acme, { status: 'denied' });
      await pam.announce(acme, id);
      expect(await pam.service.sql('SELECT FROM approvals WHERE elevation_request_id = $1', [id])).toEqual([]);
    });
  });
});
