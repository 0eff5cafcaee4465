import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';

export type Organization = DataOf<'/orgs/organizations', 'get'>['data'][number];
export type OrganizationPage = DataOf<'/orgs/organizations', 'get'>;
export type Summary = DataOf<'/orgs/organizations/summary', 'get'>['data'][number];
export type Site = DataOf<'/orgs/sites', 'get'>['data'][number];
export type EnrollmentKey = DataOf<'/enrollment-keys', 'get'>['data'][number];

export const STATUSES = ['active', 'trial', 'suspended', 'offboarding', 'churned', 'archived'] as const;
export const SORTS = ['name', '-name', 'createdAt', '-createdAt'] as const;
const PAGE_LENGTH = 50;

interface OrganizationFilter {
  readonly status?: (typeof STATUSES)[number];
  readonly q?: string;
  readonly sort?: (typeof SORTS)[number];
  readonly page?: number;
  /** Of one partner, for operators. */
  readonly partner?: string;
}

export const organizationsQuery = ({ status, q, sort, page, partner }: OrganizationFilter) => {
  const which = { search: q, sort, status: status && [status], partnerId: partner };
  const query = { limit: PAGE_LENGTH, page: page ?? 1, ...which };
  return getQuery('organizations', '/orgs/organizations', { query, placeholderData: keepPreviousData });
};

/** The one organisation of a caller in organisation scope. */
export const ownOrganizationQuery = getQuery('organizations', '/orgs', { select: ({ data }) => data });

export const organizationQuery = (id: string) =>
  getQuery('organizations', '/orgs/organizations/{id}', { path: { id } });

const byOrganization = ({ data }: { readonly data: readonly Summary[] }) =>
  new Map(data.map((summary) => [summary.orgId, summary]));

/** Devices, people, waiting requests and sign-on of at most a hundred organisations. */
export const summariesQuery = (ids: readonly string[]) =>
  getQuery('organizations', '/orgs/organizations/summary', {
    query: { ids: [...ids] },
    select: byOrganization,
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });

export const keysQuery = (orgId: string) =>
  getQuery('enrollment', '/enrollment-keys', { query: { orgId, limit: 100 }, select: ({ data }) => data });

export const createOrganization = (body: BodyOf<'/orgs/organizations', 'post'>) =>
  ok(api.POST('/orgs/organizations', { body }));

/** As it is stored now. */
export const readOrganization = (id: string): Promise<Organization> =>
  ok(api.GET('/orgs/organizations/{id}', { params: { path: { id } } }));

/** The version that was read goes along: a change made in between is not overwritten. */
export const updateOrganization = (
  { id, version }: Organization,
  body: BodyOf<'/orgs/organizations/{id}', 'patch'>,
) => {
  const header = { 'If-Match': `"${version}"` };
  return ok(api.PATCH('/orgs/organizations/{id}', { params: { path: { id }, header }, body }));
};

export const archiveOrganization = (id: string, retentionDays: number | null) =>
  ok(api.POST('/orgs/organizations/{id}/archive', { params: { path: { id } }, body: { retentionDays } }));

export const deleteOrganization = (id: string) =>
  ok(api.DELETE('/orgs/organizations/{id}', { params: { path: { id } } }));

export const restoreOrganization = (id: string) =>
  ok(api.POST('/orgs/organizations/{id}/restore', { params: { path: { id } } }));

export const createSite = (body: BodyOf<'/orgs/sites', 'post'>) => ok(api.POST('/orgs/sites', { body }));

export const updateSite = (id: string, body: BodyOf<'/orgs/sites/{id}', 'patch'>) =>
  ok(api.PATCH('/orgs/sites/{id}', { params: { path: { id } }, body }));

export const deleteSite = (id: string) => ok(api.DELETE('/orgs/sites/{id}', { params: { path: { id } } }));

export const createKey = (body: BodyOf<'/enrollment-keys', 'post'>) => ok(api.POST('/enrollment-keys', { body }));

/** Gives the key a new value. */
export const rotateKey = (id: string) => ok(api.POST('/enrollment-keys/{id}/rotate', { params: { path: { id } } }));

export const deleteKey = (id: string) => ok(api.DELETE('/enrollment-keys/{id}', { params: { path: { id } } }));

/** What a merge of one organisation into another would do. */
export const previewQuery = (id: string, survivorId: string) =>
  queryOptions({
    queryKey: ['merge', 'preview', id, survivorId],
    queryFn: () =>
      ok(api.POST('/orgs/organizations/{id}/merge-preview', { params: { path: { id } }, body: { survivorId } })),
    staleTime: Infinity,
  });

export const startMerge = (id: string, body: BodyOf<'/orgs/organizations/{id}/merge', 'post'>) =>
  ok(api.POST('/orgs/organizations/{id}/merge', { params: { path: { id } }, body }));

const POLL_MS = 1000;
const RUNNING = ['queued', 'running'];

export const mergeRunQuery = (id: string) =>
  getQuery('merge', '/orgs/organizations/merge-runs/{id}', {
    path: { id },
    refetchInterval: ({ state }) => (state.data && !RUNNING.includes(state.data.state) ? false : POLL_MS),
  });

/** The order in which the partner's lists show its organisations; empty before one was set. */
export const storedOrderQuery = getQuery('organizations', '/orgs/partners/me', {
  select: ({ settings: { organizationOrder: order } }): readonly string[] =>
    Array.isArray(order) ? order.map(String) : [],
});

export const orderOrganizations = (order: readonly string[]) =>
  ok(api.PATCH('/orgs/organizations/order', { body: { organizationOrder: [...order] } }));

/**
 * The order of all organisations after one takes the place of its neighbour in the list.
 * @param stored the order that the partner has set; empty before it has set one
 * @param shown the organisations of the page, in the order in which they are listed
 */
export function orderAfter(
  stored: readonly string[],
  shown: readonly string[],
  { id, neighbour }: { readonly id: string; readonly neighbour: string },
): readonly string[] {
  const order = stored.length > 0 ? stored : shown;
  const isDown = order.indexOf(id) < order.indexOf(neighbour);
  const others = order.filter((one) => one !== id);
  const at = others.indexOf(neighbour) + (isDown ? 1 : 0);
  return [...others.slice(0, at), id, ...others.slice(at)];
}

/** Rows in an order; those that it does not name follow as they were. */
export function inOrder<Row extends { readonly id: string }>(rows: readonly Row[], order: readonly string[]): Row[] {
  const place = new Map(order.map((id, at) => [id, at]));
  return [...rows].sort((a, b) => (place.get(a.id) ?? order.length) - (place.get(b.id) ?? order.length));
}
