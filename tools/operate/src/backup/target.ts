import pg from 'pg';

const RELATIONS = `
  SELECT count(*)::int AS count FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')`;

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gatehouse restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether a database has no tables at all. */
export const isEmpty = (url: string): Promise<boolean> =>
  connected(url, async (client) => (await client.query<{ count: number }>(RELATIONS)).rows[0]?.count === 0);

/** Gives the planner the statistics that a dump does not hold. */
export const analyze = (url: string): Promise<unknown> => connected(url, (client) => client.query('ANALYZE'));
