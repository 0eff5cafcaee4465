import { offsetOf, type Page, type PageQuery } from '@gatehouse/contracts-core';
import type { Conditions, Reader } from '@gatehouse/database';
import { returned } from './assignments.ts';

export interface Listing {
  /** The columns of a row in the answer. */
  readonly columns: string;
  /** The table (or join) that the list reads. */
  readonly from: string;
  readonly conditions: Conditions;
  /** Columns of one index that end in a unique one, so that no row appears on two pages. */
  readonly order: readonly string[];
  /** The number of rows, if it is known without counting. */
  readonly totalOf?: (reader: Reader) => Promise<number>;
}

interface Window {
  readonly direction: 'ASC' | 'DESC';
  readonly offset: number;
  readonly limit: number;
}

/** Reads the page from the nearer end of the index, so that the last page costs as little as the first. */
function windowOf(query: PageQuery, total: number): Window {
  const offset = offsetOf(query);
  const limit = Math.min(query.limit, total - offset);
  return offset + limit / 2 <= total / 2
    ? { direction: 'ASC', offset, limit }
    : { direction: 'DESC', offset: total - offset - limit, limit };
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
  const { direction, offset, limit } = windowOf(query, total);
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
  return { rows: direction === 'ASC' ? rows : rows.reverse(), total };
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
  } = listing;
  const keys = order.map((_, at) => `key_${at}`);
  const at = parameters.length;
  const [hits] = await reader.queryAfresh<Hits>(
    `
    WITH hits AS MATERIALIZED (SELECT ${order.map((column, n) => `${column} AS key_${n}`).join(', ')} FROM ${from} ${where})
    SELECT (SELECT count(*) FROM hits) AS total, ARRAY(SELECT ${keys.at(-1)} FROM hits ORDER BY ${keys.join(', ')} LIMIT $${at + 1} OFFSET $${at + 2}) AS page_ids`,
    [...parameters, query.limit, offsetOf(query)],
  );
  const { total, pageIds } = returned(hits);
  if (pageIds.length === 0) return { rows: [], total };
  const rows = await reader.query<T>(
    `SELECT ${columns} FROM ${from} WHERE ${keyOf(listing)} = ANY ($1::uuid[]) ORDER BY ${order.join(', ')}`,
    [pageIds],
  );
  return { rows, total };
}
