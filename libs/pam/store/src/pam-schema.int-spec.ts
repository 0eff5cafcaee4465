import { migrate } from '@gatehouse/database';
import { testDatabase, type TestDatabase, testServers } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pamDatabase } from './pam-database.ts';

describe('the pam schema', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let admin: pg.Client;
  let runtime: pg.Client;
  beforeAll(async () => {
    database = await testDatabase('pam', ({ ownerUrl, appUrl }) =>
      migrate(pamDatabase, { owner: ownerUrl, runtime: appUrl }),
    );
    const adminUrl = Object.assign(new URL(testServers().postgresAdminUrl), { pathname: `/${database.database}` }).href;
    [owner, admin, runtime] = (await Promise.all(
      [database.ownerUrl, adminUrl, database.appUrl].map(async (connectionString) => {
        const client = new pg.Client({ connectionString });
        await client.connect();
        return client;
      }),
    )) as [pg.Client, pg.Client, pg.Client];
  });
  afterAll(async () => {
    await Promise.all([owner, admin, runtime].map((client) => client.end()));
    await database.drop();
  });

  it('lets the runtime role have the months ahead made, once, with a policy of their own', async () => {
    const made = await runtime.query('SELECT elevation_partitions_ahead(6) AS made');
    expect(made.rows).toEqual([{ made: 3 }]);
    expect((await runtime.query('SELECT elevation_partitions_ahead(6) AS made')).rows).toEqual([{ made: 0 }]);
    const { rows } =
      await admin.query(`SELECT count(*)::int AS partitions, count(p.policyname)::int AS policies FROM pg_inherits i
        JOIN pg_class c ON c.oid = i.inhrelid
      LEFT JOIN pg_policies p ON p.tablename = c.relname WHERE i.inhparent = 'elevation_requests'::regclass`);
    expect(rows).toEqual([{ partitions: 8, policies: 8 }]);
  });

  it('files a request of today in the partition of its month', async () => {
    const id = (await admin.query(`SELECT uuid_from_instant(now()) AS id`)).rows[0].id as string;
    await admin.query(
      `INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname, flow_type, status)
        VALUES ($1, $1, $1, $1, 'pc', 'uac_intercept', 'denied')`,
      [id],
    );
    const { rows } = await admin.query(
      `SELECT tableoid::regclass::text AS partition,
        to_char(now() AT TIME ZONE 'UTC', '"elevation_requests_"YYYY_MM') AS expected FROM elevation_requests
        WHERE id = $1`,
      [id],
    );
    expect(rows[0].partition).toBe(rows[0].expected);
    expect((await runtime.query('SELECT id FROM elevation_requests')).rows).toEqual([]);
    expect((await owner.query(`SELECT id FROM ${rows[0].partition}`)).rows).toEqual([]);
  });

  it('finds the earlier requests for a file and of a user by their index, within the reach of the caller', async () => {
    const [partner, org] = [randomUUID(), randomUUID()];
    await admin.query(
      `INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname, flow_type, status,
          target_executable_path, subject_username)
        SELECT uuid_from_instant(now() - n * interval '1 second'), $1, $2, $1, 'pc', 'uac_intercept', 'denied',
          'C:\\Tools\\' || n || '.exe', 'Ann-' || n FROM generate_series(1, 3000) AS n`,
      [partner, org],
    );
    await admin.query('ANALYZE elevation_requests');
    const found = async (orgs: string, earlier: string, value: string): Promise<unknown> => {
      await runtime.query('BEGIN');
      await runtime.query(`SELECT set_config('app.partner_id', $1, true), set_config('app.org_ids', $2, true)`, [
        partner,
        orgs,
      ]);
      const { rowCount } = await runtime.query(
        `SELECT ${earlier}($1, $2, uuid_from_instant(now() - interval '1 day'), uuid_from_instant(now()), 10)`,
        [org, value],
      );
      const { rows } = await runtime.query(
        `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) < 100 AS few FROM pg_stat_xact_user_tables
          WHERE relname LIKE 'elevation\\_requests%'`,
      );
      await runtime.query('ROLLBACK');
      return { found: rowCount, ...(rows[0] as { few: boolean }) };
    };
    const ofUser = ['earlier_requests_of_user', 'ann-7'] as const;
    const forFile = ['earlier_requests_for_file', 'c:\\tools\\7.exe'] as const;
    for (const [earlier, value] of [ofUser, forFile]) {
      expect(await found('*', earlier, value)).toEqual({ found: 1, few: true });
      expect(await found(`{${org}}`, earlier, value)).toEqual({ found: 1, few: true });
      expect(await found(`{${partner}}`, earlier, value)).toEqual({ found: 0, few: true });
    }
  });

  it('drops months past their retention with their approvals and votes, and keeps the rest', async () => {
    await admin.query(
      `CREATE TABLE elevation_requests_2020_01 (LIKE elevation_requests INCLUDING ALL); ALTER TABLE elevation_requests_2020_01 OWNER TO ${pg.escapeIdentifier(new URL(database.ownerUrl).username)}`,
    );
    await admin.query(
      `ALTER TABLE elevation_requests ATTACH PARTITION elevation_requests_2020_01 FOR VALUES FROM (uuid_from_instant('2020-01-01Z')) TO (uuid_from_instant('2020-02-01Z'))`,
    );
    for (const at of ['2020-01-15Z', 'now'])
      await admin.query(
        `WITH request AS (INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname, flow_type,
          status) SELECT id, id, id, id, 'pc', 'uac_intercept', 'denied' FROM uuid_from_instant($1) AS id RETURNING id),
          vote AS (INSERT INTO elevation_votes (elevation_request_id, user_id, partner_id, org_id, user_name, minutes)
            SELECT id, id, id, id, 'Ann', 1 FROM request)
         INSERT INTO approvals (id, elevation_request_id, user_id, partner_id, org_id, user_name, expires_at)
           SELECT id, id, id, id, id, 'Ann', now() FROM request`,
        [at],
      );
    await runtime.query("SET app.system = 'on'");
    expect((await runtime.query('SELECT elevation_partitions_drop(0) AS dropped')).rows).toEqual([{ dropped: 1 }]);
    const { rows } = await admin.query(`SELECT to_regclass('elevation_requests_2020_01') AS gone,
      (SELECT count(*)::int FROM approvals) AS approvals, (SELECT count(*)::int FROM elevation_votes) AS votes`);
    expect(rows).toEqual([{ gone: null, approvals: 1, votes: 1 }]);
  });
});
