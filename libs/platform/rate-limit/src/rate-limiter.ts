import { ProblemError } from '@gatehouse/contracts-core';
import type { Metrics } from '@gatehouse/telemetry';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { type LimitName, LIMITS, type Limits } from './limits.ts';
import { SharedCounts } from './shared-counts.ts';

const MAX_SUBJECTS = 50_000;

interface Window {
  count: number;
  readonly endsAt: number;
}

/** Counts within this process while Redis is unavailable. */
class LocalWindows {
  private readonly windows = new LRUCache<string, Window>({ max: MAX_SUBJECTS });

  /** @returns the count in the current window and the milliseconds left of it */
  count(key: string, windowMs: number, now = performance.now()): [number, number] {
    const known = this.windows.get(key);
    const window = known && known.endsAt > now ? known : { count: 0, endsAt: now + windowMs };
    window.count++;
    this.windows.set(key, window);
    return [window.count, window.endsAt - now];
  }
}

export interface Usage {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

/**
 * Fixed-window limits that all replicas share through Redis. While Redis is unavailable, each process counts on its own
 * and applies `localShare` of the limit.
 */
export class RateLimiter {
  private readonly local = new LocalWindows();
  private readonly shared: SharedCounts;
  private readonly refused: ReturnType<Metrics['counter']> | undefined;
  private readonly alone: ReturnType<Metrics['counter']> | undefined;

  constructor(
    redis: Redis,
    private readonly limits: Limits,
    metrics?: Metrics,
  ) {
    this.refused = metrics?.counter('gatehouse_rate_limit_refusals_total', 'Uses beyond a limit', {
      limit: Object.values(LIMITS).map(({ name }) => name),
    });
    this.alone = metrics?.counter(
      'gatehouse_rate_limit_local_total',
      'Uses that were counted by this process alone, because Redis was away',
    );
    this.shared = new SharedCounts(redis);
  }

  /**
   * Counts one use.
   * @param subject the limited party: a client address (counted by its network), alone or with an account; an account,
   * or a device
   */
  async use(name: LimitName, subject: string): Promise<Usage> {
    const limit = this.limits.limit(name);
    const windowMs = limit.windowSeconds * 1000;
    const key = `rl:${limit.name}:${createHash('sha256').update(subject.replace(/^\S+/, clientNetwork)).digest('base64url').slice(0, 22)}`;
    const shared = await this.shared.count(key, windowMs);
    if (!shared) this.alone?.inc();
    const [count, remainingMs] = shared ?? this.local.count(key, windowMs);
    const max = shared ? limit.max : Math.max(1, Math.floor(limit.max * limit.localShare));
    if (count > max) this.refused?.inc({ limit: limit.name });
    return { allowed: count <= max, retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)) };
  }

  /** @throws ProblemError rate_limited with Retry-After */
  async require(name: LimitName, subject: string): Promise<void> {
    const { allowed, retryAfterSeconds } = await this.use(name, subject);
    if (!allowed) throw new ProblemError('rate_limited', 'Too many requests; try again later.', { retryAfterSeconds });
  }
}

/** The /64 prefix is one link; a single host may use all of its 2^64 addresses (RFC 4291 2.5.1, RFC 8981). */
const NETWORK_GROUPS = 4;
const GROUPS = 8;
const MAPPED_IPV4 = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/**
 * The key under which limits count a client address: the /64 of an IPv6 address, the whole of an IPv4 address in either
 * notation. Text that is not an address is returned unchanged.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [, high, low] = MAPPED_IPV4.exec(hostname) ?? [];
  if (high && low) return ipv4Of(parseInt(high, 16), parseInt(low, 16));
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const left = Array<string>(GROUPS - head.length - tail.length).fill('0');
  return `${[...head, ...left, ...tail].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

const ipv4Of = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');
