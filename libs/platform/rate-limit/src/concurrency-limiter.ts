import { ProblemError } from '@gatehouse/contracts-core';
import type { Metrics } from '@gatehouse/telemetry';
import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { Bound } from './limits.ts';

interface Waiting {
  begin(): void;
  refuse(): void;
  readonly timer: NodeJS.Timeout;
}

const REFUSALS = {
  rate_limited: 'Too much of this is under way at once; try again when some of it has ended.',
  unavailable: 'The service is not available at the moment; try again.',
};

/**
 * Bounds how much work one subject has under way at once in this process. Further work waits in a queue, first in,
 * first out. The limiter refuses it when the queue is full or the wait takes too long. A subject below its bound costs
 * one entry of a map.
 */
export class ConcurrencyLimiter {
  private readonly underWay = new Map<string, number>();
  private readonly lines = new Map<string, Set<Waiting>>();
  private readonly waited: ReturnType<Metrics['counter']> | undefined;
  private readonly refused: ReturnType<Metrics['counter']> | undefined;

  constructor(
    private readonly bound: Bound,
    metrics?: Metrics,
  ) {
    this.waited = metrics?.counter(
      'gatehouse_turns_waited_total',
      'Work that waited because its caller had as much under way as a bound allows',
      { limit: [bound.name] },
    );
    this.refused = metrics?.counter('gatehouse_rate_limit_refusals_total', 'Uses beyond a limit', {
      limit: [bound.name],
    });
  }

  /**
   * Takes a slot; {@link end} releases it.
   * @returns false when the subject has no free slot
   */
  begin(subject: string): boolean {
    const count = this.underWay.get(subject) ?? 0;
    if (count >= this.bound.max) return false;
    this.underWay.set(subject, count + 1);
    return true;
  }

  /**
   * Waits in the queue for the next slot that is released.
   * @param client emits `close` when the caller no longer waits
   * @throws ProblemError rate_limited or unavailable, with Retry-After
   */
  wait(subject: string, client?: EventEmitter): Promise<void> {
    const line = this.lines.get(subject) ?? new Set();
    this.waited?.inc({ limit: this.bound.name });
    if (line.size >= this.bound.waiting) return Promise.reject(this.problem('rate_limited'));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(waiting.timer);
        client?.off('close', refuse);
        line.delete(waiting);
        if (line.size === 0) this.lines.delete(subject);
      };
      const refuse = (): void => {
        leave();
        reject(this.problem(this.bound.whileStuck ? 'unavailable' : 'rate_limited'));
      };
      const begin = (): void => {
        leave();
        resolve();
      };
      const waiting: Waiting = { begin, refuse, timer: setTimeout(refuse, this.bound.timeoutMs) };
      client?.once('close', refuse);
      this.lines.set(subject, line.add(waiting));
    });
  }

  /** Releases a slot: the work at the head of the queue takes it over. */
  end(subject: string): void {
    const line = this.lines.get(subject) ?? new Set();
    const [next] = line;
    if (next) {
      next.begin();
      if (this.bound.whileStuck) for (const { timer } of line) timer.refresh();
      return;
    }
    const left = (this.underWay.get(subject) ?? 0) - 1;
    if (left > 0) this.underWay.set(subject, left);
    else this.underWay.delete(subject);
  }

  /** Refuses the work of a subject that waits now. */
  refuseWaiting(subject: string): void {
    for (const waiting of [...(this.lines.get(subject) ?? [])]) waiting.refuse();
  }

  /** Holds a slot until the work ends, even if its caller has disconnected. */
  async during<T>(subject: string, work: () => Promise<T>): Promise<T> {
    if (!this.begin(subject)) await this.wait(subject);
    try {
      return await work();
    } finally {
      this.end(subject);
    }
  }

  /** Holds a slot until the stream closes, for whatever reason. */
  async whileOpen<S extends Readable>(subject: string, open: () => Promise<S>): Promise<S> {
    if (!this.begin(subject)) await this.wait(subject);
    try {
      return (await open()).once('close', () => this.end(subject));
    } catch (error) {
      this.end(subject);
      throw error;
    }
  }

  private problem(code: keyof typeof REFUSALS): ProblemError {
    this.refused?.inc({ limit: this.bound.name });
    return new ProblemError(code, REFUSALS[code], {
      retryAfterSeconds: Math.max(1, Math.ceil(this.bound.timeoutMs / 1000)),
    });
  }
}

/** Bounds the expensive calls of each caller: exports, verifications, previews, imports. */
export class HeavyCalls extends ConcurrencyLimiter {}
