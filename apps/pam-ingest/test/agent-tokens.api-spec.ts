import { DeviceChanged, type DeviceState, OrganizationChanged } from '@gatehouse/contracts-tenancy';
import type { EventEnvelope, EventType } from '@gatehouse/contracts-core';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { EventBus } from '@gatehouse/messaging';
import { startTestBroker } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import type { Response } from 'supertest';
import { aCommand, aDevice, report, startIngest, type TestDevice } from './pam-ingest.harness.ts';

const broker = await startTestBroker();
const ingest = await startIngest({ natsUrl: broker.url });
await ingest.service.platform.bus.whenReady();
const tenancy = new EventBus({ url: broker.urlOf('tenancy'), name: 'tenancy', log: ingest.service.platform.log });
tenancy.start();
await tenancy.whenReady();
afterAll(async () => {
  await ingest.stop();
  await tenancy.close();
  await broker.stop();
});

describe('agent tokens, as devices change', () => {
  it('takes the token of a device that has just been enrolled', async () => {
    const device: TestDevice = {
      id: newId(),
      token: `gha_${randomToken()}`,
      partnerId: newId(),
      orgId: newId(),
      siteId: newId(),
    };
    expect(await statusFor(device)).toBe(401);
    await tell(DeviceChanged, stateOf(device, { version: 1 }));
    expect(await statusFor(device)).toBe(201);
  });

  it('PAM-14 refuses the old token once it was rotated, and takes the new one', async () => {
    const device = await aDevice(ingest);
    expect(await statusFor(device)).toBe(201);
    const token = `gha_${randomToken()}`;
    await tell(DeviceChanged, stateOf(device, { agentTokenHash: sha256Hex(token) }));
    expect(await statusFor(device)).toBe(401);
    expect(await statusFor({ ...device, token })).toBe(201);
  });

  it('TEN-103 takes a token that the agent has replaced until the new one is used or its time is over', async () => {
    const [told, stored] = [await aDevice(ingest), await aDevice(ingest)];
    const token = `gha_${randomToken()}`;
    const replaced = { agentTokenHash: sha256Hex(token), previousTokenHash: sha256Hex(told.token) };
    const previousTokenUntil = new Date(Date.now() + 2_000).toISOString();
    expect(await statusFor(told)).toBe(201);
    await tell(DeviceChanged, stateOf(told, { ...replaced, previousTokenUntil }));
    expect(await statusFor(told)).toBe(201);
    await wait(Date.parse(previousTokenUntil) - Date.now());
    expect([await statusFor(told), await statusFor({ ...told, token })]).toEqual([401, 201]);
    await ingest.sql(
      `UPDATE device_ref SET agent_token_hash = $2, previous_token_hash = $3,
        previous_token_until = now() + interval '1 minute' WHERE device_id = $1`,
      [stored.id, sha256Hex(`${token}x`), sha256Hex(stored.token)],
    );
    const uses = [await statusFor(stored), await statusFor({ ...stored, token: `${token}x` }), await statusFor(stored)];
    expect(uses).toEqual([201, 201, 401]);
  });

  it('TEN-101 refuses a machine that waits for confirmation', async () => {
    const device = await aDevice(ingest);
    await tell(DeviceChanged, stateOf(device, { status: 'awaiting_confirmation' }));
    expect(await statusFor(device)).toBe(403);
  });

  it('PAM-14 refuses a device that was decommissioned, and one that was deleted', async () => {
    const [gone, deleted] = [await aDevice(ingest), await aDevice(ingest)];
    expect(await statusFor(gone)).toBe(201);
    await tell(DeviceChanged, stateOf(gone, { status: 'decommissioned' }));
    await tell(DeviceChanged, stateOf(deleted, { deleted: true }));
    expect([await statusFor(gone), await statusFor(deleted)]).toEqual([403, 401]);
  });

  it('refuses the devices of an organisation that was archived or deleted, and is not fooled by an older state', async () => {
    const device = await aDevice(ingest);
    expect(await statusFor(device)).toBe(201);
    const org = { orgId: device.orgId, partnerId: device.partnerId, name: 'Org', mergedIntoId: null };
    await tell(OrganizationChanged, { ...org, status: 'archived', deleted: false, version: 3 });
    expect(await statusFor(device)).toBe(403);
    await tell(OrganizationChanged, { ...org, status: 'active', deleted: false, version: 2 });
    expect(await statusFor(device)).toBe(403);
    await tell(OrganizationChanged, { ...org, status: 'active', deleted: true, version: 4 });
    expect(await statusFor(device)).toBe(401);
  });

  it('PAM-52 reports under the site and groups that the device has now', async () => {
    const device = await aDevice(ingest);
    const siteId = newId();
    await tell(DeviceChanged, stateOf(device, { siteId }));
    const { body } = await report(ingest.asAgent(device.token), device.id);
    const facts = await ingest.sql<{ site: string }>(
      `SELECT envelope->'data'->>'siteId' AS site FROM outbox WHERE subject = 'pam.elevation.requested.v1'
        AND envelope->'data'->>'elevationRequestId' = $1`,
      [body.id],
    );
    expect(facts).toEqual([{ site: siteId }]);
  });

  it('PAM-304 demands what the level of the group did that the device has just left', async () => {
    const device = await aDevice(ingest);
    const groupId = newId();
    const levels = [{ name: 'group', deviceGroupIds: [groupId], approvals: 2, pendingMinutes: 60 }];
    await ingest.sql(
      `INSERT INTO pam_approval_policies (org_id, partner_id, levels, default_approvals, rule_editors)
        VALUES ($1, $2, $3, 1, true)`,
      [device.orgId, device.partnerId, JSON.stringify(levels)],
    );
    const asked = async (): Promise<unknown> => {
      const { body } = await report(ingest.asAgent(device.token), device.id);
      return (await ingest.sql('SELECT votes_required FROM elevation_requests WHERE id = $1', [body.id]))[0];
    };
    await ingest.sql('UPDATE device_ref SET group_ids = $2 WHERE device_id = $1', [device.id, [groupId]]);
    expect(await asked()).toEqual({ votes_required: 2 });
    await tell(DeviceChanged, stateOf(device, {}));
    expect(await asked()).toEqual({ votes_required: 2 });
    await ingest.sql("UPDATE device_ref SET group_ids = '{}', version = 2 WHERE device_id = $1", [device.id]);
    expect(await asked()).toEqual({ votes_required: 1 });
  });

  it('notes with each report the version of the device that it was decided under', async () => {
    const device = await aDevice(ingest);
    const versionOf = async (id: string) =>
      (await ingest.sql('SELECT org_id, device_version::int FROM elevation_requests WHERE id = $1', [id]))[0];
    expect(await versionOf((await report(ingest.asAgent(device.token), device.id)).body.id)).toEqual({
      org_id: device.orgId,
      device_version: 1,
    });
    const moved = { ...device, orgId: newId(), siteId: newId() };
    await tell(DeviceChanged, stateOf(moved, { version: 7 }));
    expect(await versionOf((await report(ingest.asAgent(device.token), device.id)).body.id)).toEqual({
      org_id: moved.orgId,
      device_version: 7,
    });
  });

  describe('while an agent waits for a command', () => {
    it('hands nothing to a token that was rotated during the wait, and all to the new one', async () => {
      const device = await aDevice(ingest);
      const { answer } = await waiting(device);
      const token = `gha_${randomToken()}`;
      await tell(DeviceChanged, stateOf(device, { agentTokenHash: sha256Hex(token) }));
      const id = await aCommand(ingest, device);
      expect((await answer).body).toMatchObject({ status: 401, code: 'token_invalid' });
      expect((await take({ ...device, token }, 0)).body.commands).toMatchObject([{ id }]);
    });

    it.each([
      [{ status: 'decommissioned' as const }, { status: 403, code: 'device_inactive' }],
      [{ deleted: true }, { status: 401, code: 'token_invalid' }],
    ])('hands nothing to a device that is %j by now', async (changes, refusal) => {
      const device = await aDevice(ingest);
      const { answer } = await waiting(device);
      await tell(DeviceChanged, stateOf(device, changes));
      const id = await aCommand(ingest, device);
      expect((await answer).body).toMatchObject(refusal);
      expect(await ingest.sql('SELECT status FROM device_commands WHERE id = $1', [id])).toEqual([
        { status: 'queued' },
      ]);
    });

    it('hands a device that moved during the wait what its new organisation asks, and nothing of the one before', async () => {
      const device = await aDevice(ingest);
      const { answer } = await waiting(device);
      const moved = { ...device, orgId: newId(), siteId: newId() };
      await tell(DeviceChanged, stateOf(moved, {}));
      await aCommand(ingest, device);
      const id = await aCommand(ingest, moved);
      expect((await answer).body.commands).toMatchObject([{ id }]);
    });

    const take = (device: TestDevice, waitSeconds: number) =>
      ingest.asAgent(device.token).get(`/agents/${device.id}/commands?waitSeconds=${waitSeconds}`);
    /** An agent that has begun to wait, also on a machine with much other work. */
    async function waiting(device: TestDevice): Promise<{ answer: Promise<Response> }> {
      const answer = Promise.resolve(take(device, 20));
      await wait(1_000);
      return { answer };
    }
  });

  const stateOf = (device: TestDevice, changes: Partial<DeviceState>): DeviceState => ({
    deviceId: device.id,
    partnerId: device.partnerId,
    orgId: device.orgId,
    siteId: device.siteId,
    groupIds: [],
    hostname: 'pc-1',
    status: 'online',
    agentTokenHash: sha256Hex(device.token),
    deleted: false,
    version: 2,
    ...changes,
  });

  /** States the fact as its owner would: the instance hears of it although its tables do not know yet. */
  async function tell<T extends object>(event: EventType<T>, data: T): Promise<void> {
    const aggregateId = newId();
    const { bus } = ingest.service.platform;
    const heard = new Promise<void>((resolve) =>
      bus.listenTo(event.subject, (told) => void (told.aggregateId === aggregateId && resolve())),
    );
    const id = newId();
    const envelope: EventEnvelope<T> = {
      id,
      subject: event.subject,
      occurredAt: new Date().toISOString(),
      source: 'tenancy',
      aggregateId,
      actor: { type: 'system', id: null, name: 'tenancy' },
      traceparent: null,
      data,
    };
    // The broker may process the publication before the subscription of another connection, so it is repeated.
    const publishAndWait = async (): Promise<boolean> => {
      await tenancy.publish([{ id, subject: event.subject, json: JSON.stringify(envelope) }]);
      return Promise.race([heard.then(() => true), wait(500).then(() => false)]);
    };
    while (!(await publishAndWait()));
    await wait(50);
  }
  const statusFor = async (device: TestDevice): Promise<number> =>
    (await report(ingest.asAgent(device.token), device.id)).status;
});
