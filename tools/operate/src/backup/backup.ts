import type { Command } from '../command.ts';
import { databaseAddresses } from './addresses.ts';
import { NewBackup, retain } from './backup-folder.ts';
import { atOnePoint, type View } from './one-point.ts';
import { dump, versionOf } from './postgres-tools.ts';

type Say = (line: string) => void;

const PRIVATE = 0o077;

/** @throws Error for a number that would remove the backup just made */
function keepOf(option: unknown): number | null {
  if (option === undefined) return null;
  const keep = Number(option);
  if (!Number.isInteger(keep) || keep < 1) throw new Error('--keep must be a number of backups, at least 1');
  return keep;
}

async function write(backup: NewBackup, views: readonly View[], env: NodeJS.ProcessEnv): Promise<void> {
  const dumps = views.map(({ name, url, snapshot }) => dump(url, snapshot, backup.fileOf(name), env));
  // All have ended before an error removes their files.
  const failed = (await Promise.allSettled(dumps)).find((ended) => ended.status === 'rejected');
  if (failed) throw failed.reason;
}

async function make(parent: string, env: NodeJS.ProcessEnv, say: Say): Promise<void> {
  const program = await versionOf('pg_dump', env);
  await atOnePoint(databaseAddresses(env), async (views, at) => {
    const backup = NewBackup.begin(parent, at);
    try {
      await write(backup, views, env);
      const { databases } = await backup.finish(at, program);
      for (const [name, { bytes }] of Object.entries(databases)) say(`${name}: ${(bytes / 1e6).toFixed(1)} MB`);
    } catch (error) {
      backup.abandon();
      throw error;
    }
    say(`${backup.path} is whole: all databases as they were at ${at.toISOString()}`);
  });
}

export const backup: Command = {
  name: 'backup',
  does: 'writes all databases, as they are at one point in time, into a new folder below --to; --keep removes the oldest beyond a number. The product goes on. It needs DATABASE_OWNER_URL_<DATABASE>, and pg_dump of the server’s version or later',
  options: { to: { type: 'string' }, keep: { type: 'string' } },
  run: async (_, { to, keep: number }, say, env) => {
    if (typeof to !== 'string') throw new Error('--to is needed: the folder that holds the backups');
    const keep = keepOf(number);
    process.umask(PRIVATE);
    await make(to, env, say);
    if (keep !== null) for (const name of retain(to, keep)) say(`${name} is removed`);
    return 0;
  },
};
