import { AGENTS_SEEN, type AgentsSeen } from '@gatehouse/contracts-tenancy';
import { sha256Hex } from '@gatehouse/crypto';
import { EventBus } from '@gatehouse/messaging';
import { startTestBroker, type TestBroker, until } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { aDevice, type Ingest, report, startIngest } from './pam-ingest.harness.ts';

describe('agents that were here', () => {
  let ingest: Ingest;
  let broker: TestBroker;
  let tenancy: EventBus;
  beforeAll(async () => {
    broker = await startTestBroker();
    tenancy = new EventBus({ url: broker.urlOf('tenancy'), name: 'tenancy', log: LOG });
    tenancy.reply<AgentsSeen>(AGENTS_SEEN, async ({ deviceIds, replacedTokens = [], origin }) => {
      told.push(...deviceIds);
      reused.push(...replacedTokens.map((tokenHash) => ({ tokenHash, origin })));
      return {};
    });
    tenancy.start();
    await tenancy.whenReady();
    ingest = await startIngest({ natsUrl: broker.url, env: { AGENTS_SEEN_EVERY_SECONDS: '1' } });
  });
  afterAll(async () => {
    await ingest.stop();
    await tenancy.close();
    await broker.stop();
  });

  it('are told to tenancy once each a while, whether they report or ask for commands; a stranger is not', async () => {
    const [reporting, asking] = [await aDevice(ingest), await aDevice(ingest)];
    for (let at = 0; at < 3; at++)
      expect((await report(ingest.asAgent(reporting.token), reporting.id)).status).toBe(201);
    expect((await ingest.asAgent(asking.token).get(`/agents/${asking.id}/commands?waitSeconds=0`)).status).toBe(200);
    expect((await report(ingest.asAgent('gha_unknown'), reporting.id)).status).toBe(401);
    for (
      const deadline = Date.now() + 20_000;
      Date.now() < deadline && !(told.includes(reporting.id) && told.includes(asking.id));
    )
      await pause(100);
    expect(new Set(told)).toEqual(new Set([reporting.id, asking.id]));
    const before = told.length;
    await pause(1_500);
    expect(told).toHaveLength(before);
  });

  it('TEN-103 the use of a replaced token is told to tenancy with the address and the id of its request', async () => {
    const device = await aDevice(ingest);
    const tokenHash = sha256Hex(device.token);
    await ingest.sql(
      `UPDATE device_ref SET agent_token_hash = $2, previous_token_hash = $3,
        previous_token_until = now() - interval '1 second' WHERE device_id = $1`,
      [device.id, sha256Hex('another'), tokenHash],
    );
    const refused = await report(ingest.asAgent(device.token), device.id);
    expect(refused.status).toBe(401);
    await until(() => reused.length > 0);
    expect(reused).toEqual([
      { tokenHash, origin: expect.objectContaining({ ip: expect.any(String), requestId: refused.body.requestId }) },
    ]);
  });

  const told: string[] = [];
  const reused: { tokenHash: string; origin: unknown }[] = [];
});

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
