import { connected } from '@gatehouse/stack';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const TABLES = `
  SELECT oid::regclass::text AS name FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`;
const digestOf = (table: string): string =>
  `SELECT count(*)::int AS rows, md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS digest
    FROM ${table} t`;

/** The rows of every table: how many, and a digest over them. The caller must not be bound by row security. */
export const contentOf = (url: string): Promise<Record<string, { rows: number; digest: string }>> =>
  connected(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    const content: Record<string, { rows: number; digest: string }> = {};
    for (const { name } of tables)
      content[name] = (await client.query<{ rows: number; digest: string }>(digestOf(name))).rows[0]!;
    return content;
  });

/** Tables, policies, functions, triggers and grants, as SQL. */
export const shapeOf = (url: string, programs: string): string[] =>
  execFileSync(join(programs, 'pg_dump'), ['--schema-only', `--dbname=${url}`], { encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .filter((line) => line !== '' && !/^(--|\\(un)?restrict )/.test(line));
