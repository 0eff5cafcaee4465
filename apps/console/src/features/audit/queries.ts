import { type DataOf, ok } from '@gatehouse/client';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import { type AuditFilter, queryOf } from './model.ts';
import auditWords from '../../words/en/audit.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ audit: auditWords });

const PAGE_LENGTH = 50;
/** At most 500 rows are in the document: with the eleventh page the first one goes. */
const MAX_PAGES = 10;
const WATCH_MS = 15_000;

/** The entries, newest first; older ones are loaded on demand. */
export const entriesQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'entries', queryOf(filter)],
    queryFn: ({ signal, pageParam: cursor }) => {
      const query = { limit: PAGE_LENGTH, ...queryOf(filter), ...(cursor && { cursor }) };
      return ok(api.GET('/audit-logs', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    getPreviousPageParam: () => null,
    maxPages: MAX_PAGES,
    refetchOnWindowFocus: false,
  });

/** The newest page, read again every quarter minute, so that the rows on screen do not move. */
export const newestQuery = (filter: AuditFilter) =>
  getQuery('audit', '/audit-logs', {
    query: { limit: PAGE_LENGTH, ...queryOf(filter) },
    refetchInterval: WATCH_MS,
  });

export const entryQuery = (id: string) =>
  getQuery('audit', '/audit-logs/{id}', { path: { id }, select: ({ data }) => data, staleTime: Infinity });

/** The signed checkpoints of a chain; the caller's own without one. */
export const checkpointsQuery = (chain: string | undefined) =>
  getQuery('audit', '/audit-logs/checkpoints', { query: { chain }, select: ({ data }) => data });

export type Verdict = DataOf<'/audit-logs/verify', 'get'>;

export const verify = (chain: string | undefined): Promise<Verdict> =>
  ok(api.GET('/audit-logs/verify', { params: { query: { chain } } }));

export type ExportFormat = 'jsonl' | 'csv';

/** An address that works once, for a minute: the browser downloads from it and keeps nothing. */
export async function exportAddress(
  filter: AuditFilter,
  chain: string | undefined,
  format: ExportFormat,
): Promise<string> {
  const body = { filter: queryOf(filter), format, ...(chain && { chain }) };
  return (await ok(api.POST('/audit-logs/exports', { body }))).url;
}

const FOUND = 20;

/** People whose acts can be looked for. */
export const peopleQuery = (search: string) =>
  getQuery('people', '/users', {
    query: { limit: FOUND, ...(search && { search }) },
    select: ({ data }) => data,
    placeholderData: keepPreviousData,
  });
