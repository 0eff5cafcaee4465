import { DeviceChanged } from '@gatehouse/contracts-tenancy';
import { anOrgAdmin, type Client } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ExpireElevations } from '../src/approvals/expire-elevations.ts';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('the outcome of a reported request', () => {
  let pam: PamHarness;
  let acme: Tenant;
  let admin: Client;
  besidePam((started) => (pam = started));
  beforeEach(async () => {
    acme = await pam.tenant();
    admin = pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
    await speaks(2, 2);
  });

  it('PAM-93 tells the agent of an approval, until when and why', async () => {
    const id = await pam.request(acme);
    await respond(id, { decision: 'approve', reason: 'Known update' });
    const [row] = await pam.service.sql<{ expires_at: Date }>(
      'SELECT expires_at FROM elevation_requests WHERE id = $1',
      [id],
    );
    expect(await outcomesOf(id)).toEqual([
      { elevationRequestId: id, status: 'approved', expiresAt: row?.expires_at.toISOString(), reason: 'Known update' },
    ]);
  });

  it('PAM-93 tells the agent of a denial', async () => {
    const id = await pam.request(acme);
    await respond(id, { decision: 'deny' });
    expect(await outcomesOf(id)).toEqual([{ elevationRequestId: id, status: 'denied' }]);
  });

  it('PAM-93 tells the agent of a revocation, beside the command to revoke', async () => {
    const id = await pam.request(acme, { status: 'auto_approved' });
    await admin.post(`/pam/elevation-requests/${id}/revoke`).send({ reason: 'Wrong file' });
    expect((await pam.commandsOf(id)).map(({ type }) => type).sort()).toEqual([
      'elevation_outcome',
      'revoke_elevation',
    ]);
    expect(await outcomesOf(id)).toEqual([{ elevationRequestId: id, status: 'revoked', reason: 'Wrong file' }]);
  });

  it('PAM-301 withdraws an approval that the agent has not acknowledged', async () => {
    const revoked = await pam.request(acme);
    const over = await pam.request(acme);
    for (const id of [revoked, over]) await respond(id, { decision: 'approve' });
    await admin.post(`/pam/elevation-requests/${revoked}/revoke`).send({ reason: 'Wrong file' });
    await pam.service.sql('UPDATE elevation_requests SET expires_at = now() WHERE id = $1', [over]);
    await sweep();
    for (const id of [revoked, over]) {
      const approvals = (await pam.commandsOf(id)).filter(({ payload }) =>
        JSON.stringify(payload).includes('approved'),
      );
      expect(approvals.map(({ status }) => status)).toEqual(['cancelled']);
    }
  });

  it('PAM-93 tells the agent of the end of a wait and of a window, once', async () => {
    const waited = await pam.request(acme, { pendingSeconds: -1 });
    const window = await pam.request(acme, { status: 'approved', expiresSeconds: -1 });
    await sweep();
    await sweep();
    for (const id of [waited, window])
      expect(await outcomesOf(id)).toEqual([{ elevationRequestId: id, status: 'expired' }]);
  });

  it('PAM-93 is none when a device did not act in time', async () => {
    const id = await pam.request(acme, { status: 'approved' });
    await admin.post(`/devices/${acme.deviceId}/actuate-elevation`).send({ elevationRequestId: id });
    await pam.service.sql(`UPDATE device_commands SET expires_at = now() WHERE elevation_request_id = $1`, [id]);
    await sweep();
    expect(await pam.statusOf(id)).toBe('approved');
    expect(await outcomesOf(id)).toEqual([]);
  });

  it('PAM-93 that was not fetched does not give an actuation back', async () => {
    const id = await pam.request(acme);
    await respond(id, { decision: 'approve' });
    await admin.post(`/devices/${acme.deviceId}/actuate-elevation`).send({ elevationRequestId: id });
    await pam.service.sql(
      `UPDATE device_commands SET expires_at = now() WHERE elevation_request_id = $1 AND type = 'elevation_outcome'`,
      [id],
    );
    await sweep();
    expect(await pam.statusOf(id)).toBe('actuating');
  });

  it('PAM-93 is not sent for requests of technicians and tools', async () => {
    const id = await pam.request(acme, { flowType: 'tech_jit_admin' });
    await respond(id, { decision: 'deny' });
    expect(await outcomesOf(id)).toEqual([]);
  });

  it.each([1, undefined])('PAM-93 is not sent to agents of protocol %s', async (protocol) => {
    await speaks(protocol, 3);
    const id = await pam.request(acme);
    await respond(id, { decision: 'deny' });
    expect(await pam.commandsOf(id)).toEqual([]);
  });

  it('PAM-93 tells an agent whose device is not known here yet', async () => {
    const id = await pam.request(acme);
    await pam.service.sql('DELETE FROM device_ref WHERE device_id = $1', [acme.deviceId]);
    await respond(id, { decision: 'deny' });
    expect(await outcomesOf(id)).toEqual([{ elevationRequestId: id, status: 'denied' }]);
  });

  it('PAM-93 follows a device that has moved', async () => {
    const other = await pam.tenant(acme.partnerId);
    const id = await pam.request(acme, { status: 'approved' });
    await speaks(2, 3, other.orgId);
    await sweep();
    expect(await outcomesOf(id)).toEqual([expect.objectContaining({ status: 'revoked' })]);
    const rows = await pam.service.sql<{ org_id: string }>(
      `SELECT DISTINCT org_id FROM device_commands WHERE elevation_request_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ org_id: other.orgId }]);
  });

  const speaks = (agentProtocol: number | undefined, version: number, orgId = acme.orgId): Promise<void> =>
    pam.service.deliver(DeviceChanged, {
      deviceId: acme.deviceId,
      partnerId: acme.partnerId,
      orgId,
      siteId: acme.siteId,
      groupIds: [],
      hostname: 'DESK-1',
      status: 'online',
      agentTokenHash: null,
      deleted: false,
      version,
      agentProtocol,
    });
  const outcomesOf = async (id: string) =>
    (await pam.commandsOf(id)).filter(({ type }) => type === 'elevation_outcome').map(({ payload }) => payload);
  const respond = (id: string, body: object) => admin.post(`/pam/elevation-requests/${id}/respond`).send(body);
  const sweep = () => pam.service.service.app.get(ExpireElevations).run();
});
