/** A column whose values are sealed with the key ring. Its service registers it, so that a key rotation reaches it. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the row that form its context, in the order of {@link context}'s parameters. */
  readonly boundTo: readonly string[];
  readonly context: (...values: string[]) => string;
}

/** For example `sso_providers.client_secret_sealed`. */
export const nameOfColumn = ({ table, column }: SealedColumn): string => `${table}.${column}`;

const keyIdIn = (column: string): string => `split_part(${column}, '.', 2)`;

/** Counts the values that each key has sealed. */
export const countSql = ({ table, column }: SealedColumn): string =>
  `SELECT ${keyIdIn(column)} AS key_id, count(*)::int AS count FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1`;

export const blocksSql = ({ table }: SealedColumn): string =>
  `SELECT ceil(pg_relation_size('${table}'::regclass) / current_setting('block_size')::numeric)::int AS blocks`;

/**
 * Selects the values in a range of blocks ($1 to $2) that were sealed with another key than $3. The scan follows the
 * physical location on disk, so it costs the same for every table, whatever its primary key. Locked rows are skipped
 * and left for the next pass, so that the scan waits for no lock.
 */
export const takeSql = ({ table, column, boundTo }: SealedColumn): string => `
  SELECT ctid::text AS place, ${column} AS sealed,
    ARRAY[${boundTo.map((name) => `${name}::text`).join(', ')}]::text[] AS bound_to FROM ${table}
   WHERE ctid >= $1::tid AND ctid < $2::tid AND ${column} IS NOT NULL AND ${keyIdIn(column)} <> $3 FOR
     UPDATE SKIP LOCKED`;

export const storeSql = ({ table, column }: SealedColumn): string => `
  UPDATE ${table} SET ${column} = fresh.sealed FROM unnest($1::text[], $2::text[]) AS fresh(place, sealed)
    WHERE ${table}.ctid = fresh.place::tid`;
