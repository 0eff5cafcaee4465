import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres, type PostgresBinaries } from '../binaries/postgres-binaries.ts';
import { run } from '../binaries/run.ts';
import { lastingPort } from '../ports.ts';
import { canReach, reachableStandIn, type ServerAccount, serverAccount } from '../unprivileged.ts';
import type { OwnPartPlan } from './own-part.ts';
import { certificateFiles } from './nats.ts';
import type { PartSettings, ServerCertificate } from './running-part.ts';
import { writeWhole } from '../paths.ts';

const SUPERUSER = 'postgres';
const LOGIN_TIMEOUT_MS = 5_000;
const BUILTIN_LOCALE_SINCE = 17;
/** Without a locale in the environment (a terminal of macOS), the server there becomes multithreaded and ends. */
const LOCALE = { LC_ALL: 'C' };

/** The directory of the data, or another one if the account that runs the server cannot reach it. */
function homeOf(directory: string, account: ServerAccount | undefined): string {
  if (account === undefined) return join(directory, 'postgres');
  chmodSync(directory, 0o711);
  if (canReach(directory, account)) return join(directory, 'postgres');
  const standIn = reachableStandIn(directory);
  mkdirSync(standIn, { recursive: true, mode: 0o711 });
  return join(standIn, 'postgres');
}

/** A new cluster: UTF-8, passwords by SCRAM only, the same collation on every system. */
async function createCluster(
  binaries: PostgresBinaries,
  data: string,
  password: string,
  account: ServerAccount | undefined,
): Promise<void> {
  const passwordFile = join(data, '..', 'initial-password');
  writeWhole(passwordFile, password);
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  const collation =
    binaries.major >= BUILTIN_LOCALE_SINCE
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C'];
  const args = [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...collation,
    '--no-sync',
  ];
  try {
    await run(join(binaries.directory, 'initdb'), args, { ...account, cwd: '/', env: { ...process.env, ...LOCALE } });
  } catch (error) {
    // An incomplete cluster would be taken for a complete one at the next start.
    rmSync(data, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile);
  }
}

async function login(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LOGIN_TIMEOUT_MS });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT 1');
  } finally {
    await client.end();
  }
}

function settings(port: number, ephemeral: boolean, files?: ServerCertificate): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    // A commit that needs a new log segment waits until 16 MB are written; a recycled segment needs no wait.
    min_wal_size: '512MB',
    fsync: ephemeral ? 'off' : 'on',
    full_page_writes: ephemeral ? 'off' : 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(files && { ssl: 'on', ssl_cert_file: files.certificate, ssl_key_file: files.key }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

export async function planPostgres(
  { directory, ephemeral, log, tls }: PartSettings,
  password: string,
): Promise<OwnPartPlan & { home: string }> {
  const account = serverAccount();
  const home = homeOf(directory, account);
  const data = join(home, 'data');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (account !== undefined) chownSync(home, account.uid, account.gid);
  const versionFile = join(data, 'PG_VERSION');
  const made = existsSync(versionFile) ? Number(readFileSync(versionFile, 'utf8')) : undefined;
  const binaries = await findPostgres(account, made);
  if (made === undefined) {
    log(`creating a PostgreSQL ${binaries.major} cluster`);
    await createCluster(binaries, data, password, account);
  }
  const port = await lastingPort(directory, 'postgres');
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  return {
    name: 'postgres',
    home,
    url,
    program: join(binaries.directory, 'postgres'),
    args: ['-D', data, ...settings(port, ephemeral, tls && certificateFiles(home, tls, account))],
    cwd: '/',
    env: LOCALE,
    account,
    // Fast shutdown: sessions are ended, nothing committed is lost.
    stopSignal: 'SIGINT',
    answers: () => login(url),
  };
}
