import { Metrics, type Tracing } from '@gatehouse/telemetry';
import { InternalIdentityVerifier } from '@gatehouse/auth';
import { databaseSettings } from '@gatehouse/contracts-core';
import { KeyRing } from '@gatehouse/crypto';
import {
  assertRestrictedRole,
  BACKGROUND_POOL,
  createDataSource,
  type DatabaseDefinition,
  isUnavailable,
  isUntrusted,
  type PoolLimits,
  REQUEST_POOL,
  RequestConnections,
  type SealedColumn,
  SealedSecrets,
  SYSTEM_POOL,
  UnitOfWork,
} from '@gatehouse/database';
import { DeadLetters, EventBus, OutboxRelay } from '@gatehouse/messaging';
import { ConnectionShares, connectRedis, type Limits, limitsFrom, RateLimiter } from '@gatehouse/rate-limit';
import { setTimeout as wait } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { ConfigError } from './config/config.ts';
import type { ServiceConfig } from './config/service.config.ts';
import { databaseAddress, natsAddress, redisAddress } from './config/store-addresses.ts';
import { createLogger, type Logger } from './observability/logging.ts';
import { tracePublishing } from './observability/service-traces.ts';

/**
 * Counts tokens that were refused because the clocks of the issuer and of this service differ. Every such request fails
 * until an operator corrects the clocks.
 */
export const clockFaultsOf = (metrics: Metrics): ReturnType<Metrics['counter']> =>
  metrics.counter('gatehouse_clock_faults_total', 'Tokens refused because clocks differ');

/** The database side of a service that owns a database (or shares its context's). */
export interface Store {
  readonly requests: DataSource;
  readonly background: DataSource;
  readonly system: DataSource;
  readonly work: UnitOfWork;
  readonly relay: OutboxRelay;
  readonly deadLetters: DeadLetters;
  readonly sealed: SealedSecrets;
  /** Connections for code that uses the driver itself. */
  readonly connections: RequestConnections;
}

/** The infrastructure of a service, constructed in one place; nothing is connected until {@link connectPlatform}. */
export interface Platform {
  readonly name: string;
  readonly config: ServiceConfig;
  readonly log: Logger;
  readonly keys: KeyRing;
  readonly bus: EventBus;
  readonly redis: ReturnType<typeof connectRedis>;
  readonly limiter: RateLimiter;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly tracing: Tracing | null;
  readonly identities: InternalIdentityVerifier;
  /** Null where operators have no keys of their own. */
  readonly operators: InternalIdentityVerifier | null;
  readonly store: Store | null;
}

export interface PlatformOptions {
  readonly name: string;
  readonly config: ServiceConfig;
  readonly database: {
    readonly definition: DatabaseDefinition;
    readonly url: string;
    readonly directUrl?: string;
    readonly sealed: readonly SealedColumn[];
  } | null;
  readonly log?: Logger;
  readonly tracing?: Tracing | null;
}

const named = <T>(setting: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(`${setting} is malformed: ${error instanceof Error ? error.message : String(error)}`);
  }
};

function createStore(
  name: string,
  { definition, url: given, directUrl, sealed }: NonNullable<PlatformOptions['database']>,
  parts: Pick<Platform, 'config' | 'keys' | 'bus' | 'log' | 'tracing' | 'limits' | 'metrics'>,
): Store {
  const { lockTimeoutMs, databasePooled: pooled } = parts.config;
  const names = databaseSettings(definition.name);
  const url = databaseAddress(names.app, given, parts.config);
  const direct = directUrl === undefined ? null : databaseAddress(names.direct, directUrl, parts.config);
  const onPoolError = (error: Error): void => parts.log.warn({ err: error }, 'a database connection was lost');
  const sourceOf = (pool: PoolLimits, size: number): DataSource =>
    createDataSource(definition, url, { ...pool, size, lockTimeoutMs, pooled }, onPoolError);
  const requests = sourceOf(REQUEST_POOL, parts.config.databasePoolRequests);
  const background = sourceOf(BACKGROUND_POOL, parts.config.databasePoolBackground);
  const system = sourceOf(SYSTEM_POOL, parts.config.databasePoolSystem);
  const work = new UnitOfWork({
    source: name,
    requests,
    admission: new ConnectionShares(parts.limits, isUnavailable, parts.metrics),
    background,
    system,
    lockTimeoutMs,
    keys: parts.keys,
    tracing: parts.tracing,
  });
  const relay = new OutboxRelay(background, parts.bus, parts.log);
  work.onCommit(() => relay.poke());
  if (parts.tracing) tracePublishing(relay, parts.tracing);
  return {
    requests,
    background,
    system,
    work,
    relay,
    deadLetters: new DeadLetters(name, work),
    sealed: new SealedSecrets(name, work, parts.keys, sealed),
    connections: new RequestConnections(requests, direct),
  };
}

/** @throws ConfigError that names a malformed setting */
export function createPlatform({
  name,
  config,
  database,
  log = createLogger(name, config.logLevel),
  tracing = null,
}: PlatformOptions): Platform {
  const keys = named(config.encryptionKeySetting, () => KeyRing.parse(config.encryptionKeys));
  const bus = new EventBus({ ...natsAddress('NATS_URL', config.natsUrl, config), name, log });
  const metrics = new Metrics(name);
  const clockFaults = clockFaultsOf(metrics);
  const limits = named('RATE_LIMITS', () => limitsFrom(config.rateLimits, config.databasePoolRequests));
  const { url: redisUrl, ...redisPlace } = redisAddress(config.redisUrl, config);
  const onRedisError = (error: Error): void =>
    log[isUntrusted(error) ? 'warn' : 'debug']({ err: error }, 'redis cannot be reached');
  const redis = connectRedis(redisUrl, onRedisError, redisPlace);
  return {
    name,
    config,
    log,
    keys,
    bus,
    redis,
    tracing,
    limiter: new RateLimiter(redis, limits, metrics),
    limits,
    metrics,
    identities: named(
      'INTERNAL_IDENTITY_JWKS',
      () => new InternalIdentityVerifier(name, config.internalIdentityJwks, () => clockFaults.inc()),
    ),
    operators: config.operatorJwks
      ? named(
          'OPERATOR_JWKS',
          () => new InternalIdentityVerifier(name, config.operatorJwks ?? '', () => clockFaults.inc(), 'operator'),
        )
      : null,
    store: database && createStore(name, database, { config, keys, bus, log, tracing, limits, metrics }),
  };
}

/**
 * Connects the database, which requests need, and starts to connect the rest: an unreachable broker or cache does not
 * delay the start of the service.
 */
export async function connectPlatform({ store, bus, redis, log }: Platform): Promise<void> {
  bus.start();
  void redis.connect().catch(() => undefined);
  if (!store) return;
  for (const source of [store.requests, store.background, store.system])
    // The provisioning of the database may still be running, so any error may pass.
    if (!source.isInitialized)
      await untilAvailable(
        log,
        () => source.initialize(),
        () => true,
      );
  await untilAvailable(log, () => assertRestrictedRole(store.requests));
  store.relay.start();
}

/** Publishes the rest of the outbox, then closes all connections. */
export async function disconnectPlatform({ store, bus, redis, tracing }: Platform): Promise<void> {
  await store?.relay.stop();
  await bus.close();
  redis.disconnect();
  for (const source of store ? [store.requests, store.background, store.system] : [])
    if (source.isInitialized) await source.destroy();
  await tracing?.close();
}

const TRIES = 60;
const PAUSE_MS = 1_000;

/**
 * Takes a step of the start, and repeats it for a minute while the database cannot serve it: the server restarts, or
 * another replica that starts holds a lock. A start that failed at once would only be repeated from its beginning.
 * @param isPassing whether the error may pass by itself
 * @throws the step's last error
 */
export async function untilAvailable<T>(
  log: Logger,
  step: () => Promise<T>,
  isPassing: (error: unknown) => boolean = isUnavailable,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (attempt === TRIES || !isPassing(error)) throw error;
      if (attempt === 1) log.warn({ err: error }, 'the database cannot serve the start yet; trying again');
      await wait(PAUSE_MS);
    }
  }
}
