import { offsetOf, type Page, type PageQuery, sortOrderOf } from '@gatehouse/contracts-core';
import type { Conditions, Reader } from '@gatehouse/database';
import { returned } from './rows.repository.ts';

export interface Listing {
  /** The columns of a row in the answer. */
  readonly columns: string;
  /** The table (or join) that the list reads. */
  readonly from: string;
  readonly conditions: Conditions;
  /** Columns of one index that end in a unique one, so that no row appears on two pages. */
  readonly order: readonly string[];
  readonly descending?: boolean;
  /** The number of rows, if it is known without counting. */
  readonly totalOf?: (reader: Reader) => Promise<number>;
}

interface Window {
  readonly direction: 'ASC' | 'DESC';
  /** The rows are read from the end of the list. */
  readonly isReversed: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * The order that a client requests with `sort`, by a column of its own that the route's closed list maps to a field.
 * @param standard the order without `sort`; its last column is unique
 */
export function orderBy(
  sort: string | undefined,
  columns: Readonly<Record<string, string>>,
  standard: readonly string[],
): Required<Pick<Listing, 'order' | 'descending'>> {
  const wanted = sortOrderOf(sort);
  const column = wanted && columns[wanted.field];
  if (!column) return { order: standard, descending: false };
  return { order: [column, standard.at(-1) ?? ''], descending: wanted.descending };
}

/** Reads the page from the nearer end of the index, so that the last page costs as little as the first. */
function windowOf(query: PageQuery, total: number, descending: boolean): Window {
  const offset = offsetOf(query);
  const limit = Math.min(query.limit, total - offset);
  const isNearStart = offset + limit / 2 <= total / 2;
  return {
    direction: isNearStart === descending ? 'DESC' : 'ASC',
    isReversed: !isNearStart,
    offset: isNearStart ? offset : total - offset - limit,
    limit,
  };
}

async function countRows(reader: Reader, { from, conditions }: Listing): Promise<number> {
  const [counted] = await reader.queryAfresh<{ total: number }>(
    `SELECT count(*) AS total FROM ${from} ${conditions.where}`,
    conditions.parameters,
  );
  return counted?.total ?? 0;
}

const keyOf = ({ order }: Listing): string => order.at(-1) ?? '';

/** One page and the exact total, in two statements. */
export async function listPage<T extends object>(reader: Reader, query: PageQuery, listing: Listing): Promise<Page<T>> {
  const total = await (listing.totalOf ? listing.totalOf(reader) : countRows(reader, listing));
  const { direction, isReversed, offset, limit } = windowOf(query, total, listing.descending ?? false);
  if (limit <= 0) return { rows: [], total };
  const {
    columns,
    from,
    conditions: { where, parameters },
    order,
  } = listing;
  const by = order.map((column) => `${column} ${direction}`).join(', ');
  const at = parameters.length;
  // Reads the ids first, from the index alone, so that columns are computed only for the rows of the page and not for
  // those before it.
  const key = keyOf(listing);
  const page = `SELECT ${key} AS page_id FROM ${from} ${where} ORDER BY ${by} LIMIT $${at + 1} OFFSET $${at + 2}`;
  const rows = await reader.queryAfresh<T>(
    `SELECT ${columns} FROM ${from} JOIN (${page}) page ON ${key} = page.page_id ORDER BY ${by}`,
    [...parameters, limit, offset],
  );
  return { rows: isReversed ? rows.reverse() : rows, total };
}

interface Hits {
  readonly total: number;
  readonly pageIds: readonly string[];
}

/**
 * As {@link listPage} for a condition that no index serves: one scan reads each row once, for both the total and the
 * page.
 */
export async function searchPage<T extends object>(
  reader: Reader,
  query: PageQuery,
  listing: Listing,
): Promise<Page<T>> {
  const {
    columns,
    from,
    conditions: { where, parameters },
    order,
    descending = false,
  } = listing;
  const keys = order.map((_, at) => `key_${at}`);
  const inOrder = (keysOfRow: readonly string[]): string =>
    keysOfRow.map((key) => (descending ? `${key} DESC` : key)).join(', ');
  const at = parameters.length;
  const [hits] = await reader.queryAfresh<Hits>(
    `
    WITH hits AS MATERIALIZED (
      SELECT ${order.map((column, n) => `${column} AS key_${n}`).join(', ')} FROM ${from} ${where})
    SELECT (SELECT count(*) FROM hits) AS total, ARRAY(
      SELECT ${keys.at(-1)} FROM hits ORDER BY ${inOrder(keys)} LIMIT $${at + 1} OFFSET $${at + 2}) AS page_ids`,
    [...parameters, query.limit, offsetOf(query)],
  );
  const { total, pageIds } = returned(hits);
  if (pageIds.length === 0) return { rows: [], total };
  const rows = await reader.query<T>(
    `SELECT ${columns} FROM ${from} WHERE ${keyOf(listing)} = ANY ($1::uuid[]) ORDER BY ${inOrder(order)}`,
    [pageIds],
  );
  return { rows, total };
}
