import { ProblemError } from '@gatehouse/contracts-core';
import type { Metrics } from '@gatehouse/telemetry';
import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { Bound } from './limits.ts';

/** Starts the work that has waited. */
type Begin = () => void;

/**
 * Bounds what one subject has under way at once in this process. Work beyond the bound waits, the longest first, and is
 * refused when
 * too much waits already or its turn does not come in time. Who stays below the bound costs one entry of a map.
 */
export class ConcurrencyLimiter {
  private readonly underWay = new Map<string, number>();
  private readonly lines = new Map<string, Set<Begin>>();
  private readonly waited: ReturnType<Metrics['counter']> | undefined;
  private readonly refused: ReturnType<Metrics['counter']> | undefined;

  constructor(
    private readonly bound: Bound,
    metrics?: Metrics,
  ) {
    this.waited = metrics?.counter(
      'gatehouse_turns_waited_total',
      'Work that waited because its caller had as much under way as a bound allows',
      ['limit'],
    );
    this.refused = metrics?.counter('gatehouse_rate_limit_refusals_total', 'Uses beyond a limit', ['limit']);
  }

  /** Takes a turn, to be given back by {@link end}. @returns false when the subject has none left */
  begin(subject: string): boolean {
    const count = this.underWay.get(subject) ?? 0;
    if (count >= this.bound.max) return false;
    this.underWay.set(subject, count + 1);
    return true;
  }

  /**
   * Takes the next turn that is given back.
   * @param client says `close` when nobody waits any more
   * @throws ProblemError rate_limited with Retry-After
   */
  wait(subject: string, client?: EventEmitter): Promise<void> {
    const line = this.lines.get(subject) ?? new Set();
    this.waited?.inc({ limit: this.bound.name });
    if (line.size >= this.bound.waiting) return Promise.reject(this.problem());
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        client?.off('close', giveUp);
        line.delete(begin);
        if (line.size === 0) this.lines.delete(subject);
      };
      const begin: Begin = () => {
        leave();
        resolve();
      };
      const giveUp = (): void => {
        leave();
        reject(this.problem());
      };
      const timer = setTimeout(giveUp, this.bound.patienceMs);
      client?.once('close', giveUp);
      this.lines.set(subject, line.add(begin));
    });
  }

  /** Gives a turn back: to whoever has waited longest, if anybody has. */
  end(subject: string): void {
    const [next] = this.lines.get(subject) ?? [];
    if (next) return next();
    const left = (this.underWay.get(subject) ?? 0) - 1;
    if (left > 0) this.underWay.set(subject, left);
    else this.underWay.delete(subject);
  }

  /**
   * The turn lasts as long as the work, whether or not anybody still waits for its outcome. @throws ProblemError
   * rate_limited
   */
  async during<T>(subject: string, work: () => Promise<T>): Promise<T> {
    if (!this.begin(subject)) await this.wait(subject);
    try {
      return await work();
    } finally {
      this.end(subject);
    }
  }

  /**
   * The turn lasts until the stream has closed: at its end, by a fault, or because its reader left. @throws ProblemError
   * rate_limited
   */
  async whileOpen<S extends Readable>(subject: string, open: () => Promise<S>): Promise<S> {
    if (!this.begin(subject)) await this.wait(subject);
    try {
      return (await open()).once('close', () => this.end(subject));
    } catch (error) {
      this.end(subject);
      throw error;
    }
  }

  private problem(): ProblemError {
    this.refused?.inc({ limit: this.bound.name });
    return new ProblemError(
      'rate_limited',
      'Too much of this is under way at once; try again when some of it has ended.',
      {
        retryAfterSeconds: Math.max(1, Math.ceil(this.bound.patienceMs / 1000)),
      },
    );
  }
}
