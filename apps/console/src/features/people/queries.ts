import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';

export type Person = DataOf<'/users', 'get'>['data'][number];
export type Membership = Person['memberships'][number];
export type Role = DataOf<'/roles', 'get'>['data'][number];
export type KeyPolicy = DataOf<'/api-keys/policy', 'get'>['data'];
export type ApiKey = DataOf<'/api-keys', 'get'>['data'][number];
export type Permission = Role['permissions'][number];

export const STATUSES = ['invited', 'active', 'suspended'] as const;
export const SORTS = ['name', '-name', 'email', '-email', 'lastLoginAt', '-lastLoginAt'] as const;
/** Whose data a change of people makes stale. */
export const CHANGES = ['people'];
const PAGE_LENGTH = 50;

interface PeopleFilter {
  readonly org?: string;
  readonly status?: (typeof STATUSES)[number];
  readonly role?: string;
  readonly q?: string;
  /** Open invitations that expire before this instant. */
  readonly expiresBefore?: string;
  readonly sort?: (typeof SORTS)[number];
  readonly page?: number;
}

export const peopleQuery = ({ org, status, role, q, expiresBefore, sort, page }: PeopleFilter) => {
  const named = { orgId: org, status, roleId: role, search: q, expiresBefore, sort };
  const query = { limit: PAGE_LENGTH, page: page ?? 1, ...named };
  return getQuery('people', '/users', { query, placeholderData: keepPreviousData });
};

/** Reads the lists anew after a person has left them; what was read about the person itself is gone. */
export function useForget(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: ['people', '/users'] });
}

const byId = (id: string) => ({ params: { path: { id } } });

export const personQuery = (id: string) =>
  getQuery('people', '/users/{id}', { path: { id }, select: ({ data }) => data });

export const sessionsQuery = (id: string) =>
  getQuery('people', '/users/{id}/sessions', { path: { id }, select: ({ data }) => data });

export const invitationQuery = (id: string) =>
  getQuery('people', '/users/{id}/invitation', { path: { id }, select: ({ data }) => data });

/** The roles of the caller's place: those of its partner's people say nothing to an organisation. */
export function useRoles() {
  const axis = useMe().scope === 'organization' ? 'organization' : undefined;
  return useQuery(getQuery('people', '/roles', { query: { axis }, select: ({ data }) => data }));
}

export const apiKeysQuery = getQuery('people', '/api-keys', { select: ({ data }) => data });

export const keyPolicyQuery = (orgId: string | undefined) =>
  getQuery('people', '/api-keys/policy', {
    query: orgId ? { orgId } : { ownerScope: 'partner' },
    select: ({ data }) => data,
  });

export const invite = (body: BodyOf<'/users', 'post'>) => ok(api.POST('/users', { body }));
export const updatePerson = (id: string, body: BodyOf<'/users/{id}', 'patch'>) =>
  ok(api.PATCH('/users/{id}', { ...byId(id), body }));
export const inviteAgain = (id: string) => ok(api.POST('/users/{id}/invitation', byId(id)));
export const withdrawInvitation = (id: string) => ok(api.DELETE('/users/{id}/invitation', byId(id)));
export const removePerson = (id: string) => ok(api.DELETE('/users/{id}', byId(id)));
export const signOutEverywhere = (id: string) => ok(api.DELETE('/users/{id}/sessions', byId(id)));
export const removeFactors = (id: string) => ok(api.DELETE('/users/{id}/mfa', byId(id)));
export const createRole = (body: BodyOf<'/roles', 'post'>) => ok(api.POST('/roles', { body }));
/** A role as it is stored now; there is no route for one alone. */
export async function readRole(id: string): Promise<Role> {
  const role = (await ok(api.GET('/roles'))).data.find((one) => one.id === id);
  if (!role) throw new Error('the role is gone');
  return role;
}

/** The version that was read goes along: a change made in between is not overwritten. */
const versionOf = ({ id, version }: Role) => ({
  params: { path: { id }, header: { 'If-Match': `"${version}"` } },
});

export const updateRole = ({ role, changes }: { role: Role; changes: BodyOf<'/roles/{id}', 'patch'> }) =>
  ok(api.PATCH('/roles/{id}', { ...versionOf(role), body: changes }));
export const deleteRole = (role: Role) => ok(api.DELETE('/roles/{id}', versionOf(role)));
export const createApiKey = (body: BodyOf<'/api-keys', 'post'>) => ok(api.POST('/api-keys', { body }));
export const setKeyPolicy = (body: BodyOf<'/api-keys/policy', 'put'>) => ok(api.PUT('/api-keys/policy', { body }));
export const deleteApiKey = (id: string) => ok(api.DELETE('/api-keys/{id}', byId(id)));

/** The colour of each status. */
export const COLORS = { invited: 'yellow', active: 'green', suspended: 'gray' } as const;

export const EXPIRIES = ['day', 'threeDays'] as const;
type Expiry = (typeof EXPIRIES)[number];

const HOUR_MS = 60 * 60_000;
const HOURS: Readonly<Record<Expiry, number>> = { day: 24, threeDays: 72 };

/** Until when an invitation expires that is looked for: a full hour, so that the list is not read anew all the time. */
export const expiresBefore = (expiry: Expiry, now: number): string =>
  new Date((Math.ceil(now / HOUR_MS) + HOURS[expiry]) * HOUR_MS).toISOString();
