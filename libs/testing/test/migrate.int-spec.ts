import { createDataSource, type DatabaseDefinition, migrate, REQUEST_POOL } from '@gatehouse/database';
import { testDatabase, type TestDatabase } from '../src/index.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

const LONG_QUERY_MS = 4_000;

class MakeVisits1 implements MigrationInterface {
  name = 'MakeVisits1800000000001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE visits (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)');
  }

  async down(): Promise<void> {}
}

class AddNote2 implements MigrationInterface {
  name = 'AddNote1800000000002';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE visits ADD COLUMN note text');
  }

  async down(): Promise<void> {}
}

class TakeTime3 implements MigrationInterface {
  name = 'TakeTime1800000000003';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT pg_sleep(1)');
  }

  async down(): Promise<void> {}
}

const CUT_OFF_LOCK = `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND datname = current_database()`;

const before: DatabaseDefinition = { name: 'visits', entities: [], migrations: [MakeVisits1] };
const after: DatabaseDefinition = { ...before, migrations: [MakeVisits1, AddNote2] };

describe('a migration of a table in use (R-39)', () => {
  let database: TestDatabase;
  let requests: DataSource;
  beforeAll(async () => {
    database = await testDatabase('visits', ({ ownerUrl, appUrl }) =>
      migrate(before, { owner: ownerUrl, runtime: appUrl }),
    );
    requests = await createDataSource(before, database.appUrl, REQUEST_POOL, () => undefined).initialize();
  });
  afterAll(async () => {
    await requests.destroy();
    await database.drop();
  });

  it('waits for a long query, and lets no request fail during it', async () => {
    const reader = new pg.Client({ connectionString: database.ownerUrl });
    await reader.connect();
    await reader.query('BEGIN; SELECT count(*) FROM visits');
    const ran = migrate(after, { owner: database.ownerUrl, runtime: database.appUrl });
    const written: Promise<string>[] = [];
    for (const until = Date.now() + LONG_QUERY_MS; Date.now() < until; await wait(50)) {
      written.push(
        requests.query('INSERT INTO visits DEFAULT VALUES').then(
          () => 'written',
          (error: Error) => error.message,
        ),
      );
    }
    expect(
      await requests.query(
        `SELECT FROM information_schema.columns WHERE table_name = 'visits' AND column_name = 'note'`,
      ),
    ).toEqual([]);
    await reader.query('COMMIT');
    await reader.end();
    expect(await ran).toEqual(['AddNote1800000000002']);
    expect(new Set(await Promise.all(written))).toEqual(new Set(['written']));
  });

  it('fails with the reason when the connection that holds the lock breaks', async () => {
    const slow = { ...after, migrations: [...after.migrations, TakeTime3] };
    const ran = expect(migrate(slow, { owner: database.ownerUrl, runtime: database.appUrl })).rejects.toThrow(
      'terminating connection',
    );
    const owner = await new pg.Client({ connectionString: database.ownerUrl }).connect();
    while ((await owner.query(CUT_OFF_LOCK)).rowCount === 0) await wait(20);
    await owner.end();
    await ran;
  });
});
