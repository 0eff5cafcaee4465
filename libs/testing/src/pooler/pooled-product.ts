import { databaseSettings, settingOf, UPSTREAMS } from '@gatehouse/contracts-core';
import { provisionDatabase } from '@gatehouse/stack';
import { ordinaryAdministrator } from './ordinary-administrator.ts';
import { atAddress, POOLER_PROGRAM, TestPooler } from './test-pooler.ts';

/** What operators are told to give each database. */
const SESSIONS = 20;

/** The settings that lead each service of the product through a pooler, and the end of the pooler. */
export interface PooledProduct {
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** A pooler before the server, if GATEHOUSE_TEST_PGBOUNCER names its program. */
export async function poolProduct(adminUrl: string): Promise<PooledProduct> {
  const program = process.env[POOLER_PROGRAM];
  if (!program) return { settings: {}, stop: () => Promise.resolve() };
  const pooler = await TestPooler.before(adminUrl, program, SESSIONS);
  const administrator = await ordinaryAdministrator(adminUrl);
  const settings: Record<string, string> = { DATABASE_POOLED: 'true' };
  for (const { name, database } of UPSTREAMS) {
    const { appUrl } = await provisionDatabase(administrator, database);
    const { app, direct } = databaseSettings(database);
    settings[`${settingOf(name)}__${app}`] = atAddress(appUrl, pooler.url);
    settings[`${settingOf(name)}__${direct}`] = appUrl;
  }
  return { settings, stop: () => pooler.stop() };
}
