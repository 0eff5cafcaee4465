import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import {
  type Backing,
  cloneDatabase,
  connected,
  dropDatabase,
  provisionDatabase,
  startBacking,
  withDatabase,
} from './index.ts';

describe('the backing parts', () => {
  let backing: Backing;

  beforeAll(async () => {
    for (const name of ['DATABASE_ADMIN_URL', 'NATS_URL', 'REDIS_URL']) delete process.env[name];
    backing = await startBacking({ directory, ephemeral: true, log: () => undefined });
  });

  afterAll(async () => {
    await backing.stop();
    Object.assign(process.env, inherited);
    rmSync(directory, { recursive: true, force: true });
  });

  it('run on 127.0.0.1 with passwords that only their owner can read', () => {
    for (const { url, pid } of [backing.postgres, backing.nats, backing.redis]) {
      expect(new URL(url).hostname).toBe('127.0.0.1');
      expect(new URL(url).password.length).toBeGreaterThanOrEqual(32);
      expect(pid).toBeGreaterThan(0);
    }
    expect(statSync(join(directory, 'credentials.json')).mode & 0o777).toBe(0o600);
  });

  it('refuse a login without the password', async () => {
    const guess = new URL(backing.postgres.url);
    guess.password = 'guess';
    await expect(query(guess.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('give a service a database in which its app role is bound by row security and owns nothing', async () => {
    const first = await provisionDatabase(backing.postgres.url, 'pam', '_spec');
    expect(await provisionDatabase(backing.postgres.url, 'pam', '_spec')).toEqual(first);
    expect(first.database).toBe('gatehouse_pam_spec');
    expect(
      await query(
        first.appUrl,
        'SELECT rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user',
      ),
    ).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreatedb: false }]);
    await expect(query(first.appUrl, 'CREATE TABLE mine (id int)')).rejects.toThrow('permission denied');
    await query(first.ownerUrl, 'CREATE TABLE theirs (id int)');
    await expect(query(first.appUrl, 'SELECT * FROM theirs')).rejects.toThrow('permission denied');
  });

  it('are made by an administrator who is no superuser', async () => {
    const { url } = backing.postgres;
    await query(url, `CREATE ROLE managed LOGIN CREATEROLE CREATEDB PASSWORD 'of the provider'`);
    const managed = new URL(url);
    [managed.username, managed.password] = ['managed', 'of the provider'];
    const { ownerUrl, appUrl } = await provisionDatabase(managed.href, 'managed', '_spec');
    expect(await provisionDatabase(managed.href, 'managed', '_spec')).toMatchObject({ ownerUrl });
    await query(ownerUrl, 'CREATE TABLE theirs (id int)');
    await expect(query(appUrl, 'SELECT * FROM theirs')).rejects.toThrow('permission denied');
  });

  it('are not given to a role that has more rights', async () => {
    await query(backing.postgres.url, 'CREATE ROLE gatehouse_mighty_app CREATEDB');
    await expect(provisionDatabase(backing.postgres.url, 'mighty', '_spec')).rejects.toThrow('gatehouse_mighty_app');
  });

  it('keep the role of one service out of the database of another', async () => {
    const pam = await provisionDatabase(backing.postgres.url, 'pam', '_spec');
    const audit = await provisionDatabase(backing.postgres.url, 'audit', '_spec');
    await expect(query(withDatabase(audit.appUrl, pam.database), 'SELECT 1')).rejects.toThrow(
      'permission denied for database',
    );
  });

  it('copy a database with its rows, its owner and its closed door', async () => {
    const source = await provisionDatabase(backing.postgres.url, 'tenancy', '_spec');
    await query(source.ownerUrl, 'CREATE TABLE kept AS SELECT 1 AS id; GRANT SELECT ON kept TO gatehouse_tenancy_app');
    await cloneDatabase(backing.postgres.url, source.database, 'gatehouse_tenancy_copy');
    expect(await query(withDatabase(source.appUrl, 'gatehouse_tenancy_copy'), 'SELECT id FROM kept')).toEqual([
      { id: 1 },
    ]);
    await query(withDatabase(source.ownerUrl, 'gatehouse_tenancy_copy'), 'ALTER TABLE kept ADD COLUMN note text');
    const other = await provisionDatabase(backing.postgres.url, 'audit', '_spec');
    await expect(query(withDatabase(other.appUrl, 'gatehouse_tenancy_copy'), 'SELECT 1')).rejects.toThrow(
      'permission denied for database',
    );
    await dropDatabase(backing.postgres.url, 'gatehouse_tenancy_copy');
    await expect(query(withDatabase(source.appUrl, 'gatehouse_tenancy_copy'), 'SELECT 1')).rejects.toThrow(
      'does not exist',
    );
  });

  it('come back on the same port with what was committed after a kill -9', async () => {
    const database = await provisionDatabase(backing.postgres.url, 'identity', '_spec');
    await query(database.ownerUrl, 'CREATE TABLE committed AS SELECT 42 AS answer');
    const before = backing.postgres.pid;
    let killed: Promise<void> | undefined;
    const cutOff = connected(database.ownerUrl, () => {
      killed = backing.postgres.kill('SIGKILL');
      return new Promise(() => undefined);
    });
    await expect(cutOff).rejects.toThrow(/terminat(ed|ing)/);
    await killed;
    expect(backing.postgres.pid).toBeUndefined();
    await expect(query(database.ownerUrl, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await backing.postgres.start();
    expect(backing.postgres.pid).not.toBe(before);
    expect(await query(database.ownerUrl, 'SELECT answer FROM committed')).toEqual([{ answer: 42 }]);
  });

  it.each(['nats', 'redis'] as const)('restart %s on the same port', async (part) => {
    await backing[part].kill('SIGKILL');
    expect(backing[part].pid).toBeUndefined();
    await backing[part].start();
    expect(backing[part].pid).toBeGreaterThan(0);
  });

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-test-backing-'));
  const inherited = { ...process.env };
});

const query = <T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> =>
  connected(url, async (client) => (await client.query<T>(sql)).rows);
