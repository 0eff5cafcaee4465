import { SERVICES, settingOf } from '@gatehouse/contracts-core';
import { connected, credentialsOf } from '@gatehouse/stack';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { RATE_LIMITS, type World } from '../world.ts';

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

/** The settings with which the product starts again: the keys of the former installation, and its address. */
export function settingsLike({ product }: World): Record<string, string> {
  const { sealingKeys } = credentialsOf(product.directory);
  const keys = SERVICES.map(({ name, database = name }) => [
    `${settingOf(name)}__SECRET_ENCRYPTION_KEY`,
    sealingKeys[database] ?? '',
  ]);
  return {
    DRAIN_DELAY_SECONDS: '0',
    RATE_LIMITS,
    PUBLIC_URL: product.baseUrl,
    ...(Object.fromEntries(keys) as Record<string, string>),
  };
}
