import { type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export type Device = DataOf<'/devices', 'get'>['data'][number];

export const STATES = ['online', 'offline', 'maintenance', 'decommissioned'] as const;
const PAGE_LENGTH = 50;

interface DeviceFilter {
  readonly org?: string;
  readonly site?: string;
  readonly group?: string;
  readonly status?: (typeof STATES)[number];
  readonly q?: string;
  readonly page?: number;
}

export const devicesQuery = ({ org, site, group, status, q, page }: DeviceFilter) => {
  const query = { limit: PAGE_LENGTH, page: page ?? 1, orgId: org, siteId: site, groupId: group, status, search: q };
  return queryOptions({
    queryKey: ['devices', 'list', query],
    queryFn: ({ signal }) => ok(api.GET('/devices', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
};

export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', 'one', id],
    queryFn: ({ signal }) => ok(api.GET('/devices/{id}', { params: { path: { id } }, signal })),
  });

/** Where each setting of the device comes from. */
export const configurationQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', 'configuration', id],
    queryFn: ({ signal }) => ok(api.GET('/devices/{id}/effective-configuration', { params: { path: { id } }, signal })),
  });

/** The values of the device's custom fields. */
export const fieldValuesQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', 'fields', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/devices/{id}/custom-fields', { params: { path: { id } }, signal }))).data,
  });

const RECENT = 10;

/** The newest requests of a device. */
export const recentRequestsQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['devices', 'requests', deviceId],
    queryFn: async ({ signal }) => {
      const query = { deviceId, limit: RECENT };
      return (await ok(api.GET('/pam/elevation-requests', { params: { query }, signal }))).requests;
    },
  });

export const sitesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['sites', 'of', orgId],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/orgs/sites', { params: { query: { orgId, limit: 100 } }, signal }))).data,
  });

export const moveDevice = (id: string, siteId: string) =>
  ok(api.POST('/devices/{id}/move', { params: { path: { id } }, body: { siteId } }));

export const decommission = (id: string) => ok(api.POST('/devices/{id}/decommission', { params: { path: { id } } }));

export const rotateToken = (id: string) =>
  ok(api.POST('/devices/{id}/agent-token/rotate', { params: { path: { id } } }));
