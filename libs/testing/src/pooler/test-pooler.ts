import { freePort } from '@gatehouse/stack';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The setting that names the program of PgBouncer (1.21 or later); without it nothing goes through a pooler. */
export const POOLER_PROGRAM = 'GATEHOUSE_TEST_PGBOUNCER';

const READY_MS = 5_000;
const POLL_MS = 50;
/** Fewer than the connections of one service, so that transactions of one client meet the sessions of others. */
const FEW_SESSIONS = 8;

interface Configuration {
  readonly server: URL;
  readonly port: number;
  readonly directory: string;
  readonly sessions: number;
}

const configuration = ({ server, port, directory, sessions }: Configuration): string => `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
max_prepared_statements = 300
max_client_conn = 1000
default_pool_size = ${sessions}
application_name_add_host = 1
server_tls_sslmode = disable
server_login_retry = 1
auth_type = scram-sha-256
auth_file = ${join(directory, 'logins')}
auth_user = ${decodeURIComponent(server.username)}
auth_dbname = postgres
auth_query = SELECT usename, passwd FROM pg_shadow WHERE usename = $1
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`;

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.destroy(void resolve(true)));
    socket.once('error', () => resolve(false));
  });

/** The same database and login at another server. */
export function atAddress(url: string, server: string): string {
  const changed = new URL(url);
  changed.host = new URL(server).host;
  return changed.href;
}

/** PgBouncer in transaction mode before a server. */
export class TestPooler {
  private constructor(
    private readonly port: number,
    private readonly child: ChildProcess,
    private readonly directory: string,
  ) {}

  /**
   * @param adminUrl of the server, with the login of a superuser, who reads the passwords of the others
   * @param sessions at the server, for each database
   */
  static async before(adminUrl: string, program: string, sessions = FEW_SESSIONS): Promise<TestPooler> {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-test-pooler-'));
    chmodSync(directory, 0o755);
    const server = new URL(adminUrl);
    const port = await freePort();
    writeFileSync(
      join(directory, 'logins'),
      `"${decodeURIComponent(server.username)}" "${decodeURIComponent(server.password)}"\n`,
    );
    writeFileSync(join(directory, 'pgbouncer.ini'), configuration({ server, port, directory, sessions }));
    const child = spawn(program, ['-q', join(directory, 'pgbouncer.ini')], { stdio: 'inherit' });
    const pooler = new TestPooler(port, child, directory);
    for (const deadline = Date.now() + READY_MS; !(await answers(port)); await wait(POLL_MS))
      if (Date.now() > deadline || child.exitCode !== null) throw new Error(`${program} does not answer`);
    return pooler;
  }

  get url(): string {
    return `postgres://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    if (this.child.exitCode === null && this.child.kill('SIGINT')) await ended;
    rmSync(this.directory, { recursive: true, force: true });
  }
}
