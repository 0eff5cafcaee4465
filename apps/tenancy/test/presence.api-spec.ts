import { AGENTS_SEEN, DeviceChanged, type DeviceState } from '@gatehouse/contracts-tenancy';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { EventBus } from '@gatehouse/messaging';
import { type Client, startTestBroker, type TestBroker, TestService } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { SeenAgents } from '../src/enrollment/seen-agents.ts';
import { tenancyService } from '../src/service.ts';
import { Tenancy } from './tenancy.harness.ts';

describe('an agent that shows itself', () => {
  let tenancy: Tenancy;
  let seen: SeenAgents;
  beforeAll(async () => {
    tenancy = await Tenancy.start();
    seen = tenancy.service.service.app.get(SeenAgents, { strict: false });
  });
  afterAll(() => tenancy.stop());

  it('by reading its configuration was seen later than at its enrolment, and is online again', async () => {
    const presence = await Presence.in(tenancy);
    const { deviceId, agentToken } = await tenancy.device(presence.key);
    await presence.lastSeen(deviceId, 100);
    await presence.admin.patch(`/devices/${deviceId}`).send({ status: 'offline' });
    const before = await presence.read(deviceId);
    expect((await tenancy.service.asAgent(agentToken).get(`/agents/${deviceId}/config`)).status).toBe(200);
    await seen.flush();
    const after = await presence.read(deviceId);
    expect(after.status).toBe('online');
    expect(Date.parse(after.lastSeenAt)).toBeGreaterThan(Date.parse(before.lastSeenAt) + 90_000);
    expect((await presence.states(deviceId)).map(({ status }) => status)).toEqual(['online', 'offline', 'online']);
    expect(
      (await tenancy.service.audits()).filter(({ resource }) => resource.id === deviceId).map(({ action }) => action),
    ).toEqual(['device.enroll', 'device.update']);
  });

  it('makes no new version of a device that is online, and leaves maintenance and decommissioned to people', async () => {
    const presence = await Presence.in(tenancy);
    const ids = await presence.devices(3);
    const [online = '', maintained = '', ended = ''] = ids;
    await presence.admin.patch(`/devices/${maintained}`).send({ status: 'maintenance' });
    await presence.admin.post(`/devices/${ended}/decommission`);
    const before = await Promise.all(ids.map((id) => presence.read(id)));
    for (const id of ids) seen.add(id);
    await seen.flush();
    const after = await Promise.all(ids.map((id) => presence.read(id)));
    expect(after.map(({ status, updatedAt }) => [status, updatedAt])).toEqual(
      ['online', 'maintenance', 'decommissioned'].map((status, at) => [status, before[at]?.updatedAt]),
    );
    expect(after[0]?.lastSeenAt).not.toBe(before[0]?.lastSeenAt);
    expect(after[2]?.lastSeenAt).toBe(before[2]?.lastSeenAt);
    expect(await presence.states(online)).toHaveLength(1);
  });
});

describe('an agent that is silent for longer than allowed', () => {
  let tenancy: Tenancy;
  let replica: TestService;
  let broker: TestBroker;
  beforeAll(async () => {
    broker = await startTestBroker();
    tenancy = await Tenancy.start(SWEPT, broker.url);
    replica = await TestService.start(tenancyService, {
      env: { TENANT_DATA_SERVICES: 'tenancy', ...SWEPT },
      natsUrl: broker.url,
      replicaOf: tenancy.service,
    });
  });
  afterAll(async () => {
    await replica.stop();
    await tenancy.stop();
    await broker.stop();
  });

  it('takes its device offline, once though several replicas look; no other device changes', async () => {
    const presence = await Presence.in(tenancy);
    const [silent = '', talking = '', maintained = '', ended = ''] = await presence.devices(4);
    for (const id of [talking, maintained, ended]) await presence.lastSeen(id, -3_600);
    await presence.admin.patch(`/devices/${maintained}`).send({ status: 'maintenance' });
    await presence.admin.post(`/devices/${ended}/decommission`);
    for (const id of [silent, maintained, ended]) await presence.lastSeen(id, 60);
    await presence.until(silent, 'offline');
    // One more look of each replica.
    await pause(SILENCE_SECONDS * 1000);
    expect(
      await Promise.all([silent, talking, maintained, ended].map(async (id) => (await presence.read(id)).status)),
    ).toEqual(['offline', 'online', 'maintenance', 'decommissioned']);
    expect((await presence.states(silent)).map(({ status }) => status)).toEqual(['online', 'offline']);
    expect((await presence.admin.get('/devices?status=offline')).body.pagination.total).toBe(1);
  });

  it('TEN-103 the use of a replaced token of which another service tells is audited with its address and request', async () => {
    const { key, admin } = await Presence.in(tenancy);
    const { deviceId, agentToken } = await tenancy.device(key);
    await admin.post(`/devices/${deviceId}/agent-token/rotate`);
    const ingest = new EventBus({ url: broker.urlOf('pam-ingest'), name: 'pam-ingest', log: LOG });
    ingest.start();
    await ingest.whenReady();
    const origin = { ip: '203.0.113.9', userAgent: 'agent', requestId: newId() };
    await ingest.request(
      AGENTS_SEEN,
      { deviceIds: [], replacedTokens: [sha256Hex(agentToken)], origin },
      { timeoutMs: 5_000 },
    );
    await ingest.close();
    const reuses = await tenancy.service.audits('device.token_reuse');
    expect(reuses.filter(({ resource }) => resource.id === deviceId)).toEqual([expect.objectContaining(origin)]);
  });

  it('keeps the status of a device whose organisation is archived', async () => {
    const presence = await Presence.in(tenancy);
    const [archived = ''] = await presence.devices(1);
    await presence.lastSeen(archived, -3_600);
    const { orgId } = (await presence.admin.get(`/devices/${archived}`)).body;
    await presence.admin.post(`/orgs/organizations/${orgId}/archive`).send({});
    await presence.lastSeen(archived, 60);
    const other = await Presence.in(tenancy);
    const [swept = ''] = await other.devices(1);
    await other.until(swept, 'offline');
    expect((await presence.read(archived)).status).toBe('online');
  });
});

describe('a service that cannot receive from agents', () => {
  it('sets none offline', async () => {
    const disconnected = await Tenancy.start(SWEPT);
    try {
      const presence = await Presence.in(disconnected);
      const [device = ''] = await presence.devices(1);
      await presence.lastSeen(device, 60);
      await pause(2 * SILENCE_SECONDS * 1000);
      expect((await presence.read(device)).status).toBe('online');
    } finally {
      await disconnected.stop();
    }
  });
});

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const SILENCE_SECONDS = 2;
const SWEPT = { DEVICE_OFFLINE_AFTER_SECONDS: String(SILENCE_SECONDS) };

/** A partner's view of a service. */
class Presence {
  private constructor(
    readonly tenancy: Tenancy,
    readonly admin: Client,
    readonly key: string,
  ) {}

  static async in(tenancy: Tenancy): Promise<Presence> {
    const { id: partnerId } = await tenancy.partner();
    const { key } = await tenancy.enrollmentKey(partnerId, (await tenancy.organization(partnerId)).id);
    return new Presence(tenancy, tenancy.admin(partnerId), key);
  }

  async devices(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, async () => (await this.tenancy.device(this.key)).deviceId));
  }

  /** @param secondsAgo negative: not before then */
  async lastSeen(deviceId: string, secondsAgo: number): Promise<void> {
    await this.tenancy.service.sql(
      'UPDATE devices SET last_seen_at = now() - make_interval(secs => $2) WHERE id = $1',
      [deviceId, secondsAgo],
    );
  }

  async read(deviceId: string): Promise<{ status: string; lastSeenAt: string; updatedAt: string }> {
    return (await this.admin.get(`/devices/${deviceId}`)).body;
  }

  async states(deviceId: string): Promise<DeviceState[]> {
    return (await this.tenancy.service.emitted(DeviceChanged))
      .map(({ data }) => data)
      .filter((data) => data.deviceId === deviceId);
  }

  async until(deviceId: string, status: string): Promise<void> {
    for (const deadline = Date.now() + 20_000; (await this.read(deviceId)).status !== status; await pause(100)) {
      if (Date.now() > deadline) throw new Error(`${deviceId} did not become ${status}`);
    }
  }
}
