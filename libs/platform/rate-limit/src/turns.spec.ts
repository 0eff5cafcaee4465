import { Metrics } from '@gatehouse/telemetry';
import { describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type Bound, BOUNDS, limitsFrom } from './limits.ts';
import { Turns } from './turns.ts';

const turnsOf = (settings: Partial<Bound> = {}, metrics?: Metrics): Turns =>
  new Turns({ ...BOUNDS.heavyCalls, name: 'test', ...settings }, metrics);
const REFUSED = { code: 'rate_limited', status: 429, members: { retryAfterSeconds: 2 } };

describe('turns', () => {
  it('are as many as the bound says, for each subject by itself, and can be had again once given back', () => {
    const turns = turnsOf({ max: 2 });
    expect([turns.begin('ann'), turns.begin('ann'), turns.begin('ann'), turns.begin('bob')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    turns.end('ann');
    expect([turns.begin('ann'), turns.begin('ann')]).toEqual([true, false]);
  });

  it('go to who has waited longest, and to no newcomer before', async () => {
    const turns = turnsOf({ max: 1 });
    const order: string[] = [];
    turns.begin('ann');
    const waiting = ['first', 'second'].map((name) => turns.wait('ann').then(() => order.push(name)));
    turns.end('ann');
    expect(turns.begin('ann')).toBe(false);
    turns.end('ann');
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second']);
    turns.end('ann');
    expect(turns.begin('ann')).toBe(true);
  });

  it('are refused to who waits too long, to whom too many wait before, and to who has left', async () => {
    const metrics = new Metrics('test');
    const turns = turnsOf({ max: 1, waiting: 2, patienceMs: 100 }, metrics);
    const client = new EventEmitter();
    turns.begin('ann');
    const leaving = turns.wait('ann', client);
    const patient = turns.wait('ann');
    await expect(turns.wait('ann')).rejects.toMatchObject({ code: 'rate_limited', members: { retryAfterSeconds: 1 } });
    client.emit('close');
    await expect(leaving).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(patient).rejects.toMatchObject({ code: 'rate_limited' });
    expect(client.listenerCount('close')).toBe(0);
    turns.end('ann');
    expect(turns.begin('ann')).toBe(true);
    const numbers = await metrics.text();
    expect(numbers).toContain(`gatehouse_turns_waited_total{limit="test",service="test"} 3`);
    expect(numbers).toContain(`gatehouse_rate_limit_refusals_total{limit="test",service="test"} 3`);
  });

  it('end with the work, whether it succeeds or fails', async () => {
    const turns = turnsOf({ max: 1 });
    expect(await turns.during('ann', async () => 1)).toBe(1);
    await expect(turns.during('ann', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(turns.whileOpen('ann', () => Promise.reject(new Error('not opened')))).rejects.toThrow('not opened');
    expect(turns.begin('ann')).toBe(true);
  });

  it.each([
    ['is read to its end', async (stream: Readable) => void (await stream.toArray())],
    ['fails', async (stream: Readable) => void stream.once('error', () => undefined).destroy(new Error('failed'))],
    ['is left before it is read', async (stream: Readable) => void stream.destroy()],
  ])('last until the stream %s', async (_, finish) => {
    const turns = turnsOf({ max: 1, patienceMs: 50 });
    const stream = await turns.whileOpen('ann', async () => Readable.from(['a', 'b']));
    await expect(turns.during('ann', async () => 1)).rejects.toMatchObject({ code: 'rate_limited' });
    const closed = once(stream, 'close').catch(() => undefined);
    await finish(stream);
    await Promise.race([closed, wait(1_000)]);
    expect(turns.begin('ann')).toBe(true);
  });

  it('leave nothing behind', async () => {
    const turns = turnsOf({ max: 1, patienceMs: 20 });
    await Promise.allSettled(Array.from({ length: 5 }, () => turns.during('ann', () => wait(5))));
    expect(turns).toMatchObject({ underWay: new Map(), lines: new Map() });
  });
});

describe('a bound', () => {
  it('is changed by its name and a number', () => {
    const limits = limitsFrom('heavyCalls=7, mfa=50/60');
    expect([limits.heavyCalls, limits.mfa.max, limits.requests]).toEqual([
      { ...BOUNDS.heavyCalls, max: 7 },
      50,
      BOUNDS.requests,
    ]);
  });

  it.each(['heavyCalls=0', 'heavyCalls=1/5', 'mfa=5', 'constructor=1', 'nothing=1'])('does not take %s', (pair) => {
    expect(() => limitsFrom(pair)).toThrow(`"${pair}"`);
  });

  it('is refused with the time after which to try again', async () => {
    const turns = turnsOf({ max: 1, waiting: 0 });
    turns.begin('ann');
    await expect(turns.wait('ann')).rejects.toMatchObject(REFUSED);
  });
});
