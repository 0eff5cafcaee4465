import { randomBytes } from 'node:crypto';
import {
  type Backing,
  cloneDatabase,
  databasesMatching,
  dropDatabase,
  provisionDatabase,
  type ServiceDatabase,
  underDatabaseLock,
  withDatabase,
} from '@gatehouse/stack';
import { databaseSettings } from '@gatehouse/contracts-core';
import { atAddress, type TestPooler } from './pooler/test-pooler.ts';

/** The environment variables with which the global set-up passes the servers' addresses to the tests. */
export const TEST_SETTINGS = {
  postgres: 'GATEHOUSE_TEST_PG_ADMIN_URL',
  nats: 'GATEHOUSE_TEST_NATS_URL',
  redis: 'GATEHOUSE_TEST_REDIS_URL',
  pooler: 'GATEHOUSE_TEST_POOLER_URL',
  run: 'GATEHOUSE_TEST_RUN',
  directory: 'GATEHOUSE_TEST_DIRECTORY',
} as const;

export interface Kept {
  readonly backing: Backing;
  readonly directory: string;
  readonly pooler: TestPooler | null;
  /** End what uses the servers, before they stop. */
  readonly guests: (() => Promise<unknown>)[];
}

const KEPT = Symbol.for('gatehouse.test-backing');
const place = globalThis as { [KEPT]?: Kept };

export function keepBacking(kept: Kept): Kept {
  place[KEPT] = kept;
  return kept;
}

export const keptBacking = (): Kept | undefined => place[KEPT];

function setting(name: keyof typeof TEST_SETTINGS): string {
  const value = process.env[TEST_SETTINGS[name]];
  if (!value)
    throw new Error(
      `${TEST_SETTINGS[name]} is not set: name the test *.int-spec.ts, *.api-spec.ts or *.e2e-spec.ts and run it with node tools/jest.mjs`,
    );
  return value;
}

/** The addresses of the servers of this test run. */
export const testServers = () => ({
  postgresAdminUrl: setting('postgres'),
  natsUrl: setting('nats'),
  redisUrl: setting('redis'),
});

/** The directory of this test run, which goes away with it. */
export const testDirectory = (): string => setting('directory');

/**
 * The settings with which a service uses its database: through the pooler of this test run, if it has one.
 * @param database as its settings are named
 */
export function databaseEnvironment(database: string, { appUrl }: ServiceDatabase): Record<string, string> {
  const names = databaseSettings(database);
  const pooler = process.env[TEST_SETTINGS.pooler];
  if (!pooler) return { [names.app]: appUrl };
  return { [names.app]: atAddress(appUrl, pooler), [names.direct]: appUrl, DATABASE_POOLED: 'true' };
}

const runSuffix = (): string => `_run${setting('run')}`;

/** A database that only one suite uses. */
export interface TestDatabase extends ServiceDatabase {
  drop(): Promise<void>;
}

/**
 * Creates a database of `service` with its schema: migrated once per run and service, then copied, which takes a
 * fraction of a second. `migrate` must leave no connection open.
 */
export function testDatabase(
  service: string,
  migrate: (database: ServiceDatabase) => Promise<unknown>,
): Promise<TestDatabase> {
  const adminUrl = setting('postgres');
  // Suites in other workers need the same template, and a database cannot be copied during its migration.
  return underDatabaseLock(adminUrl, `template of ${service}`, async () => {
    const template = await migratedTemplate(adminUrl, service, migrate);
    const database = `${template.database}_${randomBytes(4).toString('hex')}`;
    await cloneDatabase(adminUrl, template.database, database);
    return {
      database,
      ownerUrl: withDatabase(template.ownerUrl, database),
      appUrl: withDatabase(template.appUrl, database),
      drop: () => dropDatabase(adminUrl, database),
    };
  });
}

const migrated = new Map<string, ServiceDatabase>();

async function migratedTemplate(
  adminUrl: string,
  service: string,
  migrate: (database: ServiceDatabase) => Promise<unknown>,
): Promise<ServiceDatabase> {
  const known = migrated.get(service);
  if (known !== undefined) return known;
  const template = await provisionDatabase(adminUrl, service, runSuffix());
  await migrate(template);
  migrated.set(service, template);
  return template;
}

/** Drops the databases that this run has created, for a server that outlives the run. */
export async function dropRunDatabases(): Promise<void> {
  const adminUrl = setting('postgres');
  for (const database of await databasesMatching(adminUrl, `gatehouse\\_%${runSuffix().replace('_', '\\_')}%`))
    await dropDatabase(adminUrl, database);
}
