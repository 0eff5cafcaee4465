import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBacking, sweepAbandoned } from '@gatehouse/stack';
import { keepBacking, type Kept, TEST_SETTINGS } from './backing.ts';
import { POOLER_PROGRAM, TestPooler } from './pooler/test-pooler.ts';
import stopTestBacking from './global-teardown.ts';

const PREFIX = 'gatehouse-test-';

/** One PostgreSQL, NATS and Redis for the whole run, in a fresh directory that goes away with it. */
export default async function startTestBacking(): Promise<Kept> {
  await sweepAbandoned(tmpdir(), PREFIX);
  const directory = mkdtempSync(join(tmpdir(), PREFIX));
  const backing = await startBacking({
    directory,
    ephemeral: true,
    log: (line) => process.stderr.write(`tests: ${line}\n`),
  });
  process.env[TEST_SETTINGS.postgres] = backing.postgres.url;
  process.env[TEST_SETTINGS.nats] = backing.nats.url;
  process.env[TEST_SETTINGS.redis] = backing.redis.url;
  process.env[TEST_SETTINGS.directory] = directory;
  process.env[TEST_SETTINGS.run] = randomBytes(4).toString('hex');
  const program = process.env[POOLER_PROGRAM];
  const pooler = program ? await TestPooler.before(backing.postgres.url, program) : null;
  if (pooler) process.env[TEST_SETTINGS.pooler] = pooler.url;
  const kept = keepBacking({ backing, directory, pooler, guests: [] });
  // Jest runs no teardown when a run is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stopTestBacking().finally(() => process.exit(1)));
  return kept;
}
