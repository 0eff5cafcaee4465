import { Redis, type RedisOptions } from 'ioredis';
import { readFileSync } from 'node:fs';

export interface RedisPlace {
  /** The authority that must have signed the certificates of the servers; turns TLS on, as `rediss://` does. */
  readonly caFile?: string;
  /** Sentinels that know the present master. The host of the address is then the name of its group. */
  readonly sentinels?: readonly { readonly host: string; readonly port: number }[];
  readonly sentinelPassword?: string;
}

const FAIL_FAST: RedisOptions = {
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  lazyConnect: true,
  connectTimeout: 2_000,
  // A server that is gone without a word; the next connection leads to its successor.
  socketTimeout: 2_000,
  retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
};

const tlsOf = ({ caFile }: RedisPlace): RedisOptions['tls'] =>
  caFile === undefined ? undefined : { ca: readFileSync(caFile, 'utf8') };

function bySentinel(address: string, place: RedisPlace): Redis {
  const { protocol, hostname, username, password } = new URL(address);
  const tls = tlsOf(place) ?? (protocol === 'rediss:' ? {} : undefined);
  return new Redis({
    ...FAIL_FAST,
    name: decodeURIComponent(hostname),
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    sentinels: place.sentinels?.map((sentinel) => ({ ...sentinel })),
    sentinelPassword: place.sentinelPassword,
    // Only the listed ones: those that a Sentinel names are addresses, which no certificate is for.
    updateSentinels: false,
    sentinelRetryStrategy: FAIL_FAST.retryStrategy as (attempt: number) => number,
    ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  });
}

/**
 * A connection that fails fast: Redis holds only limits and caches, so no request waits or queues while it is
 * unavailable.
 */
export function connectRedis(url: string, onError: (error: Error) => void, place: RedisPlace = {}): Redis {
  const tls = tlsOf(place);
  const redis = place.sentinels ? bySentinel(url, place) : new Redis(url, { ...FAIL_FAST, ...(tls && { tls }) });
  redis.on('error', onError);
  return redis;
}
