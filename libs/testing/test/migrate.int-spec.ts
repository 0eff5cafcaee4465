import { Baseline, createDataSource, type DatabaseDefinition, migrate, REQUEST_POOL } from '@gatehouse/database';
import { testDatabase, type TestDatabase } from '../src/index.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

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

describe('a baseline', () => {
  it('makes the schema of a new database, and later migrations follow it', async () => {
    const { state, run, end } = await databaseOf('visits_new', newest);
    expect(await run()).toEqual([]);
    expect(await state()).toMatchObject({ columns: ['id', 'note', 'place'] });
    await end();
  });

  it('is only noted in a database in which all that it replaces has run, and later migrations follow it', async () => {
    const { owner, state, run, end } = await databaseOf('visits_whole', after);
    await owner.query(`INSERT INTO visits (note) VALUES ('kept')`);
    expect(await run()).toEqual(['AddPlace1800000000005']);
    const { done, columns } = await state();
    expect(columns).toEqual(['id', 'note', 'place']);
    expect(done.slice(-2)).toEqual(['VisitsBaseline1800000000004', 'AddPlace1800000000005']);
    expect((await owner.query('SELECT note, place FROM visits')).rows).toEqual([{ note: 'kept', place: null }]);
    expect(await run()).toEqual([]);
    await end();
  });

  it('refuses a database in which only a part has run, says what to do, and changes nothing', async () => {
    const { state, run, end } = await databaseOf('visits_part', before);
    const found = await state();
    await expect(run()).rejects.toThrow(
      'AddNote1800000000002 has not run in it: first run the migrations of the last version that has it',
    );
    expect(await state()).toEqual(found);
    await end();
  });

  /** A database in which the migrations of the definition have run, and a client of its owner. */
  async function databaseOf(name: string, definition: DatabaseDefinition) {
    const database = await testDatabase(name, ({ ownerUrl, appUrl }) =>
      migrate(definition, { owner: ownerUrl, runtime: appUrl }),
    );
    const owner = await new pg.Client({ connectionString: database.ownerUrl }).connect();
    const state = async () => {
      const { rows: done } = await owner.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
      const { rows: columns } = await owner.query<{ attname: string }>(
        `SELECT attname FROM pg_attribute WHERE attrelid = 'visits'::regclass AND attnum > 0 ORDER BY attname`,
      );
      return { done: done.map(({ name }) => name), columns: columns.map(({ attname }) => attname) };
    };
    const run = (): Promise<string[]> => migrate(newest, { owner: database.ownerUrl, runtime: database.appUrl });
    const end = async () => {
      await owner.end();
      await database.drop();
    };
    return { owner, state, run, end };
  }
});

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

class VisitsBaseline4 extends Baseline {
  name = 'VisitsBaseline1800000000004';
  readonly replaces = 'AddNote1800000000002';
  protected readonly schema = ['CREATE TABLE visits (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text)'];
}

class AddPlace5 implements MigrationInterface {
  name = 'AddPlace1800000000005';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE visits ADD COLUMN place text');
  }

  async down(): Promise<void> {}
}

const CUT_OFF_LOCK = `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND datname = current_database()`;

const before: DatabaseDefinition = { name: 'visits', entities: [], migrations: [MakeVisits1] };
const after: DatabaseDefinition = { ...before, migrations: [MakeVisits1, AddNote2] };
const newest: DatabaseDefinition = { ...before, migrations: [VisitsBaseline4, AddPlace5] };
