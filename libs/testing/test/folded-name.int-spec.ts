import { foldName } from '@gatehouse/contracts-core';
import { FoldedNameFunction1700000000003, migrate } from '@gatehouse/database';
import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { testDatabase } from '../src/index.ts';

const definition = { name: 'folding', entities: [], migrations: [FoldedNameFunction1700000000003] };
const database = await testDatabase('folding', ({ ownerUrl, appUrl }) =>
  migrate(definition, { owner: ownerUrl, runtime: appUrl }),
);
const client = new pg.Client({ connectionString: database.ownerUrl });
await client.connect();
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('the folding of names in the database', () => {
  it('TEN-100 is what the program computes, for every assigned character', async () => {
    const assigned = /[^\p{Cn}\p{Cs}\p{Co}\0]/u;
    // PostgreSQL 15 has not the order of combining marks that Unicode 17 added.
    const added = /[\u1acf-\u1aff]/u;
    const names = Array.from({ length: 0x3_20_00 }, (_, code) => code)
      .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
      .map((code) => String.fromCodePoint(code))
      .filter((one) => assigned.test(one) && !added.test(one))
      .flatMap((one) =>
        (/\p{L}|\p{M}|\s/u.test(one) && one < '\u3100' ? AROUND : ['a%']).map((around) => around.replace('%', one)),
      );
    const differing: string[] = [];
    for (let at = 0; at < names.length; at += BATCH) {
      const batch = names.slice(at, at + BATCH);
      const { rows } = await client.query<{ folded: string }>(
        'SELECT folded_name(name) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS n(name, at) ORDER BY at',
        [batch],
      );
      differing.push(...batch.filter((name, index) => rows[index]?.folded !== foldName(name)));
    }
    expect(differing).toEqual([]);
  });
});

const BATCH = 4096;
const AROUND = ['%', 'a%', ' %  b ', 'σ%ς', '%\u0307', 'I%e\u0301', '\u00a0%\u2003'];
