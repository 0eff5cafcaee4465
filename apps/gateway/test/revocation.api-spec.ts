import { PrincipalsChanged } from '@gatehouse/contracts-identity';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { EventBus } from '@gatehouse/messaging';
import { anApiKey, FaultProxy, startTestBroker, stopwatch } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { GatewayHarness } from './gateway.harness.ts';

const broker = await startTestBroker();
const network = await FaultProxy.before(broker.url);
const gateway = await GatewayHarness.start({}, network.through(broker.url));
await gateway.service.service.platform.bus.whenReady();
const identity = new EventBus({
  url: broker.urlOf('identity'),
  name: 'identity',
  log: gateway.service.service.platform.log,
});
identity.start();
await identity.whenReady();
afterAll(async () => {
  await identity.close();
  await gateway.stop();
  await network.stop();
  await broker.stop();
});

describe('while identity does not answer', () => {
  it('ATK-14b: a credential that was good a moment ago goes on working, and waits for identity once', async () => {
    await gateway.service.service.platform.bus.whenReady();
    const credentials = [(await gateway.signIn()).token, activeKey()];
    for (const credential of credentials) expect(await statusOf(credential)).toBe(200);
    await frozen(async () => {
      for (const until = Date.now() + 6_000; Date.now() < until; await wait(200))
        for (const credential of credentials) expect(await statusOf(credential)).toBe(200);
      const unknown = (await gateway.signIn()).token;
      expect(await statusOf(unknown)).not.toBe(200);
    });
  });

  it('ATK-14c: a revocation wins over an introspection that is under way', async () => {
    const [one, other] = [await gateway.signIn(), await gateway.signIn()];
    const key = activeKey();
    for (const credential of [one.token, other.token, key]) expect(await statusOf(credential)).toBe(200);
    await wait(2_100);
    const held: (() => void)[] = [];
    const { identity } = gateway.upstreams;
    const usual = identity.answer;
    identity.answer = (seen, response) => void held.push(() => usual(seen, response));
    expect(await statusOf(one.token)).toBe(200);
    await say({ sessionIds: [one.sid] });
    await say({ userIds: [other.principal.userId] });
    await wait(1_000);
    expect(await Promise.all([statusOf(one.token), statusOf(other.token)])).toEqual([null, null]);
    expect(await statusOf(key)).toBe(200);
    // The principal as it was asked for before the revocation: nothing may keep it.
    for (const answer of held.splice(0)) answer();
    gateway.principals.delete(one.sid);
    identity.answer = usual;
    expect(await refusedWithin(3_000, one.token)).toBe(true);
  });

  it('ATK-14d: nothing stands in when events may have been missed: the broker is away, or was', async () => {
    const { token } = await gateway.signIn();
    expect(await statusOf(token)).toBe(200);
    await broker.kill();
    await frozen(async () => {
      await wait(2_500);
      expect(await statusOf(token)).not.toBe(200);
      await broker.start();
      await gateway.service.service.platform.bus.whenReady();
      expect(await statusOf(token)).not.toBe(200);
    });
    expect(await answeredWithin(5_000, token, 200)).toBe(true);
  });

  it('ATK-14e: its word against a credential is heard at once', async () => {
    const { token, sid } = await gateway.signIn();
    expect(await statusOf(token)).toBe(200);
    gateway.principals.delete(sid);
    await wait(2_100);
    expect(await statusOf(token)).toBe(401);
    await frozen(async () => expect(await statusOf(token)).not.toBe(200));
  });

  /** Connections stay open and nothing comes back, as from a process that is frozen. */
  async function frozen(work: () => Promise<void>): Promise<void> {
    const { identity } = gateway.upstreams;
    const usual = identity.answer;
    identity.answer = () => undefined;
    await work().finally(() => (identity.answer = usual));
  }
  const activeKey = (): string => {
    const key = `ghk_${randomToken()}`;
    gateway.principals.set(sha256Hex(key), { active: true, principal: anApiKey() });
    return key;
  };
  const statusOf = async (credential: string): Promise<number | null> =>
    Promise.race([gateway.get('/api/v1/pam/rules', credential).then(({ status }) => status), wait(2_000, null)]);
});

describe('a revoked credential', () => {
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
    {
      how: 'says nothing',
      lose: async () => network.set({ kind: 'hold' }),
      restore: async () => network.set({ kind: 'pass' }),
    },
  ])(
    'is refused within 5 s by a gateway whose broker $how, and so is a token whose signing key was dropped',
    async ({ lose, restore }) => {
      await gateway.service.service.platform.bus.whenReady();
      const { jwks } = gateway;
      const { token } = await gateway.signIn();
      expect((await gateway.get('/api/v1/pam/rules', token)).status).toBe(200);
      const { key } = await anActiveKey();
      await lose();
      gateway.jwks = '{"keys":[]}';
      expect(await Promise.all([key, token].map((credential) => refusedWithin(5_000 + SLACK_MS, credential)))).toEqual([
        true,
        true,
      ]);
      gateway.jwks = jwks;
      await restore();
      expect(await answeredWithin(5_000, token, 200)).toBe(true);
    },
  );

  it('is known to a gateway whose question for the signing keys a frozen replica of identity got: no request waits for that answer', async () => {
    const { identity } = gateway.upstreams;
    const usual = identity.answer;
    let silences = 0;
    expect((await gateway.get('/api/v1/pam/rules', (await gateway.signIn()).token)).status).toBe(200);
    identity.answer = (seen, response) =>
      void (seen.url.endsWith('/jwks.json') && silences++ === 0 ? response : usual(seen, response));
    for (const until = Date.now() + 3_500; Date.now() < until; await wait(100)) {
      const { token } = await gateway.signIn();
      expect(
        await Promise.race([gateway.get('/api/v1/pam/rules', token).then(({ status }) => status), wait(2_000)]),
      ).toBe(200);
    }
    expect(silences).toBeGreaterThan(1);
  });

  const anActiveKey = async () => {
    const key = `ghk_${randomToken()}`;
    const principal = anApiKey();
    gateway.principals.set(sha256Hex(key), { active: true, principal });
    expect((await gateway.get('/api/v1/pam/rules', key)).status).toBe(200);
    gateway.principals.delete(sha256Hex(key));
    return { key, principal };
  };
});

const SLACK_MS = 1_000;

const say = (change: { sessionIds?: string[]; userIds?: string[]; apiKeyIds?: string[] }): Promise<void> => {
  const data = { sessionIds: [], userIds: [], apiKeyIds: [], ...change };
  const json = JSON.stringify({
    id: newId(),
    subject: PrincipalsChanged.subject,
    source: 'identity',
    occurredAt: new Date().toISOString(),
    data,
  });
  return identity.publish([{ id: newId(), subject: PrincipalsChanged.subject, json }]);
};

async function answeredWithin(milliseconds: number, credential: string, status: number): Promise<boolean> {
  for (const spent = stopwatch(); spent() < milliseconds; await wait(20)) {
    if ((await gateway.get('/api/v1/pam/rules', credential)).status === status) return true;
  }
  return false;
}

const refusedWithin = (milliseconds: number, credential: string): Promise<boolean> =>
  answeredWithin(milliseconds, credential, 401);
