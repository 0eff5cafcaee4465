import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData } from '@tanstack/react-query';
import { api, getQuery } from '../../../api/client.ts';

export type DeviceGroup = DataOf<'/device-groups', 'get'>['data'][number];

/** Members of a group are devices; policies can be assigned to a group. */
export const CHANGES = ['devices', 'capture', 'software-policies'];
const PAGE_LENGTH = 50;
const CHOICES = 100;

export const groupsQuery = (orgId: string, page = 1) => {
  const query = { orgId, page, limit: PAGE_LENGTH };
  return getQuery('devices', '/device-groups', { query, placeholderData: keepPreviousData });
};

/** The first hundred groups of an organisation, for names and choices. */
export const groupChoicesQuery = (orgId: string) =>
  getQuery('devices', '/device-groups', { query: { orgId, limit: CHOICES }, select: ({ data }) => data });

export const groupQuery = (id: string) =>
  getQuery('devices', '/device-groups/{id}', { path: { id }, select: ({ data }) => data });

export const createGroup = async (body: BodyOf<'/device-groups', 'post'>) =>
  (await ok(api.POST('/device-groups', { body }))).data;

export const updateGroup = (id: string, body: BodyOf<'/device-groups/{id}', 'patch'>) =>
  ok(api.PATCH('/device-groups/{id}', { params: { path: { id } }, body }));

export const deleteGroup = (id: string) => ok(api.DELETE('/device-groups/{id}', { params: { path: { id } } }));

export const addDevices = (id: string, deviceIds: readonly string[]) =>
  ok(api.POST('/device-groups/{id}/devices', { params: { path: { id } }, body: { deviceIds: [...deviceIds] } }));

export const removeDevices = (id: string, deviceIds: readonly string[]) =>
  ok(api.DELETE('/device-groups/{id}/devices', { params: { path: { id } }, body: { deviceIds: [...deviceIds] } }));
