import { ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { FLOWS, STATUSES } from '../../ui/elevation/request.ts';

export const SOURCES = ['software_policy', 'pam_rule', 'human', 'org_default'] as const;
export const SORTS = [
  'requestedAt',
  '-requestedAt',
  'deviceHostname',
  '-deviceHostname',
  'subjectUsername',
  '-subjectUsername',
  'expiresAt',
  '-expiresAt',
] as const;

const PAGE_LENGTH = 50;

export interface RequestFilter {
  readonly org?: string;
  readonly site?: string;
  readonly status?: readonly (typeof STATUSES)[number][];
  readonly flow?: (typeof FLOWS)[number];
  readonly source?: (typeof SOURCES)[number];
  readonly device?: string;
  readonly rule?: string;
  readonly from?: string;
  readonly to?: string;
  readonly q?: string;
  readonly sort?: (typeof SORTS)[number];
  readonly page?: number;
}

/** A page of the history of requests. */
export const requestsQuery = (filter: RequestFilter) => {
  const { org, site, status, flow, source, device, rule, from, to, q, sort, page } = filter;
  const query = {
    limit: PAGE_LENGTH,
    page: page ?? 1,
    orgId: org,
    siteId: site,
    status: status && [...status],
    flowType: flow,
    decisionSource: source,
    deviceId: device,
    ruleId: rule,
    from,
    to,
    search: q,
    sort,
  };
  return queryOptions({
    queryKey: ['requests', 'list', query],
    queryFn: ({ signal }) => ok(api.GET('/pam/elevation-requests', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
};
