import pg from 'pg';

/** Less than the two seconds that a request waits for a lock: it waits behind this one while an import commits. */
const LOCK_TIMEOUT = '500ms';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Tables whose rows forced row security would hide even from the system. Without a policy that asks `app_is_system()`,
 * a dump by the owner would leave their rows out without a word.
 */
const HIDDEN = `
  SELECT c.relname AS table FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relrowsecurity AND c.relforcerowsecurity
     AND NOT EXISTS (
       SELECT FROM pg_policy p
        WHERE p.polrelid = c.oid AND p.polpermissive AND p.polcmd IN ('*', 'r')
          AND pg_get_expr(p.polqual, p.polrelid) LIKE '%app_is_system()%')
   ORDER BY 1`;

/** Whether the error says that another transaction had the outbox for too long. */
export const isLocked = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;

/** Two connections to one database: one holds the outbox for a moment, the other keeps a view of the rows. */
export class Cut {
  private constructor(
    private readonly holder: pg.Client,
    private readonly viewer: pg.Client,
  ) {}

  static async open(url: string): Promise<Cut> {
    const [holder, viewer] = await Promise.all([connect(url), connect(url)]);
    return new Cut(holder, viewer);
  }

  /** @returns the tables of which a dump would hold no rows */
  async hiddenTables(): Promise<string[]> {
    const { rows } = await this.viewer.query<{ table: string }>(HIDDEN);
    return rows.map(({ table }) => table);
  }

  /**
   * From here until `letGo` no transaction with an event commits in this database.
   * @throws DatabaseError `isLocked`
   */
  async hold(): Promise<void> {
    await this.holder.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'; LOCK TABLE outbox IN SHARE MODE`);
  }

  async letGo(): Promise<void> {
    await this.holder.query('ROLLBACK');
  }

  /** @returns the name under which a dump sees the rows as they are now, until `close` */
  async view(): Promise<string> {
    await this.viewer.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await this.viewer.query<{ name: string }>('SELECT pg_export_snapshot() AS name');
    return rows[0]?.name ?? '';
  }

  async close(): Promise<void> {
    await Promise.all([this.holder.end(), this.viewer.end()]);
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'gatehouse backup' });
  // A broken connection fails the query or the dump that needs it.
  client.on('error', () => undefined);
  await client.connect();
  // The view lasts as long as the dump.
  await client.query('SET idle_in_transaction_session_timeout = 0');
  return client;
}
