import { keepPreviousData } from '@tanstack/react-query';
import { getQuery } from '../../api/client.ts';

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
  getQuery('active', '/pam/active', {
    query: { orgId: org, sort },
    select: ({ active }) => active,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
