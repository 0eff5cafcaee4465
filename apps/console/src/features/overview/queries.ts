import { ok } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Me } from '../../api/me.ts';
import type { Progress } from './model.ts';

const DAY_MS = 86_400_000;
const DAYS = 14;
/** Events keep the figures living; what no event tells, such as a device that falls silent, is seen within a minute. */
const EVERY_MS = 60_000;

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
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });

/** Requests a day by outcome, and how fast people decide. It looks through two weeks, so no event reads it anew. */
export const statisticsQuery = ({ org, site }: Place) =>
  queryOptions({
    queryKey: ['statistics', org, site],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - DAYS * DAY_MS).toISOString();
      const query = { orgId: org, siteId: site, from, bucket: 'day' as const };
      return ok(api.GET('/pam/statistics', { params: { query }, signal }));
    },
    refetchInterval: EVERY_MS,
  });

/** The sign-on providers of a place. */
export const providersQuery = ({ org }: Place) =>
  queryOptions({
    queryKey: ['sign-on', 'providers', { orgId: org }],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/sso/providers', { params: { query: { orgId: org } }, signal }))).data,
  });

const ONE = { limit: 1 };

async function organizationOf({ scope, orgId }: Me, signal: AbortSignal): Promise<string | undefined> {
  if (scope === 'organization') return orgId ?? undefined;
  const { data } = await ok(api.GET('/orgs/organizations', { params: { query: ONE }, signal }));
  return data[0]?.id;
}

export interface FirstSteps extends Progress {
  /** The first organisation, once there is one. */
  readonly orgId: string | undefined;
}

/** How far a new tenant has come; null as soon as it has a device, after which nothing more is asked. */
export const firstStepsQuery = (me: Me) =>
  queryOptions({
    queryKey: ['overview', 'first-steps'],
    queryFn: async ({ signal }): Promise<FirstSteps | null> => {
      const devices = await ok(api.GET('/devices', { params: { query: ONE }, signal }));
      if (devices.pagination.total > 0) return null;
      const orgId = await organizationOf(me, signal);
      if (orgId === undefined) return { orgId, organization: false, site: false, key: false, device: false };
      const query = { ...ONE, orgId };
      const [sites, keys] = await Promise.all([
        ok(api.GET('/orgs/sites', { params: { query }, signal })),
        ok(api.GET('/enrollment-keys', { params: { query }, signal })),
      ]);
      const [site, key] = [sites.pagination.total > 0, keys.pagination.total > 0];
      return { orgId, organization: true, site, key, device: false };
    },
    staleTime: 0,
  });
