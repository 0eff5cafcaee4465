import { ok } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { FLOWS } from '../../ui/elevation/request.ts';

const QUEUE_LENGTH = 100;

interface QueueFilter {
  readonly org?: string;
  readonly site?: string;
  readonly flow?: (typeof FLOWS)[number];
  readonly q?: string;
}

/** What waits for a decision, newest first. */
export const queueQuery = ({ org, site, flow, q }: QueueFilter) => {
  const query = {
    status: ['pending' as const],
    limit: QUEUE_LENGTH,
    ...(org && { orgId: org }),
    ...(site && { siteId: site }),
    ...(flow && { flowType: flow }),
    ...(q && { search: q }),
  };
  return queryOptions({
    queryKey: ['approvals', 'queue', query],
    queryFn: ({ signal }) => ok(api.GET('/pam/elevation-requests', { params: { query }, signal })),
    staleTime: 0,
  });
};

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'approval', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/approvals/{id}', { params: { path: { id } }, signal }))).approval,
    staleTime: 0,
  });
