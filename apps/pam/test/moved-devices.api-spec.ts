import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { ExpireElevations } from '../src/approvals/expire-elevations.ts';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('a device whose move is known to its agent’s door before it is known here', () => {
  let pam: PamHarness;
  besidePam((started) => (pam = started));

  it('keeps what its new organisation granted to it, and loses what the one before did', async () => {
    const [before, now, later] = [await pam.tenant(), await pam.tenant(), await pam.tenant()];
    const { deviceId } = before;
    const [unversioned, old, fresh] = [
      await granted(before, deviceId, null),
      await granted(before, deviceId, 1),
      await granted(now, deviceId, 2),
    ];
    await sweep();
    expect(await statuses(unversioned, old, fresh)).toEqual(['auto_approved', 'auto_approved', 'auto_approved']);
    expect(await pam.commandsOf(fresh)).toEqual([]);
    await pam.deviceIs(now, { deviceId, siteId: now.siteId, version: 2 });
    await sweep();
    expect(await statuses(unversioned, old, fresh)).toEqual(['revoked', 'revoked', 'auto_approved']);
    await pam.deviceIs(later, { deviceId, siteId: later.siteId, version: 3 });
    await sweep();
    expect(await statuses(fresh)).toEqual(['revoked']);
  });

  it('hears of a revocation by its new organisation where it is', async () => {
    const [before, now] = [await pam.tenant(), await pam.tenant()];
    const id = await granted(now, before.deviceId, 2);
    await pam
      .as(anOrgAdmin(now.partnerId, now.orgId))
      .post(`/pam/elevation-requests/${id}/revoke`)
      .send({ reason: 'enough' })
      .expect(200);
    await sweep();
    const commands = await pam.service.sql(
      'SELECT org_id, type, status FROM device_commands WHERE elevation_request_id = $1 ORDER BY type',
      [id],
    );
    // Which protocol its agent speaks is not known yet to the new organisation, so the outcome is told as well.
    expect(commands).toEqual(
      ['elevation_outcome', 'revoke_elevation'].map((type) => ({ org_id: now.orgId, type, status: 'queued' })),
    );
  });

  it('uses no grant of the organisation that it left, whoever reaches both', async () => {
    const before = await pam.tenant();
    const now = await pam.tenant(before.partnerId);
    const elevationRequestId = await pam.request(before, { status: 'approved' });
    await pam.deviceIs(now, { deviceId: before.deviceId, siteId: now.siteId, version: 2 });
    const { body } = await pam
      .as(aPartnerAdmin(before.partnerId))
      .post(`/devices/${before.deviceId}/actuate-elevation`)
      .send({ elevationRequestId });
    expect(body).toMatchObject({ status: 404, code: 'elevation_request_not_found' });
  });

  it('is granted nothing by those of the organisation that it left who do not reach the other', async () => {
    const before = await pam.tenant();
    const now = await pam.tenant(before.partnerId);
    const id = await pam.request(before);
    const granted = await pam.request(before, { flowType: 'ai_tool_action', status: 'approved' });
    const administrator = pam.as(anOrgAdmin(before.partnerId, before.orgId));
    const statusOfGrant = async () => (await administrator.get(`/pam/tool-actions/${granted}`)).body.status;
    expect(await statusOfGrant()).toBe('approved');
    await pam.deviceIs(now, { deviceId: before.deviceId, siteId: now.siteId, version: 2 });
    const { body } = await administrator.post(`/pam/elevation-requests/${id}/respond`).send({ decision: 'approve' });
    expect(body).toMatchObject({ status: 409, code: 'conflict' });
    expect(await statuses(id)).toEqual(['pending']);
    expect(await statusOfGrant()).toBe('revoked');
  });

  it('is known to a technician’s request in the version that is known here', async () => {
    const acme = await pam.tenant();
    await pam.deviceIs(acme, { deviceId: acme.deviceId, siteId: acme.siteId, version: 5 });
    const { body } = await pam
      .as(anOrgAdmin(acme.partnerId, acme.orgId))
      .post('/pam/elevation-requests')
      .send({ deviceId: acme.deviceId, reason: 'patch the printer' });
    expect(
      await pam.service.sql('SELECT device_version::int FROM elevation_requests WHERE id = $1', [body.id]),
    ).toEqual([{ device_version: 5 }]);
  });

  const sweep = () => pam.service.service.app.get(ExpireElevations).run();
  /** A grant of the organisation, as ingest stores it for the device at this version. */
  async function granted(tenant: Tenant, deviceId: string, version: number | null): Promise<string> {
    const id = await pam.request(tenant, { status: 'auto_approved', deviceId });
    await pam.service.sql('UPDATE elevation_requests SET device_version = $2 WHERE id = $1', [id, version]);
    return id;
  }
  const statuses = (...ids: string[]) => Promise.all(ids.map((id) => pam.statusOf(id)));
});
