import { DATABASES } from '@gatehouse/contracts-core';
import { Redis } from 'ioredis';
import { connect } from 'nats';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type World } from '../world.ts';
import { readLog } from './log-reader.ts';
import type { Stage } from './stage.ts';

const TABLES = `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relkind = 'r'
  AND c.relnamespace = 'public'::regnamespace`;

async function rowsOf(world: World, database: string): Promise<string> {
  const tables = await sql<{ name: string }>(world, database, TABLES);
  const texts = await Promise.all(
    tables.map(({ name }) =>
      sql<{ text: string | null }>(world, database, `SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`),
    ),
  );
  return texts
    .flat()
    .map(({ text }) => text ?? '')
    .join('\n');
}

async function streams(world: World): Promise<string> {
  const { username, password, host } = new URL(world.backing.nats.url);
  const connection = await connect({
    servers: host,
    user: decodeURIComponent(username) || undefined,
    pass: decodeURIComponent(password) || undefined,
  });
  try {
    const manager = await connection.jetstreamManager();
    const texts: string[] = [];
    for await (const { config, state } of manager.streams.list()) {
      const sequences = Array.from({ length: state.messages }, (_, at) => state.first_seq + at);
      const messages = await Promise.all(sequences.map((seq) => manager.streams.getMessage(config.name, { seq })));
      texts.push(...messages.map(({ data }) => Buffer.from(data).toString()));
    }
    return texts.join('\n');
  } finally {
    await connection.close();
  }
}

/** Every key of the cache in the server's own serialisation. */
async function cache(world: World): Promise<string> {
  const redis = new Redis(world.backing.redis.url);
  try {
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    return [...keys, ...values.map((value) => value?.toString('latin1') ?? '')].join('\n');
  } finally {
    redis.disconnect();
  }
}

/** The log files of our own services. */
export function logs({ product }: World): { name: string; text: string }[] {
  const directory = join(product.directory, 'logs');
  return readdirSync(directory).map((name) => ({ name, text: readFileSync(join(directory, name), 'utf8') }));
}

/** All places where the product could have left a secret in plain text. */
export async function places({ world, log }: Stage): Promise<Record<string, string>> {
  const databases = await Promise.all(
    DATABASES.map(async (name) => [`database ${name}`, await rowsOf(world, name)] as const),
  );
  return {
    ...Object.fromEntries(databases),
    ...Object.fromEntries(logs(world).map(({ name, text }) => [`log ${name}`, text])),
    streams: await streams(world),
    cache: await cache(world),
    'audit log': JSON.stringify(await readLog(world.admin)),
    refusals: log.refusals.join('\n'),
  };
}
