import { DATABASES } from '@gatehouse/contracts-core';
import { type RunningProduct, startProduct, withDatabase } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';

/** Every table, partitions included, that has a column naming a tenant. */
const TENANT_TABLES = `
  SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced, pg_get_userbyid(c.relowner) AS owner
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
     AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('partner_id', 'org_id')
       AND NOT a.attisdropped)
   ORDER BY c.relname`;

interface TenantTable {
  readonly name: string;
  readonly forced: boolean;
  readonly owner: string;
}

describe.each(DATABASES)('the database of %s', (database) => {
  let owner: pg.Client;
  let runtime: pg.Client;
  let tables: TenantTable[];

  beforeAll(async () => {
    const { databases, backing } = product.endpoints;
    const appUrl = databases[database]?.app ?? '';
    owner = new pg.Client({ connectionString: withDatabase(backing.postgres, new URL(appUrl).pathname.slice(1)) });
    runtime = new pg.Client({ connectionString: appUrl });
    await Promise.all([owner.connect(), runtime.connect()]);
    tables = (await owner.query<TenantTable>(TENANT_TABLES)).rows;
  });
  afterAll(() => Promise.all([owner.end(), runtime.end()]));

  it('forces row security on every tenant table', () => {
    expect(tables.length).toBeGreaterThan(0);
    expect(tables.filter(({ forced }) => !forced).map(({ name }) => name)).toEqual([]);
  });

  it('is served by a role that owns no table, is no superuser and cannot pass row security', async () => {
    const { rows } = await runtime.query(
      'SELECT rolsuper, rolbypassrls, current_user AS name FROM pg_roles WHERE rolname = current_user',
    );
    expect(rows[0]).toMatchObject({ rolsuper: false, rolbypassrls: false });
    expect(tables.map((table) => table.owner)).not.toContain(rows[0].name);
  });

  it('shows the runtime role no row without a tenant context, also after a context was used and committed', async () => {
    await runtime.query(
      `BEGIN; SELECT set_config('app.system', 'on', true), set_config('app.org_ids', '*', true); COMMIT`,
    );
    for (const { name } of tables) {
      const rows = await runtime.query(`SELECT 1 FROM ${pg.escapeIdentifier(name)} LIMIT 1`).then(
        (result) => result.rows,
        (error: { code: string }) => error.code,
      );
      expect([[], '42501']).toContainEqual(rows);
    }
  });
});

let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct({ DEMO: 'true' });
}, 180_000);
afterAll(() => product.stop(), 60_000);
