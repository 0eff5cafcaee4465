import { PrincipalsChanged } from '@gatehouse/contracts-identity';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { anApiKey, FaultProxy, startTestBroker, type TestBroker } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { GatewayHarness } from './gateway.harness.ts';

const SLACK_MS = 1_000;

let broker: TestBroker;
let network: FaultProxy;
let gateway: GatewayHarness;
beforeAll(async () => {
  broker = await startTestBroker();
  network = await FaultProxy.before(broker.url);
  gateway = await GatewayHarness.start({}, network.through(broker.url));
  await gateway.service.service.platform.bus.whenReady();
});
afterAll(async () => {
  await gateway.stop();
  await network.stop();
  await broker.stop();
});

const say = (change: { sessionIds?: string[]; userIds?: string[]; apiKeyIds?: string[] }): Promise<void> => {
  const data = { sessionIds: [], userIds: [], apiKeyIds: [], ...change };
  const json = JSON.stringify({ id: newId(), subject: PrincipalsChanged.subject, occurredAt: new Date().toISOString(), data });
  return gateway.service.service.platform.bus.publish([{ id: newId(), subject: PrincipalsChanged.subject, json }]);
};

async function answeredWithin(milliseconds: number, credential: string, status: number): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await wait(20)) {
    if ((await gateway.get('/api/v1/pam/rules', credential)).status === status) return true;
  }
  return false;
}

const refusedWithin = (milliseconds: number, credential: string): Promise<boolean> => answeredWithin(milliseconds, credential, 401);

describe('a revoked credential', () => {
  const anActiveKey = async () => {
    const key = `ghk_${randomToken()}`;
    const principal = anApiKey();
    gateway.principals.set(sha256Hex(key), { active: true, principal });
    expect((await gateway.get('/api/v1/pam/rules', key)).status).toBe(200);
    gateway.principals.delete(sha256Hex(key));
    return { key, principal };
  };

  it('is refused at once when identity says so, although an API key is remembered for 2 s', async () => {
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

  it.each([
    { how: 'was killed', lose: () => broker.kill(), restore: () => broker.start() },
    { how: 'says nothing', lose: async () => network.set({ kind: 'hold' }), restore: async () => network.set({ kind: 'pass' }) },
  ])('is refused within 5 s by a gateway whose broker $how, and so is a token whose signing key was dropped', async ({ lose, restore }) => {
    await gateway.service.service.platform.bus.whenReady();
    const { jwks } = gateway;
    const { token } = await gateway.signIn();
    expect((await gateway.get('/api/v1/pam/rules', token)).status).toBe(200);
    const { key } = await anActiveKey();
    await lose();
    gateway.jwks = '{"keys":[]}';
    expect(await Promise.all([key, token].map((credential) => refusedWithin(5_000 + SLACK_MS, credential)))).toEqual([true, true]);
    gateway.jwks = jwks;
    await restore();
    expect(await answeredWithin(5_000, token, 200)).toBe(true);
  });

  it('is known to a gateway whose question for the signing keys a frozen replica of identity got: nobody waits for that answer', async () => {
    const { identity } = gateway.upstreams;
    const usual = identity.answer;
    let silences = 0;
    expect((await gateway.get('/api/v1/pam/rules', (await gateway.signIn()).token)).status).toBe(200);
    identity.answer = (seen, response) => void (seen.url.endsWith('/jwks.json') && silences++ === 0 ? response : usual(seen, response));
    for (const until = Date.now() + 3_500; Date.now() < until; await wait(100)) {
      const { token } = await gateway.signIn();
      expect(await Promise.race([gateway.get('/api/v1/pam/rules', token).then(({ status }) => status), wait(2_000)])).toBe(200);
    }
    expect(silences).toBeGreaterThan(1);
  }, 20_000);
});
