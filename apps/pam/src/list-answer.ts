import type { PageQuery } from '@gatehouse/contracts-core';
import type { PaginationDto } from '@gatehouse/contracts-pam';

/** The pagination of an answer; nothing for a list that came whole. */
export const paginationOf = (page: PageQuery | null, total: number): { pagination?: PaginationDto } =>
  page ? { pagination: { page: page.page, limit: page.limit, total } } : {};
