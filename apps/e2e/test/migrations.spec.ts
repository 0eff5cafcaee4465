import { DATABASES } from '@gatehouse/contracts-core';
import type { DatabaseDefinition } from '@gatehouse/database';
import { describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { definitionOf } from './databases.ts';

describe('the migrations', () => {
  it.each(DATABASES)('of %s leave the version before in working order', async (context) => {
    const { migrations } = await definitionOf(context);
    const faults: string[] = [];
    for (const Type of migrations.filter((migration) => !isMarked(migration)))
      faults.push(...contracts(await sqlOf(Type)).map((fault) => `${Type.name} ${fault}`));
    expect(faults).toEqual([]);
  });
});

describe('the check of migrations', () => {
  it.each([
    'ALTER TABLE sites DROP COLUMN name',
    'DROP TABLE sites',
    'ALTER TABLE sites RENAME COLUMN name TO title',
    'ALTER TABLE sites ALTER COLUMN name TYPE varchar(10)',
    'ALTER TABLE sites ALTER COLUMN note SET NOT NULL',
    'ALTER TABLE sites ADD COLUMN code text NOT NULL',
    'ALTER TABLE sites ADD CONSTRAINT short CHECK (length(name) < 10)',
  ])('finds %s', (sql) => expect(contracts(sql)).toHaveLength(1));

  it.each([
    'ALTER TABLE sites ADD COLUMN code text',
    "ALTER TABLE sites ADD COLUMN code text NOT NULL DEFAULT ''",
    'CREATE TABLE codes (id uuid); ALTER TABLE codes ADD CONSTRAINT own CHECK (id IS NOT NULL)',
    'CREATE INDEX sites_by_name ON sites (name)',
    'CREATE FUNCTION tidy() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE old; END $$',
  ])('lets %s pass', (sql) => expect(contracts(sql)).toEqual([]));
});

/** Statements that break the previous version as long as it reads or writes the table. */
const CONTRACTS: readonly (readonly [string, RegExp])[] = [
  ['drops what may be in use', /\bDROP (TABLE|COLUMN|VIEW|TYPE|SCHEMA|FUNCTION)\b/i],
  ['renames', /\bRENAME\b/i],
  ['changes a type', /\bALTER COLUMN \w+ (SET DATA )?TYPE\b/i],
  ['asks for a value that older writers do not give', /\bALTER COLUMN \w+ (SET NOT NULL|DROP DEFAULT)\b/i],
  [
    'adds a column that older writers cannot leave out',
    /\bADD COLUMN (IF NOT EXISTS )?\w+ (?!.*\b(DEFAULT|GENERATED)\b).*\bNOT NULL\b/is,
  ],
  ['adds a rule that older writers do not keep', /\bALTER TABLE\b.*\bADD CONSTRAINT\b/is],
];

const bare = (sql: string): string =>
  sql
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replace(/--.*$/gm, '')
    .replace(/\/\*.*?\*\//gs, '');

/** Ignores statements about tables that the same migration creates, because no older version uses them. */
function contracts(sql: string): string[] {
  const text = bare(sql);
  const own = new Set([...text.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi)].map(([, table]) => table));
  const statements = text
    .split(';')
    .filter((statement) => !own.has(/\bALTER TABLE (?:ONLY )?(\w+)/i.exec(statement)?.[1]));
  return statements.flatMap((statement) =>
    CONTRACTS.filter(([, pattern]) => pattern.test(statement)).map(
      ([fault]) => `${fault}: ${statement.trim().slice(0, 200)}`,
    ),
  );
}

type Migration = DatabaseDefinition['migrations'][number];

async function sqlOf(Type: Migration): Promise<string> {
  const statements: string[] = [];
  const recorder: Pick<QueryRunner, 'query'> = { query: async (sql: string) => void statements.push(sql) as never };
  await new Type().up(recorder as QueryRunner);
  return statements.join(';\n');
}

/** A migration that removes something states in its `contract` member since when the code no longer uses it. */
const isMarked = (Type: Migration): boolean => typeof (new Type() as { contract?: unknown }).contract === 'string';
