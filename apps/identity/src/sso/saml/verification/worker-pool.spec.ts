import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { PoolBusy, type PoolOptions, WorkerPool } from './worker-pool.ts';

describe('a pool of worker threads (ATK-11b)', () => {
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  });

  it('answers jobs, and hands on the fault of one that fails', async () => {
    const pool = poolWith();
    expect(await pool.run('a', 'x')).toBe('x');
    await expect(pool.run('a', 'fail')).rejects.toThrow('no good');
    expect(await pool.run('a', 'y')).toBe('y');
  });

  it('ends the thread of a job that misses its deadline, and works on with another', async () => {
    const pool = poolWith({ deadlineMs: 1_000 });
    const stuck = pool.run('a', 'spin');
    const next = pool.run('b', 'x');
    // The main thread stays free: this timer fires although the job blocks its own thread for ever.
    await wait(10);
    await expect(stuck).rejects.toThrow('deadline');
    expect(await next).toBe('x');
  });

  it.each(['die', 'fill'])('survives a thread that comes to an end by itself: %s', async (job) => {
    const pool = poolWith();
    await expect(pool.run('a', job)).rejects.toThrow();
    expect(await pool.run('a', 'x')).toBe('x');
  });

  it('takes no more than its queues hold, of one lane and in all', async () => {
    const pool = poolWith();
    const runs = ['a', 'a', 'a', 'b', 'b', 'c'].map((lane) => pool.run(lane, 'slow'));
    await expect(pool.run('a', 'x')).rejects.toThrow(PoolBusy);
    await expect(pool.run('d', 'x')).rejects.toThrow(PoolBusy);
    expect(await Promise.all(runs)).toHaveLength(6);
    expect(await pool.run('a', 'x')).toBe('x');
  });

  it('gives up a job for which no thread becomes free in time', async () => {
    const pool = poolWith({ timeoutMs: 200, deadlineMs: 1_000 });
    const [stuck, late] = [pool.run('a', 'spin'), pool.run('b', 'x')];
    await expect(late).rejects.toThrow(PoolBusy);
    await expect(stuck).rejects.toThrow('deadline');
  });

  it('serves lanes in turn', async () => {
    const run = finishing(poolWith({ waitingInLane: 3 }));
    await Promise.all([run('a', '1'), run('a', '2'), run('a', '3'), run('b', '4'), run('c', '5')]);
    expect(finished).toEqual(['1', '2', '4', '5', '3']);
  });

  it('runs one job of a lane at a time, however many threads are free', async () => {
    const pool = poolWith({ threads: 2 });
    // Both threads have started.
    await Promise.all(['a', 'b'].map((lane) => pool.run(lane, 'slow')));
    const run = finishing(pool);
    await Promise.all([run('a', 'slow'), run('a', 'quick')]);
    expect(finished).toEqual(['slow', 'quick']);
  });

  it('refuses what waits when it is closed', async () => {
    const pool = poolWith();
    const runs = [pool.run('a', 'spin'), pool.run('a', 'x')];
    const outcomes = Promise.allSettled(runs);
    await wait(50);
    await pool.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pool.run('a', 'x')).rejects.toThrow(PoolBusy);
  });

  let finished: string[] = [];
  const finishing = (pool: WorkerPool<string, string>) => {
    finished = [];
    return async (lane: string, job: string): Promise<void> => void finished.push(await pool.run(lane, job));
  };

  const pools: WorkerPool<string, string>[] = [];
  const poolWith = (options: Partial<PoolOptions> = {}): WorkerPool<string, string> => {
    const pool = new WorkerPool<string, string>({ ...OPTIONS, ...options });
    pools.push(pool);
    return pool;
  };
});

/** Answers with the job itself; some jobs mean something. */
const PROGRAM = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (job) => {
    if (job === 'spin') for (;;);
    if (job === 'die') process.exit(1);
    if (job === 'fill') for (let all = null; ;) all = { job, all };
    if (job === 'fail') return parentPort.postMessage({ fault: 'no good' });
    setTimeout(() => parentPort.postMessage({ output: job }), job.startsWith?.('slow') ? 100 : 0);
  });
  parentPort.postMessage({});`;
const OPTIONS: PoolOptions = {
  program: new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`),
  threads: 1,
  deadlineMs: 10_000,
  timeoutMs: 10_000,
  waitingInLane: 2,
  waiting: 5,
  memoryMb: 32,
};
