import { debianProgram } from '@gatehouse/stack';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGES = ['postgresql-15', 'libpq5'];

export interface PgbenchRun {
  readonly url: string;
  /** One statement of pgbench's script language. */
  readonly script: string;
  readonly clients: number;
  readonly seconds: number;
}

interface Installed {
  readonly program: string;
  readonly libraries: string | undefined;
}

async function find(log: (line: string) => void): Promise<Installed> {
  const onPath = await run('which', ['pgbench']).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  if (onPath) return { program: onPath, libraries: undefined };
  const unpacked = await debianProgram(
    {
      name: 'pgbench',
      packages: PACKAGES,
      programs: ['usr/lib/postgresql/15/bin/pgbench', 'usr/lib/postgresql/17/bin/pgbench'],
    },
    log,
  );
  if (!unpacked) throw new Error("pgbench is needed for the comparison: install PostgreSQL's client programs");
  return unpacked;
}

/**
 * Transactions a second of PostgreSQL's own load generator with prepared statements: the bar that the product is
 * measured against.
 */
export async function pgbench(
  { url, script, clients, seconds }: PgbenchRun,
  log: (line: string) => void,
): Promise<number> {
  const { program, libraries } = await find(log);
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-pgbench-'));
  try {
    const file = join(directory, 'script.sql');
    writeFileSync(file, `${script}\n`);
    const env = { ...process.env, ...(libraries && { LD_LIBRARY_PATH: libraries }) };
    const { stdout } = await run(
      program,
      ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', file, url],
      { env },
    );
    const tps = /tps = ([\d.]+)/.exec(stdout)?.[1];
    if (!tps) throw new Error(`pgbench did not say how fast it was:\n${stdout}`);
    return Number(tps);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
