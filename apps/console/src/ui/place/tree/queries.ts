import { ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';

/** From the widest to the narrowest. */
export const LEVELS = ['partner', 'organization', 'site', 'group', 'device'] as const;
export type Level = (typeof LEVELS)[number];

export interface TreePlace {
  readonly level: Level;
  readonly id: string;
  readonly name: string;
  /** The organisation that it lies in; absent above. */
  readonly orgId?: string;
}

export interface Branch {
  readonly places: readonly TreePlace[];
  /** How many there are, also those that are not listed. */
  readonly total: number;
}

const SHOWN = 20;

export const organizationBranch = (search: string) =>
  queryOptions({
    queryKey: ['organizations', 'tree', search],
    queryFn: async ({ signal }): Promise<Branch> => {
      const query = { limit: SHOWN, sort: 'name' as const, ...(search && { search }) };
      const { data, pagination } = await ok(api.GET('/orgs/organizations', { params: { query }, signal }));
      const places = data.map(({ id, name }) => ({ level: 'organization' as const, id, name, orgId: id }));
      return { places, total: pagination.total };
    },
    placeholderData: keepPreviousData,
  });

export const siteBranch = (orgId: string, search: string) =>
  queryOptions({
    queryKey: ['sites', 'tree', orgId, search],
    queryFn: async ({ signal }): Promise<Branch> => {
      const query = { orgId, limit: SHOWN, sort: 'name' as const, ...(search && { search }) };
      const { data, pagination } = await ok(api.GET('/orgs/sites', { params: { query }, signal }));
      return { places: data.map(({ id, name }) => ({ level: 'site', id, name, orgId })), total: pagination.total };
    },
    placeholderData: keepPreviousData,
  });

export const groupBranch = (orgId: string) =>
  queryOptions({
    queryKey: ['devices', 'groups', 'tree', orgId],
    queryFn: async ({ signal }): Promise<Branch> => {
      const query = { orgId, limit: 100 };
      const { data, pagination } = await ok(api.GET('/device-groups', { params: { query }, signal }));
      return { places: data.map(({ id, name }) => ({ level: 'group', id, name, orgId })), total: pagination.total };
    },
    placeholderData: keepPreviousData,
  });

export const deviceBranch = (orgId: string, siteId: string, search: string) =>
  queryOptions({
    queryKey: ['devices', 'tree', siteId, search],
    queryFn: async ({ signal }): Promise<Branch> => {
      const query = { siteId, limit: SHOWN, sort: 'hostname' as const, ...(search && { search }) };
      const { data, pagination } = await ok(api.GET('/devices', { params: { query }, signal }));
      const places = data.map(({ id, displayName, hostname }) => {
        return { level: 'device' as const, id, name: displayName ?? hostname, orgId };
      });
      return { places, total: pagination.total };
    },
    placeholderData: keepPreviousData,
  });
