import { brokerSettings, connected, startBacking, startProduct } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepFacts } from './world.ts';

/** High limits, because tests act faster than people. */
const RATE_LIMITS =
  'signInByClient=1000/300,signInByAccount=1000/300,mfa=1000/300,agentReport=1000/1,ssoStart=1000/300,' +
  'discovery=1000/300,loginContext=1000/60';

/** An administrator as managed servers give out: it may make roles and databases, and is no superuser. */
async function managedAdministrator(superuserUrl: string): Promise<string> {
  const url = new URL(superuserUrl);
  [url.username, url.password] = ['managed', randomUUID()];
  await connected(superuserUrl, (client) =>
    client.query(`CREATE ROLE managed LOGIN CREATEROLE CREATEDB PASSWORD '${url.password}'`),
  );
  return url.href;
}

/** Starts the product once for all journeys. @returns what ends it */
export default async function startWorld(): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-world-'));
  const backing = await startBacking({ directory, ephemeral: true, log: () => undefined });
  const product = await startProduct({
    DATABASE_ADMIN_URL:
      process.env['GATEHOUSE_JOURNEYS_POSTGRES'] ?? (await managedAdministrator(backing.postgres.url)),
    NATS_URL: backing.nats.url,
    ...brokerSettings(backing.nats.url),
    REDIS_URL: backing.redis.url,
    RATE_LIMITS,
    DEMO: process.env['GATEHOUSE_JOURNEYS_DEMO'] ?? 'false',
  });
  keepFacts({
    baseUrl: product.baseUrl,
    mailDirectory: join(product.directory, 'mail'),
    administrator: product.administrator,
  });
  return async () => {
    await product.stop();
    await backing.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
