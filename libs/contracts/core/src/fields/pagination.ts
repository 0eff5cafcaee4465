import { Transform } from 'class-transformer';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { Known } from './field.ts';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;
/** Keeps `offset` well inside a 64-bit integer for every requested page. */
const LAST_PAGE = 2 ** 31 - 1;

/** Clamps a query value into min..max; anything that is not a number becomes the default. */
export function clamp(raw: unknown, min: number, max: number, fallback: number): number {
  const value = Number(raw);
  if (raw === undefined || raw === '' || Number.isNaN(value)) return fallback;
  return Math.trunc(Math.min(Math.max(value, min), max));
}

/** TEN-12: page from 1, limit 1 to 100, out-of-range values clamped. */
export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, default: 1 })
  @Known()
  @Allow()
  @Transform(({ value }) => clamp(value, 1, LAST_PAGE, 1))
  page: number = 1;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE })
  @Known()
  @Allow()
  @Transform(({ value }) => clamp(value, 1, MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE))
  limit: number = DEFAULT_PAGE_SIZE;
}

/** For lists that come whole unless the query names a page or a limit. */
export class OptionalPageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'With `page` or `limit` the list is paginated.' })
  @Known()
  @Allow()
  @Transform(({ value }) => clamp(value, 1, LAST_PAGE, 1))
  page?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE })
  @Known()
  @Allow()
  @Transform(({ value }) => clamp(value, 1, MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE))
  limit?: number;
}

/** The page that a query names, or null for the whole list. */
export const pageNamedBy = ({ page, limit }: OptionalPageQuery): PageQuery | null =>
  page === undefined && limit === undefined ? null : { page: page ?? 1, limit: limit ?? DEFAULT_PAGE_SIZE };

export interface Page<T> {
  readonly rows: T[];
  readonly total: number;
}

export const offsetOf = (query: PageQuery): number => (query.page - 1) * query.limit;

/** The paginated envelope: `{ data, pagination: { page, limit, total } }`. */
export const paged = <T>(query: PageQuery, page: Page<T>) => ({
  data: page.rows,
  pagination: { page: query.page, limit: query.limit, total: page.total },
});
