import { type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import type { Me } from '../../api/me.ts';
import type { Level } from './tree/queries.ts';

export type Organization = DataOf<'/orgs/organizations', 'get'>['data'][number];

/** States in which nothing below an organisation can change. */
const FROZEN: readonly Organization['status'][] = ['archived', 'merging', 'purging'];
export const isFrozen = ({ status }: Pick<Organization, 'status'>): boolean => FROZEN.includes(status);

const organizationKey = (id: string): readonly unknown[] =>
  getQuery('organizations', '/orgs/organizations/{id}', { path: { id } }).queryKey;

/** One organisation; callers in organisation scope read the list that holds their own. */
export const organizationQuery = (id: string, scope: Me['scope']) =>
  queryOptions({
    // Queries of one key share what reads them, and the others read the organisation by its id.
    queryKey: scope === 'organization' ? ['organizations', 'own', id] : organizationKey(id),
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
  getQuery('organizations', '/orgs/organizations', {
    query: { limit: MAX_FOUND, ...(search && { search }) },
    select: ({ data }) => data,
    placeholderData: keepPreviousData,
  });

const MAX_SITES = 100;

/** The first hundred sites of an organisation, for choices. */
export const sitesQuery = (orgId: string) =>
  getQuery('sites', '/orgs/sites', {
    query: { orgId, limit: MAX_SITES, sort: 'name' },
    select: ({ data }) => data,
  });

/** The merge under way that empties an organisation, or null. */
export const mergeOfQuery = (orgId: string) =>
  getQuery('merge', '/orgs/organizations/merge-runs', {
    query: { limit: MAX_SITES, state: ['queued', 'running'] },
    select: ({ data }) => data.find((run) => run.orgId === orgId) ?? null,
    refetchInterval: 5000,
  });

/** The organisation into which one was merged, or null. */
export const survivorQuery = (orgId: string) =>
  getQuery('merge', '/orgs/organizations/merge-runs', {
    query: { limit: MAX_SITES, state: ['completed'] },
    select: ({ data }) => data.find((run) => run.orgId === orgId)?.survivorId ?? null,
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
