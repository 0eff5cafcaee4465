import { ok } from '@gatehouse/client';
import type { QueryClient } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import { type FLOWS, requestPageQuery } from '../../ui/elevation/request.ts';

/** The most that one page holds. */
const QUEUE_LENGTH = 100;
/** What was read for a screen is not read again when the screen stands; events make it stale at once. */
const FRESH_MS = 1_000;

/** The first to expire stands first, unless the address says otherwise. */
export const QUEUE_SORTS = ['pendingUntil', '-requestedAt', '-risk', 'orgName', 'deviceHostname'] as const;
export const FLAGS = ['unsigned', 'user_writable_path', 'first_seen', 'suspicious_text', 'high_tier'] as const;

interface QueueFilter {
  readonly sort?: (typeof QUEUE_SORTS)[number];
  readonly page?: number;
  readonly org?: string;
  readonly site?: string;
  readonly device?: string;
  readonly flag?: (typeof FLAGS)[number];
  readonly flow?: (typeof FLOWS)[number];
  readonly q?: string;
}

/** A page of what waits for a decision. */
export const queueQuery = ({ org, site, device, flag, flow, q, sort = 'pendingUntil', page }: QueueFilter) => {
  const query = {
    status: ['pending' as const],
    limit: QUEUE_LENGTH,
    sort,
    ...(page && { page }),
    ...(org && { orgId: org }),
    ...(site && { siteId: site }),
    ...(device && { deviceId: device }),
    ...(flag && { flag }),
    ...(flow && { flowType: flow }),
    ...(q && { search: q }),
  };
  return { ...requestPageQuery('approvals', query), staleTime: FRESH_MS };
};

interface Opening {
  readonly context: { readonly queryClient: QueryClient };
  readonly search: QueueFilter;
}

/** Asks for the rows while their screen is loaded. */
export const readAhead = ({ context, search }: Opening): void =>
  void context.queryClient.prefetchQuery(queueQuery(search));

export const approvalQuery = (id: string) =>
  getQuery('approvals', '/approvals/{id}', { path: { id }, select: ({ approval }) => approval, staleTime: 0 });

/** Denies the request behind the card and records the report. */
export const reportSuspicious = (id: string) =>
  ok(api.POST('/approvals/{id}/report-suspicious', { params: { path: { id } }, body: {} as never }));
