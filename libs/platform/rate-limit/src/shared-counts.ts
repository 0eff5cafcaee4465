import type { Redis } from 'ioredis';

/**
 * Increments each key once and returns its count and the milliseconds left. A window opens with its first hit, by the
 * clock of Redis.
 */
const COUNT = `
  local answers = {}
  for at, key in ipairs(KEYS) do
    local count = redis.call('INCR', key)
    if count == 1 then redis.call('PEXPIRE', key, ARGV[at]) end
    answers[2 * at - 1] = count
    answers[2 * at] = redis.call('PTTL', key)
  end
  return answers`;

/** How long no call is sent to Redis after a failure, in milliseconds. */
const BREAK_MS = 1_000;

const TIMEOUT_MS = 100;

/** @throws Error when Redis is late; a process that was busy itself reads from its sockets before it says so */
const inTime = <T>(answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(new Error('Redis did not answer in time'));
    const timer = setTimeout(() => setImmediate(late), TIMEOUT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });

interface Counter {
  gatehouseCount(keys: number, ...keysAndWindows: (string | number)[]): Promise<number[]>;
}

interface Waiting {
  readonly key: string;
  readonly windowMs: number;
  readonly resolve: (answer: [number, number] | null) => void;
}

/**
 * Counts that all replicas share through Redis. Uses that arrive in one turn of the event loop, or during a call to
 * Redis, are sent together in the next call.
 */
export class SharedCounts {
  private waiting: Waiting[] = [];
  private asking = false;
  private brokenUntil = 0;

  constructor(private readonly redis: Redis & Partial<Counter>) {
    redis.defineCommand('gatehouseCount', { lua: COUNT });
  }

  /** The count in the current window and the milliseconds left of it; null while Redis is unavailable. */
  count(key: string, windowMs: number): Promise<[number, number] | null> {
    if (performance.now() < this.brokenUntil || this.redis.status !== 'ready') return Promise.resolve(null);
    return new Promise((resolve) => {
      if (this.waiting.length === 0 && !this.asking) setImmediate(() => void this.ask());
      this.waiting.push({ key, windowMs, resolve });
    });
  }

  private async ask(): Promise<void> {
    this.asking = true;
    while (this.waiting.length > 0) {
      const asked = this.waiting;
      this.waiting = [];
      const answers = await this.answersTo(asked);
      asked.forEach(({ resolve }, at) => resolve(answers && [answers[2 * at] ?? 0, answers[2 * at + 1] ?? 0]));
    }
    this.asking = false;
  }

  private async answersTo(asked: readonly Waiting[]): Promise<number[] | null> {
    try {
      return await inTime(
        (this.redis as Redis & Counter).gatehouseCount(
          asked.length,
          ...asked.map(({ key }) => key),
          ...asked.map(({ windowMs }) => windowMs),
        ),
      );
    } catch {
      this.brokenUntil = performance.now() + BREAK_MS;
      return null;
    }
  }
}
