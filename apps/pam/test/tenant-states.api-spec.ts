import type { Principal } from '@gatehouse/contracts-core';
import { ElevationExpired, ElevationRevoked } from '@gatehouse/contracts-pam';
import { type OrganizationStatus, OrganizationChanged, PartnerChanged } from '@gatehouse/contracts-tenancy';
import { anOrgAdmin, aPartnerAdmin, aSystemAdmin } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ExpireElevations } from '../src/approvals/expire-elevations.ts';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('requests below organisations and devices that are gone', () => {
  let pam: PamHarness;
  let acme: Tenant;
  let partner: Principal;
  besidePam((started) => (pam = started));
  beforeEach(async () => {
    acme = await pam.tenant();
    partner = aPartnerAdmin(acme.partnerId);
  });

  describe.each(['archived', 'purging'] as const)('of an organisation that is %s', (status) => {
    it('ATK-33a are in no list and no total', async () => {
      const tech = await pam.technician(acme);
      const [pending, active] = [await pam.request(acme), await pam.request(acme, { status: 'approved' })];
      await pam.announce(acme, pending);
      expect(await listedWithTotal(`?deviceId=${acme.deviceId}`)).toEqual([[active, pending], 2]);
      await becomes(status);
      expect(await listedWithTotal()).toEqual([[], 0]);
      expect(await listedWithTotal(`?deviceId=${acme.deviceId}`)).toEqual([[], 0]);
      expect(await listed('/pam/active', 'active')).toEqual([]);
      expect(await listed('/approvals', 'approvals', tech)).toEqual([]);
      expect((await listedWithTotal(`?deviceId=${acme.deviceId}`, aSystemAdmin()))[0]).toEqual([]);
    });

    it('ATK-33b can be revoked by id, and neither approved nor denied', async () => {
      const tech = await pam.technician(acme);
      const [pending, active] = [await pam.request(acme), await pam.request(acme, { status: 'approved' })];
      await pam.announce(acme, pending);
      const [card = ''] = await listed('/approvals', 'approvals', tech);
      await becomes(status);
      const deny = await pam.as(tech).post(`/approvals/${card}/deny`).send({});
      for (const { body } of [await respond(pending, 'approve'), await respond(pending, 'deny'), deny])
        expect(body).toMatchObject({ status: 409, code: 'organization_frozen' });
      expect((await pam.as(tech).get(`/approvals/${card}`)).status).toBe(200);
      expect((await revoke(active)).status).toBe(200);
    });
  });

  it('ATK-33c of a deleted organisation do not exist, but for the system', async () => {
    const tech = await pam.technician(acme);
    const [pending, active] = [await pam.request(acme), await pam.request(acme, { status: 'approved' })];
    await pam.announce(acme, pending);
    const [card = ''] = await listed('/approvals', 'approvals', tech);
    await isDeleted(acme);
    expect(await listedWithTotal()).toEqual([[], 0]);
    expect(await listed('/pam/active', 'active')).toEqual([]);
    expect(await listed('/approvals', 'approvals', tech)).toEqual([]);
    expect((await pam.as(tech).get(`/approvals/${card}`)).body.code).toBe('approval_not_found');
    expect((await pam.as(tech).post(`/approvals/${card}/deny`).send({})).body.code).toBe('approval_not_found');
    for (const decision of ['approve', 'deny'])
      expect((await respond(pending, decision)).body).toMatchObject({
        status: 404,
        code: 'elevation_request_not_found',
      });
    expect((await revoke(active)).body).toMatchObject({ status: 404, code: 'elevation_request_not_found' });
    const actuate = { elevationRequestId: active };
    expect((await pam.as(partner).post(`/devices/${acme.deviceId}/actuate-elevation`).send(actuate)).body.code).toBe(
      'device_not_found',
    );
    expect((await listedWithTotal(`?deviceId=${acme.deviceId}`, aSystemAdmin()))[0]).toEqual([active, pending]);
    expect((await revoke(active, aSystemAdmin())).status).toBe(200);
  });

  it('ATK-32c settings and rules below a deleted partner are read by the system, and changed by nobody', async () => {
    const partnerIs = { partnerId: acme.partnerId, name: 'P', slug: acme.partnerId, status: 'active' } as const;
    await pam.service.deliver(PartnerChanged, { ...partnerIs, deleted: true, version: 2 });
    const system = pam.as(aSystemAdmin());
    expect((await system.get(`/pam/config?orgId=${acme.orgId}`)).status).toBe(200);
    const changes = [
      system.put('/pam/config').send({ orgId: acme.orgId, defaultUnmatchedVerdict: 'auto_deny' }),
      system.post('/pam/signer-groups').send({ orgId: acme.orgId, name: 'G', signers: ['x'] }),
    ];
    for (const { body } of await Promise.all(changes))
      expect(body).toMatchObject({ status: 404, code: 'organization_not_found' });
  });

  it('ATK-33d of others stay in the list and in its total', async () => {
    const other = await pam.tenant(acme.partnerId);
    const kept = await pam.request(other);
    await pam.request(acme);
    await becomes('archived');
    expect(await listedWithTotal()).toEqual([[kept], 1]);
    expect(await listedWithTotal('?status=pending')).toEqual([[kept], 1]);
  });

  it('ATK-33e leave no policy in the list, and no organisation to choose from', async () => {
    const other = await pam.tenant(acme.partnerId);
    const policy = {
      name: 'p',
      mode: 'audit',
      target: { level: 'organization', id: acme.orgId },
      rules: [{ name: 'x', signer: 'y' }],
    };
    const { data, softwarePolicy } = (await pam.as(partner).post('/pam/software-policies').send(policy)).body;
    const { id } = softwarePolicy ?? data;
    const names = async (): Promise<string> =>
      JSON.stringify((await pam.as(partner).get('/pam/software-policies')).body);
    expect(await names()).toContain(id);
    expect((await pam.as(partner).get('/pam/config')).body.code).toBe('org_required');
    await becomes('archived');
    expect(await names()).not.toContain(id);
    expect((await pam.as(partner).get('/pam/config')).body.config.orgId).toBe(other.orgId);
    await isDeleted(acme);
    expect((await pam.as(partner).get(`/pam/software-policies/${id}`)).status).toBe(404);
    expect((await pam.as(partner).delete(`/pam/software-policies/${id}`)).status).toBe(404);
  });

  describe('of a decommissioned device', () => {
    it('ATK-34b cannot be approved, and can be denied', async () => {
      const tech = await pam.technician(acme);
      const [first, second] = [await pam.request(acme), await pam.request(acme)];
      await pam.announce(acme, second);
      const [card = ''] = await listed('/approvals', 'approvals', tech);
      await decommission();
      expect((await respond(first, 'approve')).body).toMatchObject({ status: 409, code: 'conflict' });
      expect((await pam.as(tech).post(`/approvals/${card}/approve`).send({})).body).toMatchObject({
        status: 409,
        code: 'conflict',
      });
      expect(await pam.statusOf(first)).toBe('pending');
      expect((await respond(first, 'deny')).status).toBe(200);
    });

    it('ATK-34c end soon, with an event and an audit entry', async () => {
      const [pending, active] = [await pam.request(acme), await pam.request(acme, { status: 'approved' })];
      const elsewhere = await pam.request(acme, { deviceId: acme.otherDeviceId });
      await decommission();
      await pam.service.service.app.get(ExpireElevations).run();
      expect([await pam.statusOf(pending), await pam.statusOf(active), await pam.statusOf(elsewhere)]).toEqual([
        'expired',
        'revoked',
        'pending',
      ]);
      expect((await pam.service.emitted(ElevationExpired)).map(({ data }) => data.elevationRequestId)).toContain(
        pending,
      );
      expect((await pam.service.emitted(ElevationRevoked)).map(({ data }) => data.elevationRequestId)).toContain(
        active,
      );
      const actions = (await pam.service.audits())
        .filter(({ orgId }) => orgId === acme.orgId)
        .map(({ action, resource }) => [action, resource.id]);
      expect(actions).toEqual(
        expect.arrayContaining([
          ['pam.elevation_request.expire', pending],
          ['pam.elevation_request.revoke', active],
        ]),
      );
    });

    const decommission = (): Promise<void> =>
      pam.deviceIs(acme, { deviceId: acme.deviceId, siteId: acme.siteId, version: 7, status: 'decommissioned' });
  });

  describe('of a suspended organisation', () => {
    it('ATK-34d are not granted by a rule, but wait for a person', async () => {
      await tool('auto_approve');
      expect((await ask(admin())).body.status).toBe('auto_approved');
      await becomes('suspended');
      const { id, status } = (await ask(admin())).body;
      expect(status).toBe('pending');
      const entry = (await pam.service.audits()).find(({ resource }) => resource.id === id);
      expect(entry?.details).toMatchObject({ status: 'pending', held: 'organization_suspended' });
      expect((await respond(id, 'approve')).body.status).toBe('approved');
    });

    it('ATK-34e are still denied by a rule', async () => {
      await tool('auto_deny');
      await becomes('suspended');
      expect((await ask(admin())).body.status).toBe('denied');
    });

    const admin = (): Principal => anOrgAdmin(acme.partnerId, acme.orgId);
    const ask = (as: Principal) =>
      pam.as(as).post('/pam/tool-actions').send({ deviceId: acme.deviceId, toolName: 'list_processes', input: {} });
    const tool = async (verdict: string): Promise<void> => {
      const body = { name: 'r', verdict, matchToolName: 'list_processes', orgId: acme.orgId };
      expect((await pam.as(partner).post('/pam/rules').send(body)).status).toBe(201);
    };
  });

  it('ATK-34a an unknown zone of a time window is named as the issue', async () => {
    const timeWindow = { start: '09:00', end: '17:00', timezone: 'Mars/Olympus' };
    const issues = [{ path: 'timeWindow.timezone', message: 'Mars/Olympus is not a known time zone' }];
    const draft = { matchUser: 'ann', timeWindow, orgId: acme.orgId };
    const { body: made } = await pam
      .as(partner)
      .post('/pam/rules')
      .send({ name: 'r', verdict: 'auto_deny', matchUser: 'ann', orgId: acme.orgId });
    const refused = { status: 400, code: 'validation_failed', issues };
    const [rule, offset] = [
      { ...draft, name: 'r', verdict: 'auto_deny' },
      { ...timeWindow, timezone: '+01:00' },
    ];
    const patched = (body: object) => pam.as(partner).patch(`/pam/rules/${made.rule.id}`).send(body);
    expect((await pam.as(partner).post('/pam/rules').send(rule)).body).toMatchObject(refused);
    expect((await pam.as(partner).post('/pam/rules/preview').send(draft)).body).toMatchObject(refused);
    expect((await patched({ timeWindow })).body).toMatchObject(refused);
    expect((await patched({ timeWindow: offset })).status).toBe(400);
  });

  const isDeleted = ({ orgId, partnerId }: Tenant): Promise<void> =>
    pam.service.deliver(OrganizationChanged, {
      orgId,
      partnerId,
      name: 'Acme',
      status: 'active',
      deleted: true,
      mergedIntoId: null,
      version: 9,
    });
  const becomes = (status: OrganizationStatus): Promise<void> => pam.organizationIs(acme, status, 5);
  const listed = async (path: string, key: string, as: Principal = partner): Promise<string[]> =>
    ((await pam.as(as).get(path)).body[key] as { id: string }[]).map(({ id }) => id);
  const listedWithTotal = async (query = '', as: Principal = partner): Promise<[string[], number]> => {
    const { requests, pagination } = (await pam.as(as).get(`/pam/elevation-requests${query}`)).body;
    return [(requests as { id: string }[]).map(({ id }) => id), pagination.total];
  };
  const revoke = (id: string, as: Principal = partner) =>
    pam.as(as).post(`/pam/elevation-requests/${id}/revoke`).send({ reason: 'x' });
  const respond = (id: string, decision: string, as: Principal = partner) =>
    pam.as(as).post(`/pam/elevation-requests/${id}/respond`).send({ decision });
});
