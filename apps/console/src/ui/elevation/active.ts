import { ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export const ACTIVE_SORTS = [
  'expiresAt',
  '-expiresAt',
  'deviceHostname',
  '-deviceHostname',
  'subjectUsername',
  '-subjectUsername',
] as const;

interface ActiveFilter {
  readonly org?: string;
  readonly sort?: (typeof ACTIVE_SORTS)[number];
}

/** The elevations that are in force, at most 500. */
export const activeQuery = ({ org, sort }: ActiveFilter) =>
  queryOptions({
    queryKey: ['active', 'list', { org, sort }],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/pam/active', { params: { query: { orgId: org, sort } }, signal }))).active,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
