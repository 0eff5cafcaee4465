import { ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions, useQueries } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import type { Operation } from '../../../api/generated/access.ts';
import { useCan } from '../../../api/me.ts';

export type Kind = 'organizations' | 'sites';
interface Place {
  readonly id: string;
  readonly name: string;
}

const MAX_FOUND = 8;
const MAX_NAMED = 20;
const NEEDS: Readonly<Record<Kind, Operation>> = {
  organizations: 'GET /orgs/organizations',
  sites: 'GET /orgs/sites',
};

const find = {
  organizations: (search: string | undefined, _orgId: string | null, signal: AbortSignal) => {
    const query = { limit: MAX_FOUND, sort: 'name' as const, search };
    return ok(api.GET('/orgs/organizations', { params: { query }, signal }));
  },
  sites: (search: string | undefined, orgId: string | null, signal: AbortSignal) => {
    const query = { limit: MAX_FOUND, sort: 'name' as const, search, orgId: orgId ?? undefined };
    return ok(api.GET('/orgs/sites', { params: { query }, signal }));
  },
};

/** The first places that match, and how many there are. */
export const placesQuery = (kind: Kind, orgId: string | null, search: string) =>
  queryOptions({
    queryKey: ['people', 'places', kind, orgId, search],
    queryFn: async ({ signal }): Promise<{ readonly found: readonly Place[]; readonly total: number }> => {
      const { data, pagination } = await find[kind](search || undefined, orgId, signal);
      return { found: data.map(({ id, name }) => ({ id, name })), total: pagination.total };
    },
    placeholderData: keepPreviousData,
  });

const read = {
  organizations: (id: string) => ok(api.GET('/orgs/organizations/{id}', { params: { path: { id } } })),
  sites: (id: string) => ok(api.GET('/orgs/sites/{id}', { params: { path: { id } } })),
};

/** The names of the first places, as far as the caller may read them. */
export function useNames(kind: Kind, ids: readonly string[], most = MAX_NAMED): readonly Place[] {
  const enabled = useCan()(NEEDS[kind]);
  const queries = useQueries({
    queries: ids.slice(0, most).map((id) => ({
      queryKey: ['people', 'place', kind, id],
      queryFn: async (): Promise<Place> => ({ id, name: (await read[kind](id)).name }),
      enabled,
    })),
  });
  return queries.flatMap(({ data }) => (data ? [data] : []));
}
