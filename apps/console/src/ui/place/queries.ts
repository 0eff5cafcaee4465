import { type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Me } from '../../api/me.ts';
import type { Level } from './tree/queries.ts';

export type Organization = DataOf<'/orgs/organizations', 'get'>['data'][number];
export type Site = DataOf<'/orgs/sites', 'get'>['data'][number];

/** States in which nothing below an organisation can change. */
const FROZEN: readonly Organization['status'][] = ['archived', 'merging', 'purging'];
export const isFrozen = ({ status }: Pick<Organization, 'status'>): boolean => FROZEN.includes(status);

/** One organisation; callers in organisation scope read the list that holds their own. */
export const organizationQuery = (id: string, scope: Me['scope']) =>
  queryOptions({
    queryKey: ['organizations', 'one', id],
    queryFn: async ({ signal }): Promise<Organization> => {
      if (scope === 'organization') {
        const own = (await ok(api.GET('/orgs', { signal }))).data.find((each) => each.id === id);
        if (own) return own;
      }
      return ok(api.GET('/orgs/organizations/{id}', { params: { path: { id } }, signal }));
    },
  });

const MAX_FOUND = 8;

/** The first few organisations that a text finds. */
export const organizationsFoundQuery = (search: string) =>
  queryOptions({
    queryKey: ['organizations', 'found', search],
    queryFn: async ({ signal }): Promise<readonly Pick<Organization, 'id' | 'name'>[]> => {
      const query = { limit: MAX_FOUND, ...(search && { search }) };
      return (await ok(api.GET('/orgs/organizations', { params: { query }, signal }))).data;
    },
    placeholderData: keepPreviousData,
  });

const MAX_SITES = 100;

/** The first hundred sites of an organisation, for choices. */
export const sitesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['sites', 'of', orgId],
    queryFn: async ({ signal }) => {
      const query = { orgId, limit: MAX_SITES, sort: 'name' as const };
      return (await ok(api.GET('/orgs/sites', { params: { query }, signal }))).data;
    },
  });

/** The merge under way that empties an organisation, or null. */
export const mergeOfQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['merge', 'of', orgId],
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_SITES, state: ['queued' as const, 'running' as const] };
      const { data } = await ok(api.GET('/orgs/organizations/merge-runs', { params: { query }, signal }));
      return data.find((run) => run.orgId === orgId) ?? null;
    },
    refetchInterval: 5000,
  });

/** The organisation into which one was merged, or null. */
export const survivorQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['merge', 'survivor', orgId],
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_SITES, state: ['completed' as const] };
      const { data } = await ok(api.GET('/orgs/organizations/merge-runs', { params: { query }, signal }));
      return data.find((run) => run.orgId === orgId)?.survivorId ?? null;
    },
  });

const NAMES: Readonly<Record<Exclude<Level, 'partner'>, (id: string) => Promise<string>>> = {
  organization: async (id) => (await ok(api.GET('/orgs/organizations/{id}', { params: { path: { id } } }))).name,
  site: async (id) => (await ok(api.GET('/orgs/sites/{id}', { params: { path: { id } } }))).name,
  group: async (id) => (await ok(api.GET('/device-groups/{id}', { params: { path: { id } } }))).data.name,
  device: async (id) => (await ok(api.GET('/devices/{id}', { params: { path: { id } } }))).hostname,
};

/** The name of a place; the partner's is not asked for. */
export const placeNameQuery = (level: Level, id: string) =>
  queryOptions({
    queryKey: ['place', 'name', level, id],
    queryFn: () => (level === 'partner' ? Promise.resolve('') : NAMES[level](id)),
    enabled: level !== 'partner',
    staleTime: Infinity,
    retry: false,
  });
