import { acrossTenants } from '@gatehouse/database';
import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { testDatabase } from '../src/index.ts';

const FUNCTIONS = [
  acrossTenants({
    name: 'scope_inside()',
    returns: 'text',
    volatility: 'STABLE',
    query: `SELECT current_setting('app.system', true)`,
  }),
  acrossTenants({
    name: 'scopes_inside(times integer)',
    returns: 'TABLE (at integer, scope text)',
    volatility: 'VOLATILE',
    query: 'SELECT n, scope_inside() FROM generate_series(1, times) AS n',
  }),
  acrossTenants({ name: 'fail(how text)', returns: 'void', volatility: 'VOLATILE', query: 'PERFORM how::integer' }),
];

const database = await testDatabase('across', async ({ ownerUrl }) => {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(FUNCTIONS.join('\n'));
  await owner.end();
});
const client = new pg.Client({ connectionString: database.appUrl });
await client.connect();
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('functions across tenants', () => {
  it.each(['', 'off', 'on'])('put the scope %j of their caller back', async (before) => {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.system', $1, true)`, [before]);
    const { rows } = await client.query('SELECT scope_inside()');
    expect(rows).toEqual([{ scope_inside: 'on' }]);
    expect(await scope()).toBe(before);
    await client.query('ROLLBACK');
  });

  it('return tables, and stay across tenants after an inner one ended', async () => {
    const { rows } = await client.query('SELECT * FROM scopes_inside(2)');
    expect(rows).toEqual([
      { at: 1, scope: 'on' },
      { at: 2, scope: 'on' },
    ]);
    expect(await scope()).not.toBe('on');
  });

  it('leave nothing behind when they fail, also behind a savepoint', async () => {
    await client.query('BEGIN; SAVEPOINT before_it');
    await expect(client.query(`SELECT fail('x')`)).rejects.toThrow('invalid input syntax');
    await client.query('ROLLBACK TO SAVEPOINT before_it');
    expect(await scope()).not.toBe('on');
    await client.query('ROLLBACK');
  });

  const scope = async (): Promise<unknown> => {
    const { rows } = await client.query<{ scope: unknown }>(`SELECT current_setting('app.system', true) AS scope`);
    return rows[0]?.scope;
  };
});
