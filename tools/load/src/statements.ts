import { connected, type RunningProduct, withDatabase } from '@gatehouse/stack';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOGGING = {
  log_line_prefix: "'%p|%d|'",
  log_statement: "'all'",
  log_parameter_max_length: '0',
  log_duration: "'off'",
};
const RELOAD_MS = 400;
const IDLE_MS = 3_000;
const ENTRY = /^(\d+)\|(\w+)\|LOG: {2}(?:execute [^:]*|statement): ([\s\S]*)$/;
const OPENS = /^(BEGIN|START)/;
const CLOSES = /^(COMMIT|ROLLBACK)/;
/** Statements of the relay and the consumers, which run before or after a request. */
const BACKGROUND =
  /\binbox\b|FROM outbox|UPDATE outbox|FROM device_count_deltas RETURNING|FROM device_counts WHERE count = 0/;

/** The superuser's address of a service's database. */
export const adminUrl = (product: RunningProduct, database: string): string =>
  withDatabase(product.endpoints.backing.postgres, `gatehouse_${database}`);

async function setLogging(product: RunningProduct, on: boolean): Promise<void> {
  await connected(product.endpoints.backing.postgres, async (client) => {
    for (const [name, value] of Object.entries(LOGGING))
      await client.query(on ? `ALTER SYSTEM SET ${name} = ${value}` : `ALTER SYSTEM RESET ${name}`);
    await client.query('SELECT pg_reload_conf()');
  });
  await pause(RELOAD_MS);
}

interface Logged {
  readonly backend: string;
  readonly statement: string;
}

function entriesIn(log: string, database: string): Logged[] {
  const entries = log
    .split(/\n(?=\d+\|)/)
    .map((text) => ENTRY.exec(text.trimEnd()))
    .filter((entry) => entry?.[2] === `gatehouse_${database}`);
  return entries.map((entry) => ({
    backend: entry?.[1] ?? '',
    statement: (entry?.[3] ?? '').replace(/\s+/g, ' ').trim(),
  }));
}

/**
 * The statements of one database by transaction: what a backend does from BEGIN to COMMIT, or a statement that stands
 * by itself.
 */
function transactionsIn(log: string, database: string): string[][] {
  const open = new Map<string, string[]>();
  const all: string[][] = [];
  for (const { backend, statement } of entriesIn(log, database)) {
    if (OPENS.test(statement)) open.set(backend, []);
    else if (CLOSES.test(statement)) open.delete(backend);
    else add(statement, open.get(backend), all);
  }
  return all;
}

function add(statement: string, transaction: string[] | undefined, all: string[][]): void {
  if (!transaction || transaction.length === 0) all.push(transaction ?? [statement]);
  transaction?.push(statement);
}

/** The statements that requests to a database made, without BEGIN (which also sets the tenant context) and COMMIT. */
export interface Counted {
  readonly statements: readonly string[];
  readonly transactions: number;
}

/**
 * Counts the statements of a database from the server's log, without an extension. Statements of the relay, the
 * consumers and periodic tasks are left out. No latency is measured at the same time, because logging costs time.
 */
export class StatementLog {
  private constructor(
    private readonly product: RunningProduct,
    private readonly database: string,
    private readonly sweeps: ReadonlySet<string>,
  ) {}

  /** First records the statements that the service runs without requests. */
  static async open(product: RunningProduct, database: string): Promise<StatementLog> {
    const blank = new StatementLog(product, database, new Set());
    return new StatementLog(product, database, new Set((await blank.transactions(() => pause(IDLE_MS))).flat()));
  }

  async during(work: () => Promise<unknown>): Promise<Counted> {
    const transactions = (await this.transactions(work)).filter(
      (statements) => !statements.some((statement) => BACKGROUND.test(statement) || this.sweeps.has(statement)),
    );
    return { statements: transactions.flat(), transactions: transactions.length };
  }

  private async transactions(work: () => Promise<unknown>): Promise<string[][]> {
    const file = join(this.product.directory, 'logs', 'postgres.log');
    await setLogging(this.product, true);
    const from = statSync(file).size;
    try {
      await work();
      await pause(RELOAD_MS);
    } finally {
      await setLogging(this.product, false);
    }
    return transactionsIn(readFileSync(file).subarray(from).toString('utf8'), this.database);
  }
}
