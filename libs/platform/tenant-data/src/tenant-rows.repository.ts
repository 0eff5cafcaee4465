import type { Permission } from '@gatehouse/contracts-core';
import type { Reader, Tx } from '@gatehouse/database';
import type { TenantDataHolder } from './tenant-data.events.ts';

/**
 * A column whose value changes when its row moves, or may be edited at the survivor; the ledger keeps the old value.
 */
export interface Override {
  readonly type: 'boolean' | 'integer' | 'bigint' | 'text' | 'uuid';
  /** SQL over the row `t`; `$2` is the survivor. */
  readonly value: string;
}

export interface MergedOrganizations {
  readonly sourceId: string;
  readonly targetId: string;
}

export interface MergeQuestion extends MergedOrganizations {
  /**
   * What the user who wants the merge may do. Absent while rows move: tenancy checked the user before it froze the
   * organisation.
   */
  readonly permissions?: readonly Permission[];
}

interface Common {
  readonly table: string;
  /** The columns of the primary key, all uuid. Default: id. */
  readonly key?: readonly string[];
  /** The column that holds the organisation. Default: org_id. */
  readonly orgColumn?: string;
}

/**
 * How a merge or purge of an organisation treats a tenant table:
 * - `move`: a merge moves the rows to the survivor; a purge deletes them.
 * - `drop`: rows are deleted at the end of a merge, and by a purge.
 * - `follow`: a foreign key or an event moves the rows along; a purge deletes them.
 * - `keep`: rows stay unchanged in both (history, and the tenants themselves).
 */
export type TenantTable =
  | (Common & {
      readonly policy: 'move';
      /** SQL over the row `t`; `$2` is the survivor. Selects rows that cannot move there and are dropped. */
      readonly conflict?: string;
      readonly overrides?: Readonly<Record<string, Override>>;
      /** Publishes events about rows that changed their organisation, in the same transaction. */
      readonly onMoved?: (tx: Tx, ids: readonly string[], runId: string) => Promise<void>;
      /** Detaches rows from references that they must not keep when they move back. */
      readonly beforeBack?: (tx: Tx, ids: readonly string[], run: MergedOrganizations) => Promise<void>;
    })
  | (Common & { readonly policy: 'drop' | 'follow' | 'keep' });

/** Facts about a merge, besides the row counts, in sentences for the user. */
export interface Remarks {
  readonly blockers: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * What an organisation loses by a merge, and how to keep it: a sentence, which the names end, and the SQL that selects
 * a `name` for each. `$1` is the merged organisation, `$2` the survivor.
 */
export type Losses = Readonly<Record<string, string>>;

const MAX_NAMED = 5;

function listed(found: readonly { readonly name: string }[]): string {
  const named = found.slice(0, MAX_NAMED).map(({ name }) => `“${name.slice(0, 60)}”`);
  return `${named.join(', ')}${found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : ''}`;
}

/** Warns of the losses that there are (TEN-107). */
export const warnOf =
  (losses: Losses): NonNullable<TenantRegistry['remarks']> =>
  async (reader, { sourceId, targetId }) => {
    const warnings: string[] = [];
    for (const [sentence, sql] of Object.entries(losses)) {
      const both = sql.includes('$2') ? [sourceId, targetId] : [sourceId];
      const found = await reader.query<{ name: string }>(sql, both);
      if (found.length > 0) warnings.push(`${sentence}: ${listed(found)}.`);
    }
    return { blockers: [], warnings };
  };

/** A service's tables in the order in which their rows move; a purge deletes in reverse order. */
export interface TenantRegistry {
  readonly service: TenantDataHolder;
  readonly tables: readonly TenantTable[];
  /** Called for the preview and again before each batch moves; a blocker found then ends the run. */
  readonly remarks?: (reader: Reader, question: MergeQuestion) => Promise<Remarks>;
  /** Prepares the survivor before the first row moves; runs again when a step is resumed. */
  readonly beforeMove?: (tx: Tx, run: MergedOrganizations) => Promise<void>;
  /** Undoes `beforeMove` after every row has moved back; runs again when a step is resumed. */
  readonly afterBack?: (tx: Tx, run: MergedOrganizations) => Promise<void>;
}

type Moving = Extract<TenantTable, { policy: 'move' }>;

export const BATCH_ROWS = 1000;

const keyOf = ({ key = ['id'] }: TenantTable): readonly string[] => key;
const orgOf = ({ orgColumn = 'org_id' }: TenantTable): string => orgColumn;
const sameKey = (table: TenantTable, a: string, b: string): string =>
  keyOf(table)
    .map((column) => `${a}.${column} = ${b}.${column}`)
    .join(' AND ');
const objectOf = (columns: readonly string[]): string =>
  `jsonb_build_object(${columns.map((column) => `'${column}', t.${column}`).join(', ')})`;
const movable = ({ conflict }: Moving): string => (conflict ? `AND NOT (${conflict})` : '');

/** Counts the rows that would move and the rows that would be dropped. $1 source, $2 target. */
export function countRows(table: TenantTable): string {
  const from = `FROM ${table.table} t WHERE t.${orgOf(table)} = $1 AND $2::uuid IS NOT NULL`;
  if (table.policy === 'drop') return `SELECT 0 AS move, count(*) AS drop ${from}`;
  const conflict = table.policy === 'move' ? (table.conflict ?? 'false') : 'false';
  return `SELECT count(*) FILTER (WHERE NOT (${conflict})) AS move,
    count(*) FILTER (WHERE ${conflict}) AS drop ${from}`;
}

/**
 * Moves one batch and records the previous values of each row in the ledger. $1 source, $2 target, $3 run. Returns the
 * first key column.
 */
export function moveBatch(table: Moving): string {
  const overrides = Object.entries(table.overrides ?? {});
  const before = overrides.length > 0 ? objectOf(overrides.map(([column]) => column)) : `'{}'::jsonb`;
  const set = [`${orgOf(table)} = $2`, ...overrides.map(([column, { value }]) => `${column} = ${value}`)].join(', ');
  const keys = keyOf(table)
    .map((column) => `t.${column}`)
    .join(', ');
  return `
    WITH batch AS (
      SELECT ${keys}, ${objectOf(keyOf(table))} AS row_key, ${before} AS before FROM ${table.table} t
       WHERE t.${orgOf(table)} = $1 ${movable(table)} ORDER BY ${keys} LIMIT ${BATCH_ROWS} FOR UPDATE
    ), noted AS (INSERT INTO tenant_moves (run_id, table_name, row_key, before)
      SELECT $3, '${table.table}', row_key, before FROM batch)
    UPDATE ${table.table} t SET ${set} FROM batch WHERE ${sameKey(table, 't', 'batch')}
      RETURNING t.${keyOf(table)[0]} AS id`;
}

/** Reads one batch of the ledger, with the first key column of its rows. $1 run. */
export const notedBatch = (table: Moving): string =>
  `SELECT id AS entry, row_key->>'${keyOf(table)[0]}' AS id FROM tenant_moves WHERE run_id = $1
    AND table_name = '${table.table}' ORDER BY tenant_moves.id LIMIT ${BATCH_ROWS}`;

/**
 * Deletes entries from the ledger and moves their rows back. $1 source, $2 entries. Returns the first key column of the
 * rows that still exist.
 */
export function putBackBatch(table: Moving): string {
  // An entry that an older release wrote may lack the column; the row then keeps its current value.
  const restored = Object.entries(table.overrides ?? {}).map(
    ([column, { type }]) =>
      `${column} = CASE WHEN noted.before ? '${column}' THEN (noted.before->>'${column}')::${type} ELSE t.${column} END`,
  );
  const set = [`${orgOf(table)} = $1`, ...restored].join(', ');
  const same = keyOf(table)
    .map((column) => `t.${column} = (noted.row_key->>'${column}')::uuid`)
    .join(' AND ');
  return `
    WITH noted AS (DELETE FROM tenant_moves WHERE id = ANY ($2::bigint[]) RETURNING row_key, before)
    UPDATE ${table.table} t SET ${set} FROM noted WHERE ${same} RETURNING t.${keyOf(table)[0]} AS id`;
}

/** Deletes one batch of the remaining rows. $1 source. */
export function deleteBatch(table: TenantTable): string {
  const keys = keyOf(table)
    .map((column) => `t.${column}`)
    .join(', ');
  return `
    WITH batch AS (SELECT ${keys} FROM ${table.table} t WHERE t.${orgOf(table)} = $1 ORDER BY ${keys}
      LIMIT ${BATCH_ROWS} FOR UPDATE)
    DELETE FROM ${table.table} t USING batch WHERE ${sameKey(table, 't', 'batch')}
      RETURNING t.${keyOf(table)[0]} AS id`;
}

const TENANT_TABLES = `
  SELECT DISTINCT c.table_name FROM information_schema.columns c JOIN information_schema.tables t
    USING (table_schema, table_name)
   WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
     AND NOT (SELECT k.relispartition FROM pg_class k WHERE k.oid = format('%I', c.table_name)::regclass)
     AND c.column_name IN ('org_id', 'partner_id') ORDER BY 1`;

/** Tables with a tenant column that a registry does not declare; a test of every service expects none. */
export async function undeclaredTables(
  registry: TenantRegistry,
  sql: (text: string) => Promise<{ table_name: string }[]>,
): Promise<string[]> {
  const declared = new Set(registry.tables.map(({ table }) => table));
  return (await sql(TENANT_TABLES)).map((row) => row.table_name).filter((table) => !declared.has(table));
}
