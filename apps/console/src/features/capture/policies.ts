import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';

export type CapturePolicy = DataOf<'/configuration-policies', 'get'>['data'][number];
export type Assignment = CapturePolicy['assignments'][number];
export type Level = Assignment['level'];

/** From the widest to the narrowest; the narrowest assignment wins. */
export const LEVELS = ['partner', 'organization', 'site', 'group', 'device'] as const;
/** A device's own page shows where its value comes from. */
export const CHANGES = ['capture', 'devices'];
const PAGE_LENGTH = 50;
const CHOICES = 50;

export const policiesQuery = (orgId: string | undefined, page = 1) =>
  getQuery('capture', '/configuration-policies', {
    query: { orgId, page, limit: PAGE_LENGTH },
    placeholderData: keepPreviousData,
  });

export const policyQuery = (id: string) =>
  getQuery('capture', '/configuration-policies/{id}', { path: { id }, select: ({ data }) => data });

export const effectiveQuery = (deviceId: string) =>
  getQuery('capture', '/devices/{id}/effective-configuration', { path: { id: deviceId }, select: ({ pam }) => pam });

interface Place {
  readonly level: Level;
  readonly orgId: string | undefined;
  readonly search: string;
}

interface Choice {
  readonly id: string;
  readonly name: string;
}

type Read = (place: Place, signal: AbortSignal) => Promise<readonly Choice[]>;

const READS: Readonly<Record<Level, Read>> = {
  partner: () => Promise.resolve([]),
  organization: async ({ search }, signal) => {
    const query = { limit: CHOICES, ...(search && { search }) };
    return (await ok(api.GET('/orgs/organizations', { params: { query }, signal }))).data;
  },
  site: async ({ orgId, search }, signal) => {
    const query = { orgId, limit: CHOICES, ...(search && { search }) };
    return (await ok(api.GET('/orgs/sites', { params: { query }, signal }))).data;
  },
  group: async ({ orgId }, signal) =>
    (await ok(api.GET('/device-groups', { params: { query: { orgId, limit: 100 } }, signal }))).data,
  device: async ({ orgId, search }, signal) => {
    const query = { orgId, limit: CHOICES, ...(search && { search }) };
    const { data } = await ok(api.GET('/devices', { params: { query }, signal }));
    return data.map(({ id, hostname }) => ({ id, name: hostname }));
  },
};

/** The places of a level that a search finds. */
export const placesQuery = (place: Place) =>
  queryOptions({
    queryKey: ['capture', 'places', place],
    queryFn: ({ signal }) => READS[place.level](place, signal),
    placeholderData: keepPreviousData,
  });

export const createPolicy = async (body: BodyOf<'/configuration-policies', 'post'>) =>
  (await ok(api.POST('/configuration-policies', { body }))).data;

/** As it is stored now. */
export const readPolicy = async (id: string): Promise<CapturePolicy> =>
  (await ok(api.GET('/configuration-policies/{id}', { params: { path: { id } } }))).data;

/** The version that was read goes along: a change made in between is not overwritten. */
const versionOf = ({ id, version }: CapturePolicy) => ({
  params: { path: { id }, header: { 'If-Match': `"${version}"` } },
});

export const updatePolicy = (policy: CapturePolicy, body: BodyOf<'/configuration-policies/{id}', 'patch'>) =>
  ok(api.PATCH('/configuration-policies/{id}', { ...versionOf(policy), body }));

export const deletePolicy = (policy: CapturePolicy) =>
  ok(api.DELETE('/configuration-policies/{id}', versionOf(policy)));

export const assignPolicy = (id: string, level: Level, targetId: string) =>
  ok(api.POST('/configuration-policies/{id}/assignments', { params: { path: { id } }, body: { level, targetId } }));

export const unassignPolicy = ({ policyId, id }: Assignment) => {
  const path = { id: policyId, assignmentId: id };
  return ok(api.DELETE('/configuration-policies/{id}/assignments/{assignmentId}', { params: { path } }));
};
