import { type DataOf, ok } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export type ReachingPolicy = DataOf<'/pam/software-policies', 'get'>['softwarePolicies'][number];

const MOST = 100;

/** The first hundred policies that can reach an organisation, also those of the partner, in the order of trial. */
export const reachingPoliciesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['software-policies', 'reaching', orgId],
    queryFn: async ({ signal }) => {
      const query = { orgId, page: 1, limit: MOST };
      const { softwarePolicies, pagination } = await ok(
        api.GET('/pam/software-policies', { params: { query }, signal }),
      );
      return { policies: softwarePolicies, total: pagination?.total ?? softwarePolicies.length };
    },
  });
