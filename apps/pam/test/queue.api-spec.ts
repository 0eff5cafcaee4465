import { ElevationRequestRecord, ElevationTaken } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ExpireElevations } from '../src/approvals/expire-elevations.ts';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('the queue of elevation requests', () => {
  let pam: PamHarness;
  besidePam((started) => (pam = started));

  describe('who looks at a request', () => {
    it('PAM-382 tells colleagues until ten minutes are over, it is released or decided, and bars no one', async () => {
      const acme = await pam.tenant();
      const id = await pam.request(acme);
      const [ann, ben] = [technicianOf(acme, 'Ann'), technicianOf(acme, 'Ben')];
      const path = `/pam/elevation-requests/${id}`;
      const { body } = await ann.post(`${path}/take`);
      expect(body).toMatchObject({ success: true, id, status: 'pending', takenUntil: expect.any(String) });
      expect(await taken(acme)).toEqual(['Ann', body.takenUntil]);
      expect((await ben.get(path)).body.request).toMatchObject({ takenByName: 'Ann', mayRespond: { approve: true } });
      await ben.post(`${path}/take`);
      expect((await ann.post(`${path}/release`)).body).toMatchObject({ takenUntil: null });
      expect((await taken(acme))[0]).toBe('Ben');
      await ben.post(`${path}/release`);
      expect(await taken(acme)).toEqual([null, null]);
      await ben.post(`${path}/take`);
      await pam.service.sql('UPDATE elevation_requests SET taken_until = now() WHERE id = $1', [id]);
      expect(await taken(acme)).toEqual([null, null]);
      await ben.post(`${path}/take`);
      expect((await ann.post(`${path}/respond`).send({ decision: 'deny' })).status).toBe(200);
      expect(await taken(acme)).toEqual([null, null]);
      const acts = [...(await pam.service.audits('pam.elevation_request.take'))].filter(
        ({ resource }) => resource.id === id,
      );
      expect(acts.map(({ actor }) => actor.name)).toEqual(['Ann', 'Ben', 'Ben', 'Ben']);
      const told = (await pam.service.emitted(ElevationTaken)).filter(({ data }) => data.elevationRequestId === id);
      expect(told).toHaveLength(5);
    });

    it('PAM-382 ends when who looks at it is suspended, or may no longer decide there', async () => {
      const acme = await pam.tenant();
      const names = ['suspended', 'demoted', 'confined', 'renamed'];
      const people = await Promise.all(names.map((name) => pam.technician(acme, { name })));
      const ids = await Promise.all(people.map(() => pam.request(acme)));
      for (const [at, person] of people.entries())
        await pam.as(person).post(`/pam/elevation-requests/${ids[at]}/take`).expect(200);
      const [suspended, demoted, confined, renamed] = people.map(({ userId }) => ({ userId, version: 2 }));
      await pam.technician(acme, { ...suspended, active: false });
      await pam.technician(acme, { ...demoted, permissions: ['devices:read'] });
      await pam.technician(acme, { ...confined, sites: [acme.otherSiteId] });
      await pam.technician(acme, { ...renamed, name: 'Other' });
      const { requests } = (await adminOf(acme).get('/pam/elevation-requests')).body;
      const rows: { id: string; takenByName: string | null }[] = requests;
      expect(ids.map((id) => rows.find((row) => row.id === id)?.takenByName)).toEqual([null, null, null, 'renamed']);
      const told = (await pam.service.emitted(ElevationTaken)).map(({ data }) => data.elevationRequestId);
      expect(ids.map((id) => told.filter((one) => one === id).length)).toEqual([2, 2, 2, 1]);
    });

    it('PAM-382 ends when the device leaves the sites of who looks at it', async () => {
      const acme = await pam.tenant();
      const confined = await pam.technician(acme, { sites: [acme.siteId] });
      const id = await pam.request(acme);
      await pam.as(confined).post(`/pam/elevation-requests/${id}/take`).expect(200);
      const sweep = () => pam.service.service.app.get(ExpireElevations).run();
      await sweep();
      expect((await taken(acme))[0]).toBe(confined.name);
      await pam.deviceIs(acme, { deviceId: acme.deviceId, siteId: acme.otherSiteId, version: 2 });
      await sweep();
      expect(await taken(acme)).toEqual([null, null]);
    });

    it('PAM-383 is refused to API keys, and for what is not pending, or out of reach', async () => {
      const acme = await pam.tenant();
      const [denied, elsewhere] = [
        await pam.request(acme, { status: 'denied' }),
        await pam.request(acme, { deviceId: acme.otherDeviceId }),
      ];
      const confined = adminOf(acme, { sites: [acme.siteId] });
      const stranger = adminOf(await pam.tenant());
      const codeOf = async (client: typeof stranger, id: string, act: string) =>
        (await client.post(`/pam/elevation-requests/${id}/${act}`)).body.code;
      for (const act of ['take', 'release']) {
        expect(await codeOf(adminOf(acme), denied, act)).toBe('not_pending');
        expect(await codeOf(confined, elsewhere, act)).toBe('site_access_denied');
        expect(await codeOf(stranger, elsewhere, act)).toBe('elevation_request_not_found');
        for (const barred of [{ permissions: ['devices:read'] }, { kind: 'api_key', sessionId: null }])
          expect(await codeOf(adminOf(acme, barred), elsewhere, act)).toBe('permission_denied');
      }
      expect(await taken(acme)).toEqual([null, null]);
    });

    const taken = async (tenant: Tenant) => {
      const [row] = (await adminOf(tenant).get('/pam/elevation-requests')).body.requests;
      return [row.takenByName, row.takenUntil];
    };
    const technicianOf = (tenant: Tenant, name: string) => adminOf(tenant, { userId: newId(), name });
  });

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

    const twoTenants = async () => {
      const acme = await pam.tenant();
      const sister = await pam.tenant(acme.partnerId);
      const pending = await pam.request(acme);
      const open = await pam.request(acme, { status: 'approved' });
      await pam.request(sister);
      await pam.request(sister, { status: 'approved' });
      return { acme, sister, pending, open };
    };
  });

  it('lists 500 active requests at most, and 50 to a page by default', async () => {
    const acme = await pam.tenant();
    await pam.requests(acme, 501);
    expect((await adminOf(acme).get('/pam/active')).body.active).toHaveLength(500);
    const { body } = await adminOf(acme).get('/pam/elevation-requests');
    expect([body.requests.length, body.pagination]).toEqual([50, { page: 1, limit: 50, total: 501 }]);
  });

  const adminOf = (tenant: Tenant, overrides: object = {}) =>
    pam.as(anOrgAdmin(tenant.partnerId, tenant.orgId, overrides));
  const idsOf = (rows: Listed[]): string[] => rows.map(({ id }) => id);
});

type Listed = { id: string };
