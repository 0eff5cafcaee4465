import { ok } from '@gatehouse/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { type AuditFilter, queryOf } from './model.ts';

const PAGE_LENGTH = 50;

/** The entries, newest first; older ones are loaded on demand. */
export const entriesQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'entries', filter],
    queryFn: ({ signal, pageParam }) => {
      const query = { limit: PAGE_LENGTH, ...queryOf(filter), ...(pageParam && { cursor: pageParam }) };
      return ok(api.GET('/audit-logs', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const entryQuery = (id: string) =>
  queryOptions({
    queryKey: ['audit', 'entry', id],
    queryFn: async ({ signal }) => (await ok(api.GET('/audit-logs/{id}', { params: { path: { id } }, signal }))).data,
    staleTime: Infinity,
  });

/** The chains whose checkpoints the caller may read, each with its newest one. */
export const checkpointsQuery = queryOptions({
  queryKey: ['audit', 'checkpoints'],
  queryFn: async ({ signal }) => (await ok(api.GET('/audit-logs/checkpoints', { signal }))).data,
});

export const verify = (chain?: string) => ok(api.GET('/audit-logs/verify', { params: { query: { chain } } }));

export type ExportFormat = 'jsonl' | 'csv';

/** An address that works once, for a minute: the browser downloads from it and keeps nothing. */
export async function exportAddress(filter: AuditFilter, format: ExportFormat): Promise<string> {
  const body = { filter: queryOf(filter), format };
  return (await ok(api.POST('/audit-logs/exports', { body }))).url;
}
