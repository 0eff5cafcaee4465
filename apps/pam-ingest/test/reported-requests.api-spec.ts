import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { aDevice, aReport, aRule, report, startIngest, type TestDevice, WITHDRAWALS } from './pam-ingest.harness.ts';

const ingest = await startIngest();
afterAll(() => ingest.stop());

describe('what an agent learns of its requests', () => {
  it('PAM-94 shows the agent what became of its request', async () => {
    const device = await aDevice(ingest);
    const { id } = (await report(as(device), device.id)).body;
    expect((await read(device, id)).body).toEqual({
      id,
      status: 'pending',
      pendingUntil: expect.any(String),
      expiresAt: null,
      reason: null,
      rule: null,
      policy: null,
    });
    await ingest.sql(
      `UPDATE elevation_requests SET status = 'denied', decision_reason = 'Unknown file', denied_by_name = 'Tess'
        WHERE id = $1`,
      [id],
    );
    const { body } = await read(device, id);
    expect(body).toMatchObject({ status: 'denied', reason: 'Unknown file' });
    expect(JSON.stringify(body)).not.toContain('Tess');
  });

  it('PAM-94 judges the time itself', async () => {
    const device = await aDevice(ingest);
    const { id } = (await report(as(device), device.id)).body;
    await ingest.sql('UPDATE elevation_requests SET pending_until = now() WHERE id = $1', [id]);
    expect((await read(device, id)).body.status).toBe('expired');
  });

  it('PAM-94 shows an agent no request of another device or flow', async () => {
    const device = await aDevice(ingest);
    const neighbour = await aDevice(ingest, { partnerId: device.partnerId, orgId: device.orgId });
    const { id } = (await report(as(neighbour), neighbour.id)).body;
    expect((await read(device, id)).body).toMatchObject({ status: 404, code: 'elevation_request_not_found' });
    expect((await read(device, newId())).body.code).toBe('elevation_request_not_found');
    expect((await read(device, id, neighbour.id)).body.code).toBe('device_mismatch');
    expect((await read(device, 'x')).status).toBe(400);
    await ingest.sql(`UPDATE elevation_requests SET flow_type = 'tech_jit_admin' WHERE id = $1`, [id]);
    expect((await read(neighbour, id)).body.code).toBe('elevation_request_not_found');
  });

  it('PAM-95 says until when and by which rule a report was granted, also when it is repeated', async () => {
    const device = await aDevice(ingest);
    const ruleId = await aRule(ingest, device, { match_signer: 'Acme Corp', approval_duration_minutes: 30 });
    const body = aReport();
    const before = Date.now();
    const { body: first } = await report(as(device), device.id, body);
    expect(first).toMatchObject({ status: 'auto_approved', rule: { id: ruleId, name: 'rule' } });
    expect(Math.abs(Date.parse(first.expiresAt) - before - 30 * 60_000)).toBeLessThan(60_000);
    expect((await report(as(device), device.id, body)).body).toEqual(first);
    expect((await read(device, first.id)).body).toMatchObject({
      status: 'auto_approved',
      expiresAt: first.expiresAt,
      rule: first.rule,
    });
  });

  it.each(WITHDRAWALS)('PAM-300 ATK-140 repeats no grant that %s', async (_, sql, status) => {
    const device = await aDevice(ingest);
    await aRule(ingest, device, { match_signer: 'Acme Corp' });
    const body = aReport();
    const { id } = (await report(as(device), device.id, body)).body;
    await ingest.sql(sql, [device.id]);
    expect((await report(as(device), device.id, body)).body).toEqual({ id, status });
    const shown = (await read(device, id)).body;
    expect(shown).toMatchObject({ id, status });
    if (status === 'pending') expect(shown.expiresAt).toBeNull();
  });

  it('PAM-300 ATK-141 decides a repeated report anew once the device is in another organisation', async () => {
    const device = await aDevice(ingest);
    const other = await aDevice(ingest, { partnerId: device.partnerId });
    await aRule(ingest, device, { match_signer: 'Acme Corp' });
    const body = aReport();
    const { id } = (await report(as(device), device.id, body)).body;
    await ingest.sql('UPDATE device_ref SET org_id = $2, site_id = $3, version = 2 WHERE device_id = $1', [
      device.id,
      other.orgId,
      other.siteId,
    ]);
    const repeat = async () => (await report(as(device), device.id, body)).body;
    let again = await repeat();
    // The instance learns of the move when its copy of the device is too old; until then the grant has ended.
    while (again.id === id) {
      expect(again).toEqual({ id, status: 'revoked' });
      again = await repeat();
    }
    expect(again).toEqual({ id: expect.any(String), status: 'pending' });
    expect((await report(as(device), device.id, body)).body).toEqual(again);
    expect((await read(device, id)).body).toMatchObject({ id, status: 'revoked' });
  });

  it('PAM-300 repeats no automatic grant in a suspended organisation', async () => {
    const device = await aDevice(ingest);
    await aRule(ingest, device, { match_signer: 'Acme Corp' });
    const body = aReport();
    const { id } = (await report(as(device), device.id, body)).body;
    await ingest.sql(`UPDATE org_ref SET status = 'suspended' WHERE org_id = $1`, [device.orgId]);
    expect((await report(as(device), device.id, body)).body).toEqual({ id, status: 'pending' });
  });

  it('PAM-95 says neither of what was not granted', async () => {
    const device = await aDevice(ingest);
    await aRule(ingest, device, { verdict: 'auto_deny', match_signer: 'Acme Corp' });
    expect((await report(as(device), device.id)).body).toEqual({ id: expect.any(String), status: 'denied' });
  });

  const as = ({ token }: TestDevice) => ingest.asAgent(token);
  const read = async (device: TestDevice, id: string, path = device.id) =>
    as(device).get(`/agents/${path}/elevation-requests/${id}`);
});
