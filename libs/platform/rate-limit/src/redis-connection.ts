import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';

const COMMAND_TIMEOUT_MS = 100;

/**
 * A connection that fails fast: Redis holds only limits and caches, so no request waits or queues while it is
 * unavailable.
 * @param caFile the authority that must have signed the server's certificate; turns TLS on, as `rediss://` does
 */
export function connectRedis(url: string, onError: (error: Error) => void, caFile?: string): Redis {
  const redis = new Redis(url, {
    ...(caFile !== undefined && { tls: { ca: readFileSync(caFile, 'utf8') } }),
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    lazyConnect: true,
    enableAutoPipelining: true,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  });
  redis.on('error', onError);
  return redis;
}
