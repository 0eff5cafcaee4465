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

interface Answer<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number };
}

const branchQuery = <Row>(
  key: readonly (string | undefined)[],
  read: (signal: AbortSignal) => Promise<Answer<Row>>,
  placeOf: (row: Row) => TreePlace,
) =>
  queryOptions({
    queryKey: key,
    queryFn: async ({ signal }): Promise<Branch> => {
      const { data, pagination } = await read(signal);
      return { places: data.map(placeOf), total: pagination.total };
    },
    placeholderData: keepPreviousData,
  });

export const organizationBranch = (search: string) => {
  const query = { limit: SHOWN, sort: 'name' as const, ...(search && { search }) };
  return branchQuery(
    ['organizations', 'tree', search],
    (signal) => ok(api.GET('/orgs/organizations', { params: { query }, signal })),
    ({ id, name }) => ({ level: 'organization', id, name, orgId: id }),
  );
};

export const siteBranch = (orgId: string, search: string) => {
  const query = { orgId, limit: SHOWN, sort: 'name' as const, ...(search && { search }) };
  return branchQuery(
    ['sites', 'tree', orgId, search],
    (signal) => ok(api.GET('/orgs/sites', { params: { query }, signal })),
    ({ id, name }) => ({ level: 'site', id, name, orgId }),
  );
};

export const groupBranch = (orgId: string) =>
  branchQuery(
    ['devices', 'groups', 'tree', orgId],
    (signal) => ok(api.GET('/device-groups', { params: { query: { orgId, limit: 100 } }, signal })),
    ({ id, name }) => ({ level: 'group', id, name, orgId }),
  );

export const deviceBranch = (orgId: string, siteId: string, search: string) => {
  const query = { siteId, limit: SHOWN, sort: 'hostname' as const, ...(search && { search }) };
  return branchQuery(
    ['devices', 'tree', siteId, search],
    (signal) => ok(api.GET('/devices', { params: { query }, signal })),
    ({ id, displayName, hostname }) => ({ level: 'device', id, name: displayName ?? hostname, orgId }),
  );
};
