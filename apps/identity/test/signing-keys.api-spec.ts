import { Gate, startTestBroker } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { ADMIN, IdentityHarness } from './identity.harness.ts';

const broker = await startTestBroker();
const one = await IdentityHarness.start({}, { natsUrl: broker.url });
const two = await IdentityHarness.start({}, { natsUrl: broker.url, replicaOf: one.service });
for (const { service } of [one, two]) await service.service.platform.bus.whenReady();
afterAll(async () => {
  await two.stop();
  await one.stop();
  await broker.stop();
});

/** R-42, with two replicas. */
describe('the signing keys', () => {
  it('let a replica start although their table was locked for longer than a statement waits', async () => {
    const gate = await Gate.close(one.service, 'LOCK TABLE signing_keys IN ACCESS EXCLUSIVE MODE');
    const starting = IdentityHarness.start({}, { natsUrl: broker.url, replicaOf: one.service });
    await gate.waited(1);
    await gate.gaveUp();
    await gate.open();
    const replica = await starting;
    expect(await kidsOf(replica)).toEqual(await kidsOf(one));
    await replica.stop();
  });

  it('sign only when every verifier has had to fetch them', async () => {
    const refused = await rotate();
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
  });

  it('verify until their tokens have run out, then are gone', async () => {
    const { accessToken } = await signIn(one);
    const before = await kidsOf(one);
    await age(6);
    expect((await rotate()).status).toBe(200);
    const kid = kidOf((await signIn(one)).accessToken);
    expect(kid).not.toBe(kidOf(accessToken));
    expect(before).toContain(kid);
    expect(await isGood(accessToken)).toBe(true);
    await age(31);
    await rotate();
    expect(await kidsOf(one)).not.toContain(kidOf(accessToken));
    expect(await kidsOf(one)).toContain(kid);
    expect(await isGood(accessToken)).toBe(false);
  });

  it('are all dropped at once in an emergency, on every replica; refreshing gives tokens under a new one', async () => {
    const { accessToken, refreshToken } = await signIn(two);
    const compromised = await kidsOf(two);
    expect((await rotate({ emergency: true })).status).toBe(200);
    expect(await isGood(accessToken)).toBe(false);
    for (let tries = 0; tries < 100 && (await kidsOf(two)).some((kid) => compromised.includes(kid)); tries++)
      await wait(100);
    expect((await kidsOf(two)).filter((kid) => compromised.includes(kid))).toEqual([]);
    const { body } = await two.anonymous.post('/auth/refresh').send({ refreshToken });
    expect(compromised).not.toContain(kidOf(body.accessToken as string));
    expect(await isGood(body.accessToken as string)).toBe(true);
    expect((await one.service.audits('signing_key.rotate')).at(-1)).toMatchObject({
      actor: { type: 'system', name: 'operator' },
      details: { emergency: true },
    });
  });

  const rotate = (body: object = {}) =>
    one.service.asService('operator').post('/internal/signing-keys/rotate').send(body);
  const keysOf = async ({ service }: IdentityHarness): Promise<JSONWebKeySet> =>
    (await service.asService('gateway').get('/.well-known/jwks.json')).body as JSONWebKeySet;
  const kidsOf = async (identity: IdentityHarness): Promise<(string | undefined)[]> =>
    (await keysOf(identity)).keys.map(({ kid }) => kid);
  const signIn = async (identity: IdentityHarness): Promise<{ accessToken: string; refreshToken: string }> =>
    (await identity.login(ADMIN.email, ADMIN.password)).body as { accessToken: string; refreshToken: string };
  const kidOf = (token: string): string | undefined => decodeProtectedHeader(token).kid;
  const age = (minutes: number): Promise<unknown> =>
    one.service.sql(`UPDATE signing_keys SET state_since = state_since - make_interval(mins => $1)`, [minutes]);
  const isGood = async (token: string): Promise<boolean> =>
    jwtVerify(token, createLocalJWKSet(await keysOf(one))).then(
      () => true,
      () => false,
    );
});
