import { databaseSettings, DATABASES } from '@gatehouse/contracts-core';
import {
  type Backing,
  migrateDatabase,
  provisionDatabase,
  startBacking,
  underDatabaseLock,
  URL_SETTINGS,
} from '@gatehouse/stack';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testDirectory, testServers } from './backing.ts';
import { ordinaryAdministrator } from './pooler/ordinary-administrator.ts';

const execute = promisify(execFile);
const SILENT = { log: () => undefined };

/** Settings that name servers, databases or programs other than those of the template. */
const OTHERS = [
  URL_SETTINGS.postgres,
  'GATEHOUSE_TEST_POSTGRES',
  ...DATABASES.map((name) => databaseSettings(name).app),
];

/** Lets this build migrate its databases in a new cluster, and stops the server with its data in place. */
async function makeTemplate(directory: string): Promise<void> {
  const { postgres } = await startBacking({ directory, ephemeral: true, only: ['postgres'], ...SILENT });
  try {
    const administrator = await ordinaryAdministrator(postgres.url);
    await Promise.all(
      DATABASES.map(async (name) => {
        const { appUrl, ownerUrl } = await provisionDatabase(administrator, name);
        await migrateDatabase(name, { app: appUrl, owner: ownerUrl });
      }),
    );
  } finally {
    await postgres.stop();
  }
}

/** The directory of a stopped cluster with the databases of this build: made once per run of jest. */
function template(): Promise<string> {
  const made = join(testDirectory(), 'template');
  return underDatabaseLock(testServers().postgresAdminUrl, 'template of a cluster', async () => {
    if (existsSync(made)) return made;
    const draft = `${made}-draft`;
    await makeTemplate(draft);
    renameSync(draft, made);
    return made;
  });
}

/**
 * Servers of their own with the databases of this build, migrated: PostgreSQL gets a copy of a cluster that has been
 * migrated once, and the product that starts on it finds nothing to migrate.
 */
export async function startMigratedBacking(directory: string): Promise<Backing> {
  if (!OTHERS.some((name) => process.env[name])) {
    const from = await template();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Not `cp` of node: it would not keep the owner of the files.
    for (const name of ['postgres', 'credentials.json']) await execute('cp', ['-Rp', join(from, name), directory]);
  }
  return startBacking({ directory, ephemeral: true, ...SILENT });
}
