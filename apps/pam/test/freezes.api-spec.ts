import { PartnerChanged } from '@gatehouse/contracts-tenancy';
import { ElevationRevoked, FreezeLifted, FreezeStarted } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import {
  anApiKey,
  anOrgAdmin,
  anOrgTechnician,
  aPartnerAdmin,
  aPartnerTechnician,
  aSystemAdmin,
  NO_OUTBOX,
  overlapping,
  patient,
  stopwatch,
  until,
} from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { PamHarness, type Tenant } from './pam.harness.ts';

const DAY_MS = 86_400_000;
/** Work that earlier freezes leave. */
const FOLLOW_UP = `
  SELECT id FROM pam_freezes WHERE NOT done OR (ended_at IS NOT NULL AND NOT asked)
  UNION ALL SELECT elevation_request_id FROM approval_questions WHERE NOT parked`;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

describe('emergency freezes', () => {
  let pam: PamHarness;
  let replica: PamHarness;
  let acme: Tenant;
  beforeAll(async () => {
    pam = await PamHarness.start({ env: patient() });
    replica = await PamHarness.start({ replicaOf: pam.service });
    acme = await aTenant();
  });
  afterAll(async () => {
    await replica.stop();
    await pam.stop();
  });

  describe('the order', () => {
    it('PAM-150 freezes a device for 24 hours under lockdown, and says so in audit and events', async () => {
      const tenant = await aTenant();
      const author = anOrgTechnician(tenant.partnerId, tenant.orgId);
      const { body } = await freeze({ targetId: tenant.deviceId }, pam.as(author)).expect(201);
      expect(body).toEqual({
        success: true,
        freeze: {
          id: expect.any(String),
          level: 'device',
          targetId: tenant.deviceId,
          targetName: 'DESK-1',
          orgId: tenant.orgId,
          mode: 'lockdown',
          reason: 'ransomware',
          createdBy: author.userId,
          createdByName: author.name,
          createdAt: expect.any(String),
          expiresAt: expect.any(String),
          liftedAt: null,
          liftedBy: null,
          liftedByName: null,
          liftReason: null,
          progress: { revoked: 0, withdrawn: 0, done: false },
        },
      });
      const { id, createdAt, expiresAt } = body.freeze;
      expect(Math.abs(Date.parse(expiresAt) - Date.parse(createdAt) - DAY_MS)).toBeLessThan(60_000);
      const audits = await pam.service.audits('pam.freeze.create');
      expect(audits.filter(({ resource }) => resource.id === id)).toMatchObject([
        { result: 'success', orgId: tenant.orgId, siteId: tenant.siteId, details: { reason: 'ransomware' } },
      ]);
      const started = await pam.service.emitted(FreezeStarted);
      expect(started.filter(({ aggregateId }) => aggregateId === id)).toMatchObject([
        { data: { level: 'device', siteId: tenant.siteId, mode: 'lockdown', actorId: author.userId } },
      ]);
      expect(await pam.rulebookVersion(tenant)).toBe(2);
      const version = await pam.rulebookVersion(tenant);
      const answer = await lift(id, pam.as(author)).expect(200);
      expect(answer.body.freeze).toMatchObject({ liftedBy: author.userId, liftReason: 'all clear' });
      expect(await pam.rulebookVersion(tenant)).toBe(version + 1);
      expect((await lift(id, pam.as(author))).body).toMatchObject({ status: 409, code: 'conflict' });
      const lifted = await pam.service.emitted(FreezeLifted);
      expect(lifted.filter(({ aggregateId }) => aggregateId === id)).toHaveLength(1);
    });

    it.each([
      { level: 'group' },
      { mode: 'soft' },
      { reason: '' },
      { reason: ' ' },
      { reason: 'x'.repeat(2001) },
      { targetId: 'no-uuid' },
      { expiresAt: inDays(-1) },
      { expiresAt: inDays(31) },
      { expiresAt: '2026-01-01' },
      { revokeOpen: 'yes' },
      { until: inDays(1) },
    ])('refuses %j', async (body) => {
      expect((await freeze(body)).status).toBe(400);
    });

    it('FREEZE-01 refuses what is foreign, and what lies beyond the caller’s sites or scope', async () => {
      const other = await pam.tenant();
      const [org, partner] = [
        { level: 'organization', targetId: acme.orgId },
        { level: 'partner', targetId: acme.partnerId },
      ];
      const atSite = (principal: typeof anOrgTechnician) =>
        pam.as(principal(acme.partnerId, acme.orgId, { sites: [acme.siteId] }));
      const cases: [object, ReturnType<typeof boss>, number, string][] = [
        [{ targetId: other.deviceId }, boss(acme), 404, 'device_not_found'],
        [{ level: 'site', targetId: other.siteId }, boss(acme), 404, 'site_not_found'],
        [{ level: 'organization', targetId: other.orgId }, boss(acme), 404, 'organization_not_found'],
        [{ level: 'partner', targetId: newId() }, boss(acme), 404, 'partner_not_found'],
        [{ targetId: acme.otherDeviceId }, atSite(anOrgTechnician), 403, 'site_access_denied'],
        [{ level: 'site', targetId: acme.otherSiteId }, atSite(anOrgTechnician), 403, 'site_access_denied'],
        [org, atSite(anOrgAdmin), 403, 'site_access_denied'],
        [partner, boss(acme), 403, 'scope_denied'],
        [partner, pam.as(aPartnerAdmin(acme.partnerId, { orgs: [acme.orgId] })), 403, 'scope_denied'],
        [
          {},
          pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { permissions: ['devices:read'] })),
          403,
          'permission_denied',
        ],
        [{ expiresAt: null }, pam.as(aPartnerTechnician(acme.partnerId)), 403, 'permission_denied'],
        [{}, pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { mfa: false })), 403, 'mfa_required'],
      ];
      const answers = await Promise.all(
        cases.map(async ([body, client, status, code]) => [(await freeze(body, client)).body, { status, code }]),
      );
      for (const [answer, expected] of answers) expect(answer).toMatchObject(expected as object);
    });

    it('ATK-162 PAM-340 freezes of one target stack: the strongest holds until the last of them has ended', async () => {
      const tenant = await aTenant();
      const target = { level: 'organization', targetId: tenant.orgId };
      const held = await frozen(tenant, { ...target, mode: 'hold', expiresAt: inDays(20) });
      const weak = await frozen(tenant, { ...target, revokeOpen: false, expiresAt: inDays(0.5) });
      const strong = await frozen(tenant, { ...target, expiresAt: inDays(2) });
      const again = await frozen(tenant, { ...target, expiresAt: inDays(1) });
      const active = async (): Promise<string[]> => {
        const { body } = await boss(tenant).get('/pam/freezes?active=true').expect(200);
        return (body.freezes as Freeze[]).map(({ id }) => id);
      };
      expect(await active()).toEqual([again, strong, weak, held]);
      await lift(again, boss(tenant)).expect(200);
      expect(await active()).toEqual([strong, weak, held]);
      expect((await lift(again, boss(tenant))).body).toMatchObject({ status: 409, code: 'conflict' });
      await lift(strong, boss(tenant)).expect(200);
      await lift(weak, boss(tenant)).expect(200);
      expect(await active()).toEqual([held]);
    });

    it('FREEZE-02 FREEZE-05 is lifted by its author or an administrator of the same reach', async () => {
      const tenant = await aTenant();
      const technician = aPartnerTechnician(tenant.partnerId);
      const { body } = await freeze(
        { level: 'partner', targetId: tenant.partnerId },
        pam.as(aPartnerTechnician(tenant.partnerId)),
      ).expect(201);
      const { id } = body.freeze;
      expect((await lift(id, boss(await pam.tenant()))).body).toMatchObject({ status: 404, code: 'freeze_not_found' });
      expect((await lift(id, boss(tenant))).body).toMatchObject({ status: 403, code: 'scope_denied' });
      expect((await lift(id, pam.as(technician))).body).toMatchObject({ status: 403, code: 'permission_denied' });
      const key = anApiKey({ level: 'partner', partnerId: tenant.partnerId, permissions: ['*'] });
      expect((await lift(id, pam.as(key))).body).toMatchObject({ status: 403, code: 'mfa_required' });
      await lift(id, pam.as(aPartnerAdmin(tenant.partnerId))).expect(200);
      const wide = await freeze({ level: 'partner', targetId: tenant.partnerId }, pam.as(aSystemAdmin())).expect(201);
      await lift(wide.body.freeze.id, pam.as(aPartnerAdmin(tenant.partnerId))).expect(200);
    });

    it('FREEZE-02 ends by itself', async () => {
      const tenant = await aTenant();
      const id = await frozen(tenant);
      await pam.service.sql(`UPDATE pam_freezes SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
      expect((await lift(id, boss(tenant))).body).toMatchObject({ status: 409, code: 'conflict' });
      await frozen(tenant);
      const expired = async () =>
        (await pam.service.audits('pam.freeze.expire')).filter(({ resource }) => resource.id === id);
      await until(async () => (await expired()).length > 0);
      expect(await expired()).toMatchObject([{ actor: { type: 'system' } }]);
    });

    it('PAM-155 has its creation answered again after its end, under the same Idempotency-Key', async () => {
      const tenant = await aTenant();
      const caller = boss(tenant);
      const create = (key: string, expiresAt: string) =>
        caller
          .post('/pam/freezes')
          .set('idempotency-key', key)
          .send({ level: 'device', targetId: tenant.deviceId, reason: 'ransomware', expiresAt });
      for (let briefMs = 500; ; briefMs *= 2) {
        const [key, end] = [newId(), Date.now() + briefMs];
        const expiresAt = new Date(end).toISOString();
        const first = await create(key, expiresAt);
        // A busy machine may have come to the end before the call.
        if (first.status === 400) continue;
        await until(() => Date.now() > end);
        expect((await create(key, expiresAt)).body).toEqual(first.body);
        return;
      }
    });

    it('is listed where it covers something, with the freezes of the whole partner', async () => {
      const tenant = await aTenant();
      const sibling = await pam.tenant(tenant.partnerId);
      const own = await frozen(tenant, { level: 'site', targetId: tenant.siteId });
      const elsewhere = await frozen(tenant, { level: 'device', targetId: tenant.otherDeviceId });
      await frozen(sibling);
      const partner = await freeze(
        { level: 'partner', targetId: tenant.partnerId },
        pam.as(aPartnerAdmin(tenant.partnerId)),
      ).expect(201);
      const wide = partner.body.freeze.id as string;
      await lift(elsewhere, boss(tenant)).expect(200);
      const listed = async (query: string, client = boss(tenant)): Promise<string[]> =>
        (await client.get(`/pam/freezes${query}`).expect(200)).body.freezes.map((one: Freeze) => one.id);
      expect(await listed('')).toEqual([wide, elsewhere, own]);
      expect(await listed('?active=true')).toEqual([wide, own]);
      expect(await listed('?active=false')).toEqual([elsewhere]);
      expect(await listed(`?orgId=${tenant.orgId}&active=true`, pam.as(aPartnerAdmin(tenant.partnerId)))).toEqual([
        wide,
        own,
      ]);
      const atSite = anOrgTechnician(tenant.partnerId, tenant.orgId, { sites: [tenant.otherSiteId] });
      expect(await listed('', pam.as(atSite))).toEqual([wide, elsewhere]);
      expect(await listed(`?orgId=${tenant.orgId}`, boss(await pam.tenant()))).toEqual([]);
    });
  });

  describe('the effect', () => {
    it('PAM-151 refuses to actuate, and under lockdown to approve; denying works', async () => {
      const tenant = await aTenant();
      const [held, open] = [await pam.request(tenant), await pam.request(tenant, { status: 'approved' })];
      const hold = await frozen(tenant, { mode: 'hold', revokeOpen: false });
      expect((await actuate(tenant, open)).body).toMatchObject({ status: 409, code: 'pam_frozen' });
      expect((await actuate(tenant, held)).body).toMatchObject({ status: 409, code: 'pam_frozen' });
      expect((await actuate(tenant, newId())).body).toMatchObject({ code: 'elevation_request_not_found' });
      await respond(tenant, held, 'approve').expect(200);
      const id = await frozen(tenant, { level: 'device', targetId: tenant.deviceId, revokeOpen: false });
      const waiting = await pam.request(tenant);
      const detail = await boss(tenant).get(`/pam/elevation-requests/${waiting}`).expect(200);
      expect(detail.body.request.mayRespond).toEqual({ approve: 'pam_frozen', deny: true });
      expect((await respond(tenant, waiting, 'approve')).body).toMatchObject({ status: 409, code: 'pam_frozen' });
      await respond(tenant, waiting, 'deny').expect(200);
      const elsewhere = await pam.request(tenant, { deviceId: tenant.otherDeviceId });
      await respond(tenant, elsewhere, 'approve').expect(200);
      await lift(id, boss(tenant)).expect(200);
      await lift(hold, boss(tenant)).expect(200);
      await actuate(tenant, open).expect(201);
    });

    it('FREEZE-06 FREEZE-07 holds what rules and policies would grant, and lets them deny', async () => {
      const tenant = await aTenant();
      const { partnerId, orgId, deviceId } = tenant;
      const ann = pam.as(anOrgAdmin(partnerId, orgId, { email: 'ann@example.test' }));
      const ask = async (client = ann): Promise<{ id: string; status: string }> =>
        (await client.post('/pam/elevation-requests').send({ deviceId, reason: 'patch' }).expect(201)).body;
      const rule = { name: 'Rule', verdict: 'auto_approve', matchUser: 'ann@example.test' };
      const made = await ann.post('/pam/rules').send(rule).expect(201);
      const granted = await ask();
      expect(granted.status).toBe('auto_approved');
      const id = await frozen(tenant, { mode: 'hold' });
      const held = await ask();
      expect(held.status).toBe('pending');
      const detail = await ann.get(`/pam/elevation-requests/${held.id}`).expect(200);
      expect(detail.body.request.held).toBe('frozen');
      await ann.patch(`/pam/rules/${made.body.rule.id}`).send({ verdict: 'auto_deny' }).expect(200);
      expect((await ask()).status).toBe('denied');
      await ann.patch(`/pam/rules/${made.body.rule.id}`).send({ verdict: 'auto_approve' }).expect(200);
      await lift(id, boss(tenant)).expect(200);
      expect((await ask()).status).toBe('auto_approved');
    });

    it('PAM-153 ends open windows and actuations, and tells devices, in one audit entry for the organisation', async () => {
      const tenant = await aTenant();
      const ids = [
        await pam.request(tenant, { status: 'approved' }),
        await pam.request(tenant, { status: 'auto_approved' }),
      ];
      const queued = await pam.request(tenant, { status: 'approved' });
      await actuate(tenant, queued).expect(201);
      const waiting = await pam.request(tenant);
      const id = await frozen(tenant);
      expect((await isDone(tenant, id)).progress).toEqual({ revoked: 3, withdrawn: 1, done: true });
      for (const one of [...ids, queued]) expect(await pam.statusOf(one)).toBe('revoked');
      expect(await pam.statusOf(waiting)).toBe('pending');
      expect((await pam.commandsOf(queued)).map(({ type, status }) => [type, status])).toEqual([
        ['actuate_elevation', 'cancelled'],
        ['revoke_elevation', 'queued'],
      ]);
      const audits = await pam.service.audits('pam.elevation_request.revoke');
      const entries = audits.filter(({ orgId }) => orgId === tenant.orgId);
      expect(entries).toMatchObject([{ details: { freezeId: id, reason: 'ransomware' } }]);
      expect([...(entries[0]!.details['requestIds'] as string[])].sort()).toEqual([...ids, queued].sort());
      const revoked = await pam.service.emitted(ElevationRevoked);
      expect(revoked.filter(({ data }) => data.orgId === tenant.orgId)).toHaveLength(3);
      const later = await pam.request(tenant, { status: 'approved' });
      await pam.service.sql('UPDATE pam_freezes SET done = false WHERE id = $1', [id]);
      expect((await isDone(tenant, id)).progress.revoked).toBe(3);
      await lift(id, boss(tenant)).expect(200);
      expect([await pam.statusOf(queued), await pam.statusOf(later)]).toEqual(['revoked', 'approved']);
    });

    it('PAM-154 asks no technician under lockdown, and asks about what still waits when it is lifted', async () => {
      const tenant = await aTenant();
      await pam.technician(tenant);
      const id = await frozen(tenant);
      const request = await pam.request(tenant);
      await pam.announce(tenant, request);
      const asked = async (): Promise<number> =>
        (await pam.service.sql('SELECT FROM approvals WHERE elevation_request_id = $1', [request])).length;
      expect(await asked()).toBe(0);
      await lift(id, boss(tenant)).expect(200);
      for (let round = 0; (await asked()) === 0 && round < 200; round++) await wait(50);
      expect(await asked()).toBe(1);
    });

    it('PAM-150 follows a device that moves to another organisation', async () => {
      const tenant = await aTenant();
      const target = await pam.tenant(tenant.partnerId);
      const id = await frozen(tenant, { level: 'device', targetId: tenant.deviceId });
      await pam.deviceIs(target, { deviceId: tenant.deviceId, siteId: target.siteId, version: 2 });
      const there = { ...target, deviceId: tenant.deviceId };
      const request = await pam.request(there, { status: 'approved' });
      expect((await actuate(there, request)).body).toMatchObject({ code: 'pam_frozen' });
      expect(await pam.rulebookVersion(target)).toBe(2);
      await lift(id, boss(target)).expect(200);
    });

    it('PAM-150 holds where the device is, also when it moves while it is frozen', async () => {
      const tenant = await aTenant();
      const target = await pam.tenant(tenant.partnerId);
      const { deviceId } = tenant;
      const move = () => pam.deviceIs(target, { deviceId, siteId: target.siteId, version: 2 });
      const start = () => frozen(tenant, { level: 'device', targetId: deviceId });
      await followedUp();
      await overlapping<unknown>(pam.service, NO_OUTBOX, start, move);
      const there = { ...target, deviceId };
      const request = await pam.request(there, { status: 'approved' });
      expect((await actuate(there, request)).body).toMatchObject({ code: 'pam_frozen' });
      expect(await pam.rulebookVersion(target)).toBe(2);
    });

    it.each(['approval', 'last vote', 'actuation'])('FREEZE-03 refuses an %s that met its commit', async (what) => {
      const tenant = await aTenant();
      const request = await pam.request(tenant, { status: what === 'actuation' ? 'approved' : 'pending' });
      const voter = await pam.technician(tenant);
      if (what === 'last vote') {
        await pam.service.sql('UPDATE elevation_requests SET votes_required = 2 WHERE id = $1', [request]);
        await respond(tenant, request, 'approve', pam.as(voter)).expect(200);
      }
      const late = () => (what === 'actuation' ? actuate(tenant, request) : respond(tenant, request, 'approve'));
      const target = { level: 'organization', targetId: tenant.orgId };
      await followedUp();
      const [made, answer] = await overlapping(pam.service, NO_OUTBOX, () => freeze(target, boss(tenant)), late);
      expect([made?.status, answer?.body.code]).toEqual([201, 'pam_frozen']);
    });

    it('FREEZE-03 lets no approval and no actuation commit after the freeze, on two replicas', async () => {
      const tenant = await aTenant();
      const clients = [boss(tenant), replica.as(anOrgAdmin(tenant.partnerId, tenant.orgId))];
      const ids = await Promise.all(Array.from({ length: 20 }, () => pam.request(tenant)));
      const windows = await Promise.all(Array.from({ length: 20 }, () => pam.request(tenant, { status: 'approved' })));
      const racing = ids.flatMap((one, at) => [
        respond(tenant, one, 'approve', clients[at % 2]),
        actuate(tenant, windows[at]!, clients[(at + 1) % 2]),
      ]);
      const [id, answers] = await Promise.all([frozen(tenant), Promise.all(racing)]);
      const codes = new Set(answers.map(({ status, body }) => (status < 300 ? 'done' : body.code)));
      // A request that waits too long for the lock changes nothing.
      const expected = ['done', 'pam_frozen', 'unavailable'];
      expect([...codes].filter((code) => !expected.includes(code))).toEqual([]);
      await isDone(tenant, id);
      const open = await pam.service.sql(
        `SELECT status FROM elevation_requests WHERE org_id = $1 AND status IN ('approved', 'actuating')`,
        [tenant.orgId],
      );
      expect(open).toEqual([]);
      const orders = await pam.service.sql(
        `SELECT FROM device_commands WHERE org_id = $1 AND type = 'actuate_elevation'
          AND status IN ('queued', 'claimed')`,
        [tenant.orgId],
      );
      expect(orders).toEqual([]);
    });

    it('FREEZE-04 ends 10 000 windows of 2000 organisations in less than 10 s', async () => {
      const tenant = await aTenant();
      await pam.requests(tenant, 10_000);
      await pam.spreadOver(tenant, 1_999);
      const spent = stopwatch();
      const { body } = await freeze(
        { level: 'partner', targetId: tenant.partnerId },
        pam.as(aPartnerAdmin(tenant.partnerId)),
      ).expect(201);
      expect((await isDone(tenant, body.freeze.id)).progress).toMatchObject({ revoked: 10_000, done: true });
      expect(spent()).toBeLessThan(10_000);
    });
  });

  const aTenant = async (): Promise<Tenant> => {
    const tenant = await pam.tenant();
    const { partnerId } = tenant;
    const partner = { partnerId, name: 'MSP', slug: partnerId, status: 'active', deleted: false, version: 1 } as const;
    await pam.service.deliver(PartnerChanged, partner);
    return tenant;
  };
  const boss = (tenant: Tenant) => pam.as(anOrgAdmin(tenant.partnerId, tenant.orgId));
  const freeze = (body: object, client = boss(acme)) =>
    client.post('/pam/freezes').send({ level: 'device', targetId: acme.deviceId, reason: 'ransomware', ...body });
  const lift = (id: string, client = boss(acme)) =>
    client.post(`/pam/freezes/${id}/lift`).send({ reason: 'all clear' });
  const frozen = async (tenant: Tenant, body: object = {}): Promise<string> => {
    const target = { level: 'organization', targetId: tenant.orgId };
    const answer = await freeze({ ...target, ...body }, boss(tenant)).expect(201);
    return answer.body.freeze.id;
  };
  const isDone = async (tenant: Tenant, id: string): Promise<Freeze> => {
    for (let round = 0; round < 200; round++) {
      const { body } = await boss(tenant).get('/pam/freezes').expect(200);
      const found = (body.freezes as Freeze[]).find((one) => one.id === id);
      if (found?.progress.done) return found;
      await wait(50);
    }
    throw new Error('the windows of the freeze did not end');
  };
  /** Else it could reach a gate before the call that the gate is for. */
  const followedUp = () => until(async () => (await pam.service.sql(FOLLOW_UP)).length === 0);
  const actuate = (tenant: Tenant, elevationRequestId: string, client = boss(tenant)) =>
    client.post(`/devices/${tenant.deviceId}/actuate-elevation`).send({ elevationRequestId });
  const respond = (tenant: Tenant, id: string, decision: string, client = boss(tenant)) =>
    client.post(`/pam/elevation-requests/${id}/respond`).send({ decision });
});

interface Freeze {
  readonly id: string;
  readonly progress: { readonly revoked: number; readonly withdrawn: number; readonly done: boolean };
}
