import { Metrics } from '@gatehouse/telemetry';
import { describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type Bound, BOUNDS, limitsFrom } from './limits.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

describe('turns', () => {
  it('are as many as the bound says, for each subject by itself, and can be had again once given back', () => {
    const limiter = limiterOf({ max: 2 });
    expect([limiter.begin('ann'), limiter.begin('ann'), limiter.begin('ann'), limiter.begin('bob')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    limiter.end('ann');
    expect([limiter.begin('ann'), limiter.begin('ann')]).toEqual([true, false]);
  });

  it('go to who has waited longest, and to no newcomer before', async () => {
    const limiter = limiterOf({ max: 1 });
    const order: string[] = [];
    limiter.begin('ann');
    const waiting = ['first', 'second'].map((name) => limiter.wait('ann').then(() => order.push(name)));
    limiter.end('ann');
    expect(limiter.begin('ann')).toBe(false);
    limiter.end('ann');
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second']);
    limiter.end('ann');
    expect(limiter.begin('ann')).toBe(true);
  });

  it('are refused to who waits too long, to whom too many wait before, and to who has left', async () => {
    const metrics = new Metrics('test');
    const limiter = limiterOf({ max: 1, waiting: 2, timeoutMs: 100 }, metrics);
    const client = new EventEmitter();
    limiter.begin('ann');
    const leaving = limiter.wait('ann', client);
    const patient = limiter.wait('ann');
    await expect(limiter.wait('ann')).rejects.toMatchObject({
      code: 'rate_limited',
      members: { retryAfterSeconds: 1 },
    });
    client.emit('close');
    await expect(leaving).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(patient).rejects.toMatchObject({ code: 'rate_limited' });
    expect(client.listenerCount('close')).toBe(0);
    limiter.end('ann');
    expect(limiter.begin('ann')).toBe(true);
    const numbers = await metrics.text();
    expect(numbers).toContain(`gatehouse_turns_waited_total{limit="test",service="test"} 3`);
    expect(numbers).toContain(`gatehouse_rate_limit_refusals_total{limit="test",service="test"} 3`);
  });

  it('end with the work, whether it succeeds or fails', async () => {
    const limiter = limiterOf({ max: 1 });
    expect(await limiter.during('ann', async () => 1)).toBe(1);
    await expect(limiter.during('ann', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(limiter.whileOpen('ann', () => Promise.reject(new Error('not opened')))).rejects.toThrow('not opened');
    expect(limiter.begin('ann')).toBe(true);
  });

  it.each([
    ['is read to its end', async (stream: Readable) => void (await stream.toArray())],
    ['fails', async (stream: Readable) => void stream.once('error', () => undefined).destroy(new Error('failed'))],
    ['is left before it is read', async (stream: Readable) => void stream.destroy()],
  ])('last until the stream %s', async (_, finish) => {
    const limiter = limiterOf({ max: 1, timeoutMs: 50 });
    const stream = await limiter.whileOpen('ann', async () => Readable.from(['a', 'b']));
    await expect(limiter.during('ann', async () => 1)).rejects.toMatchObject({ code: 'rate_limited' });
    const closed = once(stream, 'close').catch(() => undefined);
    await finish(stream);
    await Promise.race([closed, wait(1_000)]);
    expect(limiter.begin('ann')).toBe(true);
  });

  it('leave nothing behind', async () => {
    const limiter = limiterOf({ max: 1, timeoutMs: 20 });
    await Promise.allSettled(Array.from({ length: 5 }, () => limiter.during('ann', () => wait(5))));
    expect(limiter).toMatchObject({ underWay: new Map(), lines: new Map() });
  });
});

describe('a bound', () => {
  it('is changed by its name and a number', () => {
    const limits = limitsFrom('heavyCalls=7, mfa=50/60');
    expect([limits.bound('heavyCalls'), limits.limit('mfa').max, limits.bound('requests')]).toEqual([
      { ...BOUNDS.heavyCalls, max: 7 },
      50,
      BOUNDS.requests,
    ]);
  });

  it('on connections is a share of the pool, of which protective acts keep one', () => {
    const boundsOf = (connections: number): number[] => {
      const limits = limitsFrom('heavyCalls=7', connections);
      return [limits.bound('peopleConnections'), limits.bound('protectiveConnections'), limits.bound('heavyCalls')].map(
        ({ max }) => max,
      );
    };
    expect([boundsOf(10), boundsOf(5), boundsOf(40)]).toEqual([
      [8, 2, 7],
      [4, 1, 7],
      [32, 8, 7],
    ]);
  });

  it.each(['heavyCalls=0', 'heavyCalls=1/5', 'mfa=5', 'constructor=1', 'nothing=1'])('does not take %s', (pair) => {
    expect(() => limitsFrom(pair)).toThrow(`"${pair}"`);
  });

  it('is refused with the time after which to try again', async () => {
    const limiter = limiterOf({ max: 1, waiting: 0 });
    limiter.begin('ann');
    await expect(limiter.wait('ann')).rejects.toMatchObject(REFUSED);
  });
});

describe('a bound of waits for something that may be stuck', () => {
  it('lets work wait as long as work before it ends, however long that takes together (R-61)', async () => {
    const limiter = limiterOf(STUCK);
    const all = Array.from({ length: 8 }, () => limiter.during('ann', () => wait(60)));
    expect(await Promise.all(all)).toHaveLength(8);
  });

  it('refuses work as unavailable when what is before it does not end', async () => {
    const limiter = limiterOf({ ...STUCK, timeoutMs: 20 });
    limiter.begin('ann');
    await expect(limiter.during('ann', async () => 1)).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  });

  it('refuses at once what waits for something that has failed', async () => {
    const limiter = limiterOf({ ...STUCK, timeoutMs: 60_000 });
    limiter.begin('ann');
    const waiting = [1, 2].map(() => limiter.during('ann', async () => 1));
    limiter.refuseWaiting('ann');
    const results = await Promise.allSettled(waiting);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    limiter.end('ann');
    expect(limiter).toMatchObject({ underWay: new Map(), lines: new Map() });
  });

  const STUCK = { max: 1, timeoutMs: 200, whileStuck: true };
});

const limiterOf = (settings: Partial<Bound> = {}, metrics?: Metrics): ConcurrencyLimiter =>
  new ConcurrencyLimiter({ ...BOUNDS.heavyCalls, name: 'test', ...settings }, metrics);
const REFUSED = { code: 'rate_limited', status: 429, members: { retryAfterSeconds: 2 } };
