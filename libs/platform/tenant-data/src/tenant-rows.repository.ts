import type { TenantTable } from './tenant-table.ts';

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
