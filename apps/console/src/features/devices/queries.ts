import { type DataOf, ok } from '@gatehouse/client';
import { infiniteQueryOptions, keepPreviousData, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, getQuery } from '../../api/client.ts';
import { serverNow } from '../../api/browser.ts';
import { weekAgo } from '../../ui/attention.ts';
import type { Status } from '../../ui/elevation/badges.tsx';
import { requestPageQuery } from '../../ui/elevation/request.ts';

export type Device = DataOf<'/devices', 'get'>['data'][number];
export type MovedDevice = DataOf<'/devices/{id}/move', 'post'>;
export type FieldValue = DataOf<'/devices/{id}/custom-fields', 'get'>['data'][number];
/** Values by the key of the field; null clears one. */
export type ChangedValues = Record<string, string | number | boolean | null>;
export type AuditEntry = DataOf<'/audit-logs', 'get'>['data'][number];

const PAGE_LENGTH = 50;

interface DeviceFilter {
  readonly org?: string;
  readonly site?: string;
  readonly group?: string;
  readonly status?: (typeof STATES)[number];
  /** Not seen for a week. */
  readonly silent?: true;
  readonly q?: string;
  readonly page?: number;
}

export const devicesQuery = ({ org, site, group, status, silent, q, page }: DeviceFilter, limit = PAGE_LENGTH) => {
  const place = { orgId: org, siteId: site, groupId: group };
  const query = {
    ...place,
    ...(silent && { lastSeenBefore: weekAgo(serverNow()) }),
    limit,
    page: page ?? 1,
    status,
    search: q,
  };
  return getQuery('devices', '/devices', { query, placeholderData: keepPreviousData });
};

export const deviceQuery = (id: string) => getQuery('devices', '/devices/{id}', { path: { id } });

/** Where each setting of the device comes from. */
export const configurationQuery = (id: string) =>
  getQuery('devices', '/devices/{id}/effective-configuration', { path: { id } });

/** The policy that decided about the capture of prompts; a caller may see its effect and not the policy itself. */
export const capturePolicyQuery = (id: string) =>
  getQuery('capture', '/configuration-policies/{id}', { path: { id }, select: ({ data }) => data, retry: false });

/** What happens in an organisation to requests that no rule decides. */
export const unmatchedQuery = (orgId: string) =>
  getQuery('capture', '/pam/config', { query: { orgId }, select: ({ config }) => config });

/** The values of the device's custom fields. */
export const fieldValuesQuery = (id: string) =>
  getQuery('devices', '/devices/{id}/custom-fields', { path: { id }, select: ({ data }) => data });

const MAX_FIELDS = 100;

/** The custom fields that devices of an organisation have, with the choices of those that have some. */
export const fieldDefinitionsQuery = (orgId: string) =>
  getQuery('devices', '/custom-fields', { query: { orgId, limit: MAX_FIELDS }, select: ({ data }) => data });

const RECENT = 5;
/** States of a request that gave rights; they end at its `expiresAt`. */
const GRANTED: Status[] = ['approved', 'auto_approved', 'actuating'];

interface RequestFilter {
  readonly status?: Status;
  readonly page?: number;
}

/** The requests of a device, the newest first. They are read anew with all requests. */
export const requestsQuery = (deviceId: string, { status, page }: RequestFilter = {}, limit = PAGE_LENGTH) => {
  const query = { deviceId, limit, page: page ?? 1, status: status && [status] };
  return { ...requestPageQuery('requests', query), placeholderData: keepPreviousData };
};

/** The newest requests of a device. */
export const recentRequestsQuery = (deviceId: string) => requestsQuery(deviceId, {}, RECENT);

/** The elevations of a device that are in force now. */
export const windowsQuery = (deviceId: string) =>
  getQuery('active', '/pam/elevation-requests', {
    query: { deviceId, status: GRANTED, limit: PAGE_LENGTH },
    select: ({ requests }) =>
      requests.filter(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) > serverNow()),
    staleTime: 0,
  });

/** What was done to a device, the newest first; older entries are loaded on demand. */
export const auditQuery = (resourceId: string) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'of-device', resourceId],
    queryFn: ({ signal, pageParam }) => {
      const query = { resourceType: 'device', resourceId, limit: PAGE_LENGTH, ...(pageParam && { cursor: pageParam }) };
      return ok(api.GET('/audit-logs', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const moveDevice = (id: string, siteId: string, orgId?: string) =>
  ok(api.POST('/devices/{id}/move', { params: { path: { id } }, body: { siteId, ...(orgId && { orgId }) } }));

export const renameDevice = (id: string, displayName: string | null) =>
  ok(api.PATCH('/devices/{id}', { params: { path: { id } }, body: { displayName } }));

export const decideReturn = (id: string, answer: 'confirm' | 'refuse') =>
  answer === 'confirm'
    ? ok(api.POST('/devices/{id}/return/confirm', { params: { path: { id } } }))
    : ok(api.POST('/devices/{id}/return/refuse', { params: { path: { id } } }));
export const decommission = (id: string) => ok(api.POST('/devices/{id}/decommission', { params: { path: { id } } }));

export const rotateToken = (id: string) =>
  ok(api.POST('/devices/{id}/agent-token/rotate', { params: { path: { id } } }));

export const updateFieldValues = (id: string, values: ChangedValues) =>
  ok(api.PATCH('/devices/{id}/custom-fields', { params: { path: { id } }, body: { values } }));

const route = getRouteApi('/devices/$deviceId');

/** The device of the address; the screen around the tabs has read it. */
export function useDevice(): Device {
  const { deviceId } = route.useParams();
  return useSuspenseQuery(deviceQuery(deviceId)).data;
}

const SYSTEMS: Readonly<Record<string, string>> = { windows: 'Windows', macos: 'macOS', linux: 'Linux' };

/** The version where it names the system itself, as “Windows 11 23H2” does. */
export function systemOf({
  osType,
  osVersion,
}: {
  readonly osType: string;
  readonly osVersion: string | null;
}): string {
  if (osVersion?.toLowerCase().startsWith(osType.toLowerCase())) return osVersion;
  return [SYSTEMS[osType] ?? osType, osVersion].filter(Boolean).join(' ');
}

export const STATES = ['online', 'offline', 'maintenance', 'awaiting_confirmation', 'decommissioned'] as const;
/** The colour of each status. */
export const COLORS = {
  online: 'green',
  offline: 'gray',
  maintenance: 'yellow',
  awaiting_confirmation: 'orange',
  decommissioned: 'red',
} as const;
