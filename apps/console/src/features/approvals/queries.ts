import { type BodyOf, ok } from '@gatehouse/client';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { FLOWS } from './model.ts';

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

/** One request with everything that is kept about it. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'request', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/pam/elevation-requests/{id}', { params: { path: { id } }, signal }))).request,
    staleTime: 0,
  });

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'approval', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/approvals/{id}', { params: { path: { id } }, signal }))).approval,
    staleTime: 0,
  });

export interface Answer extends BodyOf<'/pam/elevation-requests/{id}/respond', 'post'> {
  readonly id: string;
}

export const respond = ({ id, ...body }: Answer) =>
  ok(api.POST('/pam/elevation-requests/{id}/respond', { params: { path: { id } }, body }));

/** Decides one request; lists that show it are read anew. */
export function useRespond() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: respond,
    onSettled: () => {
      for (const feature of ['approvals', 'requests', 'active', 'overview'])
        void queryClient.invalidateQueries({ queryKey: [feature] });
    },
  });
}
