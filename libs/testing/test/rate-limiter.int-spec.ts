import { testServers, stopwatch } from '../src/index.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeSentinel } from './fake-sentinel.ts';
import { connectRedis, LIMITS, limitsFrom, RateLimiter } from '@gatehouse/rate-limit';

describe('RateLimiter', () => {
  let connections: ReturnType<typeof connectRedis>[] = [];
  beforeAll(async () => {
    connections = [0, 1].map(() => connectRedis(testServers().redisUrl, () => undefined));
    await Promise.all(connections.map((connection) => connection.connect()));
  });
  afterAll(() => connections.forEach((connection) => connection.disconnect()));

  it('counts one quota across replicas, apart for each subject', async () => {
    const [one, two] = connections.map((connection) => new RateLimiter(connection, limits)) as [
      RateLimiter,
      RateLimiter,
    ];
    const subject = randomUUID();
    expect((await allowedOf(one, 3, subject)) + (await allowedOf(two, 3, subject))).toBe(4);
    expect(await allowedOf(two, 1, randomUUID())).toBe(1);
    await expect(one.require('mfa', subject)).rejects.toMatchObject({
      status: 429,
      code: 'rate_limited',
      members: { retryAfterSeconds: expect.any(Number) },
    });
  });

  it('needs no more of Redis than its user in Kubernetes may do, which is to count', async () => {
    const script = readFileSync(join(import.meta.dirname, '../../../deploy/redis/start.sh'), 'utf8');
    const rules = /'(~rl:\*)' \\\n +(\+.+)$/m.exec(script)?.slice(1).join(' ').split(' ') ?? [];
    const password = randomUUID();
    const operator = connections[0] as (typeof connections)[number];
    await operator.acl('SETUSER', 'spec-service', 'reset', 'on', `>${password}`, ...rules);
    const url = new URL(testServers().redisUrl);
    Object.assign(url, { username: 'spec-service', password });
    const service = connectRedis(url.href, () => undefined);
    await service.connect();
    const subject = randomUUID();
    expect(await allowedOf(new RateLimiter(service, limits), 6, subject)).toBe(4);
    expect(await allowedOf(new RateLimiter(operator, limits), 1, subject)).toBe(0);
    for (const refused of [['DEL', 'rl:mfa'], ['GET', 'rl:mfa'], ['INCR', 'others'], ['FLUSHALL'], ['KEYS', '*']])
      await expect(service.call(...(refused as [string]))).rejects.toThrow('NOPERM');
    service.disconnect();
    await operator.acl('DELUSER', 'spec-service');
  });

  it('finds the master by a Sentinel, and asks again when the connection is lost', async () => {
    const { hostname, port, username, password } = new URL(testServers().redisUrl);
    const sentinel = await FakeSentinel.start('gatehouse', { host: hostname, port: Number(port) });
    const sentinels = [{ host: '127.0.0.1', port: sentinel.port }];
    const redis = connectRedis(`redis://${username}:${password}@gatehouse`, () => undefined, { sentinels });
    await redis.connect();
    const limiter = new RateLimiter(redis, limits);
    expect(await allowedOf(limiter, 6, randomUUID())).toBe(4);
    const asked = sentinel.questions;
    const ready = new Promise((resolve) => redis.once('ready', resolve));
    redis.disconnect(true);
    await ready;
    expect(sentinel.questions).toBeGreaterThan(asked);
    expect(await allowedOf(limiter, 6, randomUUID())).toBe(4);
    redis.disconnect();
    await sentinel.stop();
  });

  it('does not take its own delay for one of Redis', async () => {
    const limiter = new RateLimiter(connections[0] as (typeof connections)[number], limits);
    const subject = randomUUID();
    const uses = allowedOf(limiter, 4, subject);
    // Stops the process, not Redis, in the turn of the event loop that sends the call, and in those beside it.
    for (let turn = 0; turn < 3; turn++) await afterStop(400);
    expect(await uses).toBe(4);
    expect(await allowedOf(limiter, 1, subject)).toBe(0);
  });

  it('goes on by itself within its share, without waiting, while Redis is away', async () => {
    const nowhere = connectRedis('redis://127.0.0.1:1', () => undefined);
    const spent = stopwatch();
    expect(await allowedOf(new RateLimiter(nowhere, limits), 10, randomUUID())).toBe(2);
    expect(spent()).toBeLessThan(500);
    nowhere.disconnect();
  });
});

describe('limitsFrom', () => {
  it('changes the numbers that the environment names and no others', () => {
    const changed = limitsFrom('mfa=50/60, agentReport=100/1');
    expect(changed.limit('mfa')).toMatchObject({ max: 50, windowSeconds: 60 });
    expect(changed.limit('discovery')).toEqual(LIMITS.discovery);
    expect(() => limitsFrom('nothing=1/1')).toThrow('nothing=1/1');
  });
});

const limits = limitsFrom('mfa=4/60');
const afterStop = (ms: number): Promise<void> =>
  new Promise((resolve) =>
    setImmediate(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      resolve();
    }),
  );
const allowedOf = async (limiter: RateLimiter, uses: number, subject: string): Promise<number> => {
  const results = await Promise.all(Array.from({ length: uses }, () => limiter.use('mfa', subject)));
  return results.filter(({ allowed }) => allowed).length;
};
