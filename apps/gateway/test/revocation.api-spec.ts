import { PrincipalsChanged } from '@gatehouse/contracts-identity';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { anApiKey, startTestBroker, type TestBroker } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { GatewayHarness } from './gateway.harness.ts';

let broker: TestBroker;
let gateway: GatewayHarness;
beforeAll(async () => {
  broker = await startTestBroker();
  gateway = await GatewayHarness.start({}, broker.url);
  await gateway.service.service.platform.bus.whenReady();
});
afterAll(async () => {
  await gateway.stop();
  await broker.stop();
});

const say = (change: { sessionIds?: string[]; userIds?: string[]; apiKeyIds?: string[] }): Promise<void> => {
  const data = { sessionIds: [], userIds: [], apiKeyIds: [], ...change };
  const json = JSON.stringify({ id: newId(), subject: PrincipalsChanged.subject, occurredAt: new Date().toISOString(), data });
  return gateway.service.service.platform.bus.publish([{ id: newId(), subject: PrincipalsChanged.subject, json }]);
};

async function refusedWithin(milliseconds: number, credential: string): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await wait(20)) {
    if ((await gateway.get('/api/v1/pam/rules', credential)).status === 401) return true;
  }
  return false;
}

describe('a revoked credential', () => {
  const anActiveKey = async () => {
    const key = `ghk_${randomToken()}`;
    const principal = anApiKey();
    gateway.principals.set(sha256Hex(key), { active: true, principal });
    expect((await gateway.get('/api/v1/pam/rules', key)).status).toBe(200);
    gateway.principals.delete(sha256Hex(key));
    return { key, principal };
  };

  it('is refused at once when identity says so, although an API key is remembered for 30 s', async () => {
    const { key, principal } = await anActiveKey();
    expect((await gateway.get('/api/v1/pam/rules', key)).status).toBe(200);
    await say({ apiKeyIds: [principal.id] });
    expect(await refusedWithin(1_500, key)).toBe(true);
  });

  it('takes all sessions and keys of the person with it', async () => {
    const { key, principal } = await anActiveKey();
    const { token, principal: person, sid } = await gateway.signIn();
    expect((await gateway.get('/api/v1/pam/rules', token)).status).toBe(200);
    gateway.principals.delete(sid);
    await say({ userIds: [principal.userId, person.userId] });
    expect(await Promise.all([refusedWithin(1_500, key), refusedWithin(1_500, token)])).toEqual([true, true]);
  });
});
