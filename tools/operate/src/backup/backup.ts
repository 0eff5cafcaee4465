import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Command } from '../command.ts';
import { NewBackup, retain } from './backup-folder.ts';
import { atOnePoint, databaseAddresses, type View } from './one-point.ts';

/** The system sees the rows of every tenant; the owner alone, bound by forced row security, would see none. */
const AS_SYSTEM = '-c app.system=on';
const COMPLAINTS = 2_000;

/** A mode of the driver that libpq does not know: TLS without verification. */
const libpqMode = (mode: string): string => (mode === 'no-verify' ? 'require' : mode);

/**
 * The address and environment of PostgreSQL's own programs. The password is not on the command line, which all can
 * read.
 */
function reached(address: string, env: NodeJS.ProcessEnv): { url: string; env: NodeJS.ProcessEnv } {
  const url = new URL(address);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const mode = url.searchParams.get('sslmode');
  if (mode !== null) url.searchParams.set('sslmode', libpqMode(mode));
  // Without a file of its own, libpq would look for one in a home directory; the services trust the public authorities.
  if (mode === 'verify-full' && !url.searchParams.has('sslrootcert')) url.searchParams.set('sslrootcert', 'system');
  return { url: url.href, env: { ...env, PGPASSWORD: password, PGOPTIONS: AS_SYSTEM } };
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  // A directory of one's own choice: with several versions of PostgreSQL on one machine.
  const directory = env['PG_PROGRAMS'];
  return new Promise((resolve, reject) => {
    const child = spawn(directory ? join(directory, program) : program, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [answer, complaints] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (answer += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    child.once('error', (error) => reject(new Error(`${program} cannot be run: ${error.message}`)));
    child.once('close', (code) =>
      code === 0
        ? resolve(answer.trim())
        : reject(new Error(`${program} failed: ${complaints.trim().slice(-COMPLAINTS) || `exit code ${code}`}`)),
    );
  });
}

/** `pg_dump (PostgreSQL) 17.6`. @throws Error when the program is not there */
export const versionOf = (program: 'pg_dump' | 'pg_restore', env: NodeJS.ProcessEnv): Promise<string> =>
  run(program, ['--version'], env);

/** Writes one database as it is in a view to a file. */
async function dump(address: string, snapshot: string, file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { url, env: own } = reached(address, env);
  const options = ['--format=custom', '--no-owner', '--no-password', '--enable-row-security'];
  await run('pg_dump', [...options, `--snapshot=${snapshot}`, `--file=${file}`, `--dbname=${url}`], own);
}

/** Fills one empty database from a file, or leaves it empty. */
export async function fill(address: string, file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { url, env: own } = reached(address, env);
  const options = ['--no-owner', '--no-password', '--exit-on-error', '--single-transaction'];
  await run('pg_restore', [...options, `--dbname=${url}`, file], own);
}

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
