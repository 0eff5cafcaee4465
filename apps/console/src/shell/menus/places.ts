import { ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { changePreferences, preferences } from '../preferences.ts';

export interface Place {
  readonly id: string;
  readonly name: string;
}

const SHOWN = 20;
const RECENT = 5;

export const organizationsFound = (search: string) =>
  queryOptions({
    queryKey: ['organizations', 'switcher', search],
    queryFn: async ({ signal }): Promise<readonly Place[]> => {
      const query = { limit: SHOWN, ...(search && { search }) };
      return (await ok(api.GET('/orgs/organizations', { params: { query }, signal }))).data;
    },
    placeholderData: keepPreviousData,
  });

/** The sites of an organisation, or of the caller's own. */
export const sitesFound = (orgId: string | undefined, search: string) =>
  queryOptions({
    queryKey: ['sites', 'switcher', orgId, search],
    queryFn: async ({ signal }): Promise<readonly Place[]> => {
      const query = { limit: SHOWN, ...(orgId && { orgId }), ...(search && { search }) };
      return (await ok(api.GET('/orgs/sites', { params: { query }, signal }))).data;
    },
    placeholderData: keepPreviousData,
  });

/** One organisation by its id: what is starred or recent is kept as ids alone. */
export const organizationNamed = (id: string | undefined) =>
  queryOptions({
    queryKey: ['organizations', 'switcher', 'one', id],
    enabled: id !== undefined,
    queryFn: ({ signal }): Promise<Place> =>
      ok(api.GET('/orgs/organizations/{id}', { params: { path: { id: id! } }, signal })),
  });

export const siteNamed = (id: string | undefined) =>
  queryOptions({
    queryKey: ['sites', 'switcher', 'one', id],
    enabled: id !== undefined,
    queryFn: ({ signal }): Promise<Place> => ok(api.GET('/orgs/sites/{id}', { params: { path: { id: id! } }, signal })),
  });

/** What was chosen last stands first, once. */
export const withRecent = (recent: readonly string[], id: string): readonly string[] =>
  [id, ...recent.filter((one) => one !== id)].slice(0, RECENT);

/** A star is set, or taken away. */
export const withStar = (starred: readonly string[], id: string): readonly string[] =>
  starred.includes(id) ? starred.filter((one) => one !== id) : [...starred, id];

export const rememberOrganization = (id: string): void =>
  changePreferences({ recentOrganizations: withRecent(preferences().recentOrganizations, id) });

export const toggleStar = (id: string): void =>
  changePreferences({ starredOrganizations: withStar(preferences().starredOrganizations, id) });

/** Each organisation in the first group that has it. */
export function grouped(starred: readonly Place[], recent: readonly Place[], found: readonly Place[]) {
  const known = new Set<string>();
  const fresh = (places: readonly Place[]) => places.filter(({ id }) => !known.has(id) && known.add(id));
  return { starred: fresh(starred), recent: fresh(recent), found: fresh(found) };
}
