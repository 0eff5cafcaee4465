import { offsetOf, type Page, type PageQuery } from '@gatehouse/contracts-core';
import type { PaginationDto } from '@gatehouse/contracts-pam';
import type { Conditions, Reader } from '@gatehouse/database';

/** The parts of a statement that reads a list. */
export interface ListSql {
  readonly columns: string;
  readonly from: string;
  readonly order: string;
  /** The most rows of the whole list. */
  readonly most?: number;
}

const limitOf = (most: number | undefined): string => (most === undefined ? '' : `LIMIT ${most}`);

/** Reads one page of a list with the count of all its rows, or, without a page, the list as a whole. */
export async function readList<T extends object>(
  reader: Reader,
  { columns, from, order, most }: ListSql,
  where: Conditions,
  page: PageQuery | null,
): Promise<Page<T>> {
  if (!page) {
    const all = `SELECT ${columns} FROM ${from} ${where.where} ORDER BY ${order} ${limitOf(most)}`;
    const rows = await reader.query<T>(all, where.parameters);
    return { rows, total: rows.length };
  }
  const counted = await reader.one<{ total: number }>(
    `SELECT count(*) AS total FROM ${from} ${where.where}`,
    where.parameters,
  );
  const one = `SELECT ${columns} FROM ${from} ${where.where} ORDER BY ${order}
    LIMIT ${where.bind(page.limit)} OFFSET ${where.bind(offsetOf(page))}`;
  return { rows: await reader.query<T>(one, where.parameters), total: counted?.total ?? 0 };
}

/** The pagination of an answer; nothing for a list that came whole. */
export const paginationOf = (page: PageQuery | null, total: number): { pagination?: PaginationDto } =>
  page ? { pagination: { page: page.page, limit: page.limit, total } } : {};
