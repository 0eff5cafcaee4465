import pg from 'pg';
import {
  DataSource,
  DefaultNamingStrategy,
  type EntityTarget,
  type MigrationInterface,
  type NamingStrategyInterface,
} from 'typeorm';
import { driverReporting, rememberPool } from './connection-pools.ts';
import { GatheringSocket } from './gathering-socket.ts';
import { PLATFORM_ENTITIES } from './platform.entities.ts';
import { carryPerTransaction, type Settings } from './transaction-settings.ts';

const camelNames = new Map<string, string>();

/** Cached, because every row of every result needs it and there are few column names. */
export function toCamel(name: string): string {
  const known = camelNames.get(name);
  if (known !== undefined) return known;
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  camelNames.set(name, camel);
  return camel;
}
export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Maps camelCase properties of entities to snake_case columns, so that entities need no explicit names. */
export class SnakeCaseNaming extends DefaultNamingStrategy implements NamingStrategyInterface {
  override tableName(className: string, customName: string | undefined): string {
    return customName ?? toSnake(className).replace(/^_/, '');
  }

  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return [...prefixes, customName ?? toSnake(propertyName)].join('_');
  }
}

// bigint counts fit a JavaScript number for every table this product can hold; text would leak into JSON answers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type MigrationClass = new () => MigrationInterface;

/** The schema of one service: what its entities and migrations are. Shared by the service and its migration command. */
export interface DatabaseDefinition {
  /** The service that owns the database; `DATABASE_URL_<NAME>` in upper case holds its address. */
  readonly name: string;
  /** The entities of its own tables, besides those of the platform. */
  readonly entities: readonly EntityTarget<object>[];
  readonly migrations: readonly MigrationClass[];
}

export interface PoolLimits {
  readonly size: number;
  /** How long a request waits for a connection before it is answered 503, in milliseconds. */
  readonly waitMs: number;
  /** 0: as long as it takes. */
  readonly statementTimeoutMs: number;
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs: number;
  /** Sets the system's context for the whole session: for autocommit statements, which have no BEGIN to set one. */
  readonly asSystem?: boolean;
  /** A pooler in transaction mode shares the session, so each transaction carries its own settings. */
  readonly pooled?: boolean;
}

const LOCK_TIMEOUT_MS = 2_000;

export const REQUEST_POOL: PoolLimits = {
  size: 10,
  waitMs: 2_000,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: LOCK_TIMEOUT_MS,
};
/** Relay, consumers, sweeps and health have connections of their own, so a flood of requests cannot starve them. */
export const BACKGROUND_POOL: PoolLimits = {
  size: 4,
  waitMs: 5_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: LOCK_TIMEOUT_MS,
};
/** Serves the single statements that the service itself runs for a request, mainly for sign-in and refresh. */
export const SYSTEM_POOL: PoolLimits = { ...REQUEST_POOL, size: 6, asSystem: true };

/**
 * How much longer than the server's own timeout the client waits for a statement. After that the server is considered
 * gone, although the connection seems open.
 */
const SILENCE_MS = 2_000;
const IDLE_IN_TRANSACTION_MS = 15_000;

const settingsOf = ({ statementTimeoutMs, lockTimeoutMs, asSystem = false }: PoolLimits): Settings => ({
  statement_timeout: String(statementTimeoutMs),
  lock_timeout: String(lockTimeoutMs),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
  timezone: 'UTC',
  ...(asSystem && { 'app.system': 'on' }),
});

const sessionOptions = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** A TypeORM data source over `pg`; nothing is synchronised, migrations alone shape the schema. */
export function createDataSource(
  definition: DatabaseDefinition,
  url: string,
  pool: PoolLimits,
  onPoolError: (error: Error) => void,
): DataSource {
  const settings = settingsOf(pool);
  const source: DataSource = new DataSource({
    type: 'postgres',
    driver: driverReporting((created) => rememberPool(source, created)),
    url,
    entities: [...PLATFORM_ENTITIES, ...definition.entities] as Exclude<
      EntityTarget<object>,
      { type: unknown; name: string }
    >[],
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    logging: false,
    poolErrorHandler: onPoolError,
    connectTimeoutMS: pool.waitMs,
    extra: {
      max: pool.size,
      ...(!pool.pooled && { options: sessionOptions(settings) }),
      query_timeout: pool.statementTimeoutMs && pool.statementTimeoutMs + SILENCE_MS,
      keepAlive: true,
      idleTimeoutMillis: 60_000,
      pipeline: true,
      stream: () => new GatheringSocket(),
    },
  });
  if (pool.pooled) carryPerTransaction(source, settings);
  return source;
}
