import { keepPreviousData } from '@tanstack/react-query';
import { getQuery } from '../../api/client.ts';
import { changePreferences, preferences } from '../preferences.ts';

export interface Place {
  readonly id: string;
  readonly name: string;
  /** Of an organisation, as its short name. */
  readonly partnerId?: string;
  readonly slug?: string;
}

const SHOWN = 20;
const RECENT = 5;

export const organizationsFound = (search: string) =>
  getQuery('organizations', '/orgs/organizations', {
    query: { limit: SHOWN, ...(search && { search }) },
    select: ({ data }): readonly Place[] => data,
    placeholderData: keepPreviousData,
  });

/** The sites of an organisation, or of the caller's own. */
export const sitesFound = (orgId: string | undefined, search: string) =>
  getQuery('sites', '/orgs/sites', {
    query: { limit: SHOWN, ...(orgId && { orgId }), ...(search && { search }) },
    select: ({ data }): readonly Place[] => data,
    placeholderData: keepPreviousData,
  });

/** One organisation by its id: what is starred or recent is kept as ids alone. */
export const organizationNamed = (id: string | undefined) =>
  getQuery('organizations', '/orgs/organizations/{id}', { path: { id: id! }, enabled: id !== undefined });

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
