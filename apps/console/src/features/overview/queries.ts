import { ok } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

const DAY_MS = 86_400_000;
const DAYS = 14;

interface Place {
  readonly org?: string;
  readonly site?: string;
}

/** How many requests wait, elevations are in force and devices are offline in a place. */
export const figuresQuery = ({ org, site }: Place) =>
  queryOptions({
    queryKey: ['overview', 'figures', org, site],
    queryFn: async ({ signal }) => {
      const place = { orgId: org, siteId: site, limit: 1 };
      const [requests, active, devices] = await Promise.all([
        ok(api.GET('/pam/elevation-requests', { params: { query: { ...place, status: ['pending'] } }, signal })),
        ok(api.GET('/pam/active', { params: { query: { orgId: org } }, signal })),
        ok(api.GET('/devices', { params: { query: { ...place, status: 'offline' } }, signal })),
      ]);
      return {
        waiting: requests.pagination.total,
        active: active.active.length,
        offline: devices.pagination.total,
      };
    },
  });

/** Requests a day by outcome, and how fast people decide, of the last two weeks. */
export const statisticsQuery = ({ org, site }: Place) =>
  queryOptions({
    queryKey: ['overview', 'statistics', org, site],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - DAYS * DAY_MS).toISOString();
      const query = { orgId: org, siteId: site, from, bucket: 'day' as const };
      return ok(api.GET('/pam/statistics', { params: { query }, signal }));
    },
  });
