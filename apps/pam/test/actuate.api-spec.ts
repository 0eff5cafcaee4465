import { anOrgAdmin, atOnce } from '@gatehouse/testing';
import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start();
const replica = await PamHarness.start({ replicaOf: pam.service });
const acme = await pam.tenant();
afterAll(async () => {
  await replica.stop();
  await pam.stop();
});

describe('actuating granted elevations', () => {
  it('PAM-47 queues a command that holds the request and the time to wait, and nothing else', async () => {
    const id = await pam.request(acme, { status: 'approved' });
    const answer = await actuate(acme.deviceId, { elevationRequestId: id });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ success: true, id: expect.any(String), elevationRequestId: id, status: 'queued' });
    expect(await pam.commandsOf(id)).toEqual([
      {
        id: answer.body.id,
        type: 'actuate_elevation',
        status: 'queued',
        payload: { elevationRequestId: id, timeoutMs: 8000 },
      },
    ]);
    expect(await pam.statusOf(id)).toBe('actuating');
  });

  it('PAM-04 is single use: one of 20 parallel calls on two replicas gets the command', async () => {
    const id = await pam.request(acme, { status: 'approved' });
    const clients = [admin(), replica.as(anOrgAdmin(acme.partnerId, acme.orgId))];
    const answers = await atOnce(20, (at) => actuate(acme.deviceId, { elevationRequestId: id }, clients[at % 2]));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
      new Set(['race_lost']),
    );
    expect(await pam.commandsOf(id)).toHaveLength(1);
  });

  it.each(['pending', 'denied', 'revoked', 'auto_approved', 'expired'] as const)(
    'PAM-05 answers 409 wrong_status for a request that is %s, recorded',
    async (status) => {
      const id = await pam.request(acme, { status });
      expect((await actuate(acme.deviceId, { elevationRequestId: id })).body).toMatchObject({
        status: 409,
        code: 'wrong_status',
      });
      expect(await pam.commandsOf(id)).toEqual([]);
      const rejections = await pam.service.audits('device.elevation.actuate_rejected');
      expect(rejections.filter(({ details }) => details['elevationRequestId'] === id)).toMatchObject([
        { result: 'failure', details: { code: 'wrong_status' } },
      ]);
    },
  );

  it('PAM-06 answers 409 when the window has closed a moment ago', async () => {
    const elevationRequestId = await pam.request(acme, { status: 'approved', expiresSeconds: -1 });
    expect((await actuate(acme.deviceId, { elevationRequestId })).body.code).toBe('wrong_status');
  });

  it('answers 404 for the request of another device and for a device of another organisation', async () => {
    const id = await pam.request(acme, { status: 'approved', deviceId: acme.otherDeviceId });
    expect((await actuate(acme.deviceId, { elevationRequestId: id })).body.code).toBe('elevation_request_not_found');
    const stranger = pam.as(anOrgAdmin(acme.partnerId, newId()));
    expect((await actuate(acme.deviceId, { elevationRequestId: id }, stranger)).body.code).toBe('device_not_found');
    expect((await actuate(newId(), { elevationRequestId: id })).body.code).toBe('device_not_found');
  });

  it('answers 403 at a site outside the caller’s and 400 for a decommissioned device', async () => {
    const asked = { elevationRequestId: await pam.request(acme, { status: 'approved' }) };
    const elsewhere = pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { sites: [acme.otherSiteId] }));
    expect((await actuate(acme.deviceId, asked, elsewhere)).body.code).toBe('site_access_denied');
    const old = await pam.tenant();
    await pam.deviceIs(old, { deviceId: old.deviceId, siteId: old.siteId, version: 2, status: 'decommissioned' });
    const oldId = await pam.request(old, { status: 'approved' });
    expect(
      (await actuate(old.deviceId, { elevationRequestId: oldId }, pam.as(anOrgAdmin(old.partnerId, old.orgId)))).body,
    ).toMatchObject({ status: 400, code: 'device_decommissioned' });
  });

  it.each([
    {},
    { elevationRequestId: 'x' },
    { elevationRequestId: newId(), timeoutMs: 999 },
    { elevationRequestId: newId(), timeoutMs: 60_001 },
  ])('refuses the body %j', async (body) => {
    expect((await actuate(acme.deviceId, body)).status).toBe(400);
  });

  it('PAM-07 ends in one legal history when it races with revoke', async () => {
    for (let round = 0; round < 100; round++) {
      const id = await pam.request(acme, { status: 'approved' });
      const [actuated, revoked] = await Promise.all([
        actuate(acme.deviceId, { elevationRequestId: id }),
        revoke(id, { reason: 'stop' }, replica.as(anOrgAdmin(acme.partnerId, acme.orgId))),
      ]);
      expect(revoked.status).toBe(200);
      expect([201, 409]).toContain(actuated.status);
      expect(await pam.statusOf(id)).toBe('revoked');
      expect(
        (await pam.commandsOf(id)).filter(({ type, status }) => type === 'actuate_elevation' && status !== 'cancelled'),
      ).toEqual([]);
    }
  });

  it('answers 403 when the actuator is switched off', async () => {
    const off = await PamHarness.start({ replicaOf: pam.service, env: { PAM_ACTUATOR_ENABLED: 'false' } });
    const id = await pam.request(acme, { status: 'approved' });
    const answer = await off
      .as(anOrgAdmin(acme.partnerId, acme.orgId))
      .post(`/devices/${acme.deviceId}/actuate-elevation`)
      .send({ elevationRequestId: id });
    expect(answer.body).toMatchObject({ status: 403, code: 'pam_actuator_disabled' });
    await off.stop();
  });

  const admin = () => pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
  const revoke = (id: string, body: object, client = admin()) =>
    client.post(`/pam/elevation-requests/${id}/revoke`).send(body);
  const actuate = (deviceId: string, body: object, client = admin()) =>
    client.post(`/devices/${deviceId}/actuate-elevation`).send(body);
});
