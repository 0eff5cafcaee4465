/**
 * A column whose values the key ring seals. Every one is listed by its service, so that a change of keys reaches it.
 */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Columns of the row that its context is made of, in the order in which {@link context} takes them. */
  readonly boundTo: readonly string[];
  readonly context: (...values: string[]) => string;
}

/** `sso_providers.client_secret_sealed` */
export const nameOfColumn = ({ table, column }: SealedColumn): string => `${table}.${column}`;

const keyIdIn = (column: string): string => `split_part(${column}, '.', 2)`;

/** How many values each key has sealed. */
export const countSql = ({ table, column }: SealedColumn): string =>
  `SELECT ${keyIdIn(column)} AS key_id, count(*)::int AS count FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1`;

export const blocksSql = ({ table }: SealedColumn): string =>
  `SELECT ceil(pg_relation_size('${table}'::regclass) / current_setting('block_size')::numeric)::int AS blocks`;

/**
 * The values in a range of blocks ($1 to $2) that another key than $3 has sealed. Rows are walked by their place on
 * disk, which costs the
 * same for every table, whatever its key is; rows in use are left for the next pass, so that nobody waits.
 */
export const takeSql = ({ table, column, boundTo }: SealedColumn): string => `
  SELECT ctid::text AS place, ${column} AS sealed, ARRAY[${boundTo.map((name) => `${name}::text`).join(', ')}]::text[] AS bound_to FROM ${table}
   WHERE ctid >= $1::tid AND ctid < $2::tid AND ${column} IS NOT NULL AND ${keyIdIn(column)} <> $3 FOR UPDATE SKIP LOCKED`;

export const storeSql = ({ table, column }: SealedColumn): string => `
  UPDATE ${table} SET ${column} = fresh.sealed FROM unnest($1::text[], $2::text[]) AS fresh(place, sealed) WHERE ${table}.ctid = fresh.place::tid`;
