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

/** How the set-up of a run tells its tests where the servers are. */
export const TEST_SETTINGS = {
  postgres: 'GATEHOUSE_TEST_PG_ADMIN_URL',
  nats: 'GATEHOUSE_TEST_NATS_URL',
  redis: 'GATEHOUSE_TEST_REDIS_URL',
  run: 'GATEHOUSE_TEST_RUN',
} as const;

interface Kept {
  readonly backing: Backing;
  readonly directory: string;
}

const KEPT = Symbol.for('gatehouse.test-backing');
const place = globalThis as { [KEPT]?: Kept };

export function keepBacking(kept: Kept): void {
  place[KEPT] = kept;
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

/** Where the servers of this test run are. */
export const testServers = () => ({
  postgresAdminUrl: setting('postgres'),
  natsUrl: setting('nats'),
  redisUrl: setting('redis'),
});

const runSuffix = (): string => `_run${setting('run')}`;

/** A database that one suite has to itself. */
export interface TestDatabase extends ServiceDatabase {
  drop(): Promise<void>;
}

/**
 * A database of `service` with its schema in place: migrated once per run and service, then copied, which takes a
 * fraction of a second.
 * `migrate` must leave no connection open.
 */
export function testDatabase(
  service: string,
  migrate: (database: ServiceDatabase) => Promise<unknown>,
): Promise<TestDatabase> {
  const adminUrl = setting('postgres');
  // Suites in other workers want the same template; one that is being migrated cannot be copied.
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

/** Removes what this run has created; matters on a server that outlives it. */
export async function dropRunDatabases(): Promise<void> {
  const adminUrl = setting('postgres');
  for (const database of await databasesMatching(adminUrl, `gatehouse\\_%${runSuffix().replace('_', '\\_')}%`))
    await dropDatabase(adminUrl, database);
}
