import {
  type ApprovalRecord,
  ApprovalSettled,
  ElevationExpired,
  RequestOutcomeNotified,
} from '@gatehouse/contracts-pam';
import { anOrgAdmin, aSystemAdmin } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { ExpireElevations } from '../src/approvals/expire-elevations.ts';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('the sweep of elevation requests', () => {
  let pam: PamHarness;
  besidePam((started) => (pam = started));

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
    const events = await pam.service.emitted(ElevationExpired);
    expect(events.filter(({ aggregateId }) => over.includes(aggregateId))).toHaveLength(3);
    const entries = await pam.service.audits('pam.elevation_request.expire');
    expect(entries.filter(({ resource }) => over.includes(resource.id ?? ''))).toHaveLength(3);
  });

  it('ends what an organisation granted or was asked for a device that moved to another, which is told', async () => {
    const [acme, other] = [await pam.tenant(), await pam.tenant()];
    const { deviceId } = acme;
    const [waits, granted, stays] = [
      await pam.request(acme),
      await pam.request(acme, { status: 'approved' }),
      await pam.request(acme, { status: 'approved', deviceId: acme.otherDeviceId }),
    ];
    await pam.organizationIs(other, 'merging', 2);
    await pam.deviceIs(other, { deviceId, siteId: other.siteId, version: 2 });
    await sweep();
    expect(await pam.statusOf(granted)).toBe('approved');
    await pam.organizationIs(other, 'active', 3);
    const system = pam.as(aSystemAdmin());
    const late = await system.post(`/pam/elevation-requests/${waits}/respond`).send({ decision: 'approve' });
    expect(late.body).toMatchObject({ status: 409, code: 'conflict' });
    const elsewhere = await system.post(`/devices/${deviceId}/actuate-elevation`).send({ elevationRequestId: granted });
    expect(elsewhere.body).toMatchObject({ status: 404, code: 'elevation_request_not_found' });
    await sweep();
    const ends = [await pam.statusOf(waits), await pam.statusOf(granted), await pam.statusOf(stays)];
    expect(ends).toEqual(['expired', 'revoked', 'approved']);
    expect(
      await pam.service.sql('SELECT org_id, type, status FROM device_commands WHERE device_id = $1', [deviceId]),
    ).toEqual([{ org_id: other.orgId, type: 'revoke_elevation', status: 'queued' }]);
    expect(
      (await pam.service.audits('pam.elevation_request.revoke')).filter(({ resource }) => resource.id === granted),
    ).toMatchObject([{ orgId: acme.orgId, siteId: null, actor: { type: 'system' } }]);
  });

  it('PAM-391 ends the approvals of what expires before them, which is told', async () => {
    const acme = await pam.tenant();
    const technician = await pam.technician(acme);
    const { deviceId, siteId } = acme;
    const [waits, stays] = [await pam.request(acme), await pam.request(acme, { deviceId: acme.otherDeviceId })];
    for (const id of [waits, stays]) await pam.announce(acme, id);
    await pam.deviceIs(acme, { deviceId, siteId, version: 2, status: 'decommissioned' });
    await sweep();
    const approvals: ApprovalRecord[] = (await pam.as(technician).get('/approvals')).body.approvals;
    expect(Object.fromEntries(approvals.map((each) => [each.elevationRequestId, each.status]))).toEqual({
      [waits]: 'expired',
      [stays]: 'pending',
    });
    const told = (await pam.service.emitted(ApprovalSettled)).filter(({ data }) => data.userId === technician.userId);
    expect(told.map(({ data }) => [data.elevationRequestId, data.status])).toEqual([[waits, 'expired']]);
  });

  it('PAM-390 ends with their right to act there what technicians requested for themselves', async () => {
    const acme = await pam.tenant();
    const people = await Promise.all(Array.from({ length: 4 }, () => pam.technician(acme)));
    const [suspended, demoted, confined] = people.map(({ userId }) => userId);
    const made = people.map(async ({ userId }) => {
      const own = { flowType: 'tech_jit_admin', requestedBy: userId } as const;
      return [await pam.request(acme, own), await pam.request(acme, { ...own, status: 'approved' })];
    });
    const ids = (await Promise.all(made)).flat();
    await pam.technician(acme, { userId: suspended, active: false, version: 2 });
    await pam.technician(acme, { userId: demoted, permissions: ['devices:read'], version: 2 });
    await pam.technician(acme, { userId: confined, sites: [acme.otherSiteId], version: 2 });
    const ends = await Promise.all(ids.map((id) => pam.statusOf(id)));
    expect(ends).toEqual([...Array.from({ length: 3 }, () => ['expired', 'revoked']).flat(), 'pending', 'approved']);
    const told = (await pam.service.emitted(RequestOutcomeNotified)).filter(({ data }) => data.orgId === acme.orgId);
    expect(new Set(told.map(({ data }) => data.userId))).toEqual(new Set([demoted, confined]));
  });

  it('PAM-390 goes by the newest that is known of a technician: what is heard late ends nothing', async () => {
    const acme = await pam.tenant();
    const { userId } = await pam.technician(acme, { version: 3 });
    const id = await pam.request(acme, { flowType: 'tech_jit_admin', requestedBy: userId });
    await pam.technician(acme, { userId, active: false, version: 2 });
    expect(await pam.statusOf(id)).toBe('pending');
  });

  it('PAM-390 ends the tool actions of people who may no longer request any there', async () => {
    const acme = await pam.tenant();
    const people = await Promise.all(Array.from({ length: 4 }, () => pam.technician(acme)));
    const [suspended, demoted, confined] = people.map(({ userId }) => userId);
    const made = people.map(async ({ userId }) => {
      const action = { flowType: 'ai_tool_action', requestedBy: userId } as const;
      return [await pam.request(acme, action), await pam.request(acme, { ...action, status: 'approved' })];
    });
    const ids = (await Promise.all(made)).flat();
    await pam.technician(acme, { userId: suspended, active: false, version: 2 });
    await pam.technician(acme, { userId: demoted, permissions: ['devices:execute'], version: 2 });
    await pam.technician(acme, { userId: confined, sites: [acme.otherSiteId], version: 2 });
    await pam.technician(acme, { userId: people[3]?.userId, permissions: ['tools:request'], version: 2 });
    const ends = await Promise.all(ids.map((id) => pam.statusOf(id)));
    expect(ends).toEqual([...Array.from({ length: 3 }, () => ['expired', 'revoked']).flat(), 'pending', 'approved']);
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

  const adminOf = (tenant: Tenant) => pam.as(anOrgAdmin(tenant.partnerId, tenant.orgId));
  const sweep = () => pam.service.service.app.get(ExpireElevations).run();
});
