import { ok } from '@gatehouse/client';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { api } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import type { ElevationRequest, FLOWS } from '../../ui/elevation/request.ts';
import { afterDeciding, afterReading, EMPTY, type Queue, withArrived } from './model.ts';

/** The most that one page holds. */
export const QUEUE_LENGTH = 100;
/** What was read for a screen is not read again when the screen stands; events make it stale at once. */
const FRESH_MS = 1_000;

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
    staleTime: FRESH_MS,
  });
};

interface Opening {
  readonly context: { readonly queryClient: QueryClient };
  readonly search: QueueFilter;
}

/** Asks for the rows while their screen is loaded. */
export const readAhead = ({ context, search }: Opening): void =>
  void context.queryClient.prefetchQuery(queueQuery(search));

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'approval', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/approvals/{id}', { params: { path: { id } }, signal }))).approval,
    staleTime: 0,
  });

/** Denies the request behind the card and records the report. */
export const reportSuspicious = (id: string) =>
  ok(api.POST('/approvals/{id}/report-suspicious', { params: { path: { id } }, body: {} as never }));

type Step =
  | { readonly kind: 'read'; readonly list: readonly ElevationRequest[]; readonly total: number }
  | { readonly kind: 'decided'; readonly id: string }
  | { readonly kind: 'show' };

function reduce(queue: Queue, step: Step): Queue {
  if (step.kind === 'read') return afterReading(queue, step.list, serverNow(), step.total);
  return step.kind === 'decided' ? afterDeciding(queue, step.id, serverNow()) : withArrived(queue);
}

const SWEEP_MS = 1000;

/** The queue on screen: it follows the server without moving a row. */
export function useQueue(filter: Parameters<typeof queueQuery>[0]) {
  const query = useQuery(queueQuery(filter));
  const list = query.data?.requests;
  const total = query.data?.pagination.total ?? 0;
  // What is known already stands in the first paint.
  const [queue, step] = useReducer(reduce, list, (known) => (known ? afterReading(EMPTY, known, serverNow()) : EMPTY));
  const [, sweep] = useState(0);
  useEffect(() => {
    if (list) step({ kind: 'read', list, total });
  }, [list, total]);
  const settled = queue.rows.some(({ settledAt }) => settledAt !== null);
  useEffect(() => {
    if (!settled || !list) return undefined;
    const timer = setInterval(() => {
      step({ kind: 'read', list, total });
      sweep((count) => count + 1);
    }, SWEEP_MS);
    return () => clearInterval(timer);
  }, [settled, list, total]);
  return {
    query,
    queue,
    total,
    show: () => step({ kind: 'show' }),
    decided: (id: string) => step({ kind: 'decided', id }),
  };
}
