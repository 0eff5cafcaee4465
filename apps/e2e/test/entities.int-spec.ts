import { DATABASES } from '@gatehouse/contracts-core';
import { createDataSource, type DatabaseDefinition, migrate, REQUEST_POOL } from '@gatehouse/database';
import { testDatabase, type TestDatabase } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource, EntityMetadata } from 'typeorm';
import { definitionOf } from './databases.ts';

describe.each(DATABASES)('the entities of %s', (context) => {
  let database: TestDatabase;
  let source: DataSource;
  let tables: Map<string, Columns>;

  beforeAll(async () => {
    const definition: DatabaseDefinition = await definitionOf(context);
    database = await testDatabase(definition.name, ({ ownerUrl, appUrl }) =>
      migrate(definition, { owner: ownerUrl, runtime: appUrl }),
    );
    source = await createDataSource(definition, database.ownerUrl, REQUEST_POOL, () => undefined).initialize();
    tables = await migratedTables(source);
  });

  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it('lie under forced row security where they name a tenant, for writes as for reads', async () => {
    expect(await source.query(OPEN_TO_TENANTS)).toEqual([]);
  });

  it('describe the migrated tables', () => {
    const described = source.entityMetadatas.map((entity): [string, Columns] => [
      entity.tableName,
      describedColumns(entity),
    ]);
    expect(described.length).toBeGreaterThan(0);
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries(described.map(([table]) => [table, tables.get(table)])),
    );
  });

  it('are those of every table with a key, which an entity needs', () => {
    const described = new Set([...UNUSED, ...source.entityMetadatas.map(({ tableName }) => tableName)]);
    const keyed = [...tables].filter(([, columns]) => Object.values(columns).some((column) => KEY.test(column)));
    expect(keyed.map(([table]) => table).filter((table) => !described.has(table))).toEqual([]);
  });
});

/** One line per column: its type, whether it may be null, and how its value comes about. */
type Columns = Readonly<Record<string, string>>;

const line = (type: string, traits: Readonly<Record<string, boolean>>): string =>
  [type, ...Object.keys(traits).filter((trait) => traits[trait])].join(', ');

const SCHEMA = `
  SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, NULL) AS type,
         NOT a.attnotnull AS nullable, coalesce(a.attnum = ANY (i.indkey), false) AS primary,
         a.attidentity <> '' OR a.attgenerated <> '' AS generated,
         a.atthasdef AND a.attgenerated = '' AS "hasDefault"
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relname <> 'migrations'
   ORDER BY c.relname, a.attname`;

/** Tables that name a tenant and are not held to it by forced row security, or take rows that they would not show. */
const OPEN_TO_TENANTS = `
  SELECT c.relname FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND EXISTS (SELECT FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attname IN ('partner_id', 'org_id') AND NOT a.attisdropped)
     AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND NOT EXISTS (SELECT FROM pg_policies p
       WHERE p.tablename = c.relname AND p.cmd <> 'SELECT' AND coalesce(p.with_check, p.qual) IS DISTINCT FROM p.qual))`;

const KEY = /\bprimary\b/;
/** Tables that no code reads or writes any more; a later release drops them. */
const UNUSED = ['invitations'];

interface SchemaColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly primary: boolean;
  readonly generated: boolean;
  readonly hasDefault: boolean;
}

async function migratedTables(source: DataSource): Promise<Map<string, Columns>> {
  const tables = new Map<string, Columns>();
  const rows = (await source.query(SCHEMA)) as SchemaColumn[];
  for (const { table, column, type, nullable, primary, generated, hasDefault } of rows)
    tables.set(table, { ...tables.get(table), [column]: line(type, { nullable, primary, generated, hasDefault }) });
  return tables;
}

const describedColumns = ({ columns, connection }: EntityMetadata): Columns =>
  Object.fromEntries(
    columns.map((column) => {
      const type = `${connection.driver.normalizeType(column)}${column.isArray ? '[]' : ''}`;
      const traits = {
        nullable: column.isNullable,
        primary: column.isPrimary,
        generated: column.isGenerated || column.generatedType !== undefined,
        hasDefault: column.default !== undefined,
      };
      return [column.databaseName, line(type, traits)];
    }),
  );
