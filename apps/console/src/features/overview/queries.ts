import { ok } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import type { Operation } from '../../api/generated/access.ts';
import type { Me } from '../../api/me.ts';
import { type Progress, type Step, STEPS } from './model.ts';

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
  getQuery('sign-on', '/sso/providers', { query: { orgId: org }, select: ({ data }) => data });

const ONE = { limit: 1 };

/** How many requests expired undecided, devices are silent and rules expire soon; what one may not read counts none. */
export const attentionQuery = ({ org, site }: Place, since: string, until: string) =>
  queryOptions({
    queryKey: ['overview', 'attention', org, site, since, until],
    queryFn: async ({ signal }) => {
      const place = { ...ONE, orgId: org, siteId: site };
      const expired = { ...place, status: ['expired' as const], from: since };
      const silent = { ...place, status: 'offline' as const, lastSeenBefore: since };
      const [requests, devices, rules] = await Promise.all([
        ok(api.GET('/pam/elevation-requests', { params: { query: expired }, signal })),
        ok(api.GET('/devices', { params: { query: silent }, signal })),
        ok(api.GET('/pam/rules', { params: { query: { ...ONE, orgId: org, expiresBefore: until } }, signal })),
      ]);
      return {
        expired: requests.pagination.total,
        silent: devices.pagination.total,
        rules: rules.pagination?.total ?? 0,
      };
    },
    refetchInterval: EVERY_MS,
  });

async function organizationOf({ orgId }: Me, signal: AbortSignal): Promise<string | undefined> {
  if (orgId) return orgId;
  // An organisation that has a device has come furthest.
  const devices = await ok(api.GET('/devices', { params: { query: ONE }, signal }));
  if (devices.data[0]) return devices.data[0].orgId;
  const { data } = await ok(api.GET('/orgs/organizations', { params: { query: ONE }, signal }));
  return data[0]?.id;
}

/** What one must be allowed to do and to read for a step. */
const NEEDS: Readonly<Record<Step, readonly Operation[]>> = {
  organization: ['POST /orgs/organizations', 'GET /orgs/organizations'],
  site: ['POST /orgs/sites', 'GET /orgs/sites'],
  key: ['POST /enrollment-keys', 'GET /enrollment-keys'],
  device: ['GET /devices'],
  prompt: ['GET /pam/elevation-requests'],
  rule: ['POST /pam/rules', 'GET /pam/rules'],
  signOn: ['POST /sso/providers'],
  person: ['POST /users', 'GET /users'],
};

/** What the server has of each step, one entry of a list at a time. */
const countsOf = (orgId: string, signal: AbortSignal) => {
  const params = { query: { ...ONE, orgId } };
  const totalOf = async (answer: Promise<{ readonly pagination?: { readonly total: number } }>): Promise<number> =>
    (await answer).pagination?.total ?? 0;
  const people = () => totalOf(ok(api.GET('/users', { params: { query: ONE }, signal })));
  return {
    organization: async () => 1,
    site: () => totalOf(ok(api.GET('/orgs/sites', { params, signal }))),
    key: () => totalOf(ok(api.GET('/enrollment-keys', { params, signal }))),
    device: () => totalOf(ok(api.GET('/devices', { params, signal }))),
    prompt: () => totalOf(ok(api.GET('/pam/elevation-requests', { params, signal }))),
    rule: () => totalOf(ok(api.GET('/pam/rules', { params: { query: { ...params.query, effective: true } }, signal }))),
    signOn: async () => {
      const { data } = await ok(api.GET('/sso/providers', { params: { query: { orgId } }, signal }));
      return data.filter(({ status }) => status === 'active').length;
    },
    // The person who looks is the first.
    person: async () => (await people()) - 1,
  } satisfies Record<Step, () => Promise<number>>;
};

interface FirstSteps {
  readonly progress: Progress;
  /** The organisation that is set up: the chosen one, else one with a device or the first; absent without any. */
  readonly orgId: string | undefined;
}

/** How far a new tenant has come. */
export const firstStepsQuery = (me: Me, can: (operation: Operation) => boolean, chosen: string | undefined) =>
  queryOptions({
    queryKey: ['overview', 'first-steps', chosen],
    queryFn: async ({ signal }): Promise<FirstSteps> => {
      const orgId = chosen ?? (await organizationOf(me, signal));
      const steps = STEPS.filter(
        (step) => NEEDS[step].every(can) && (step !== 'organization' || me.scope !== 'organization'),
      );
      const counts = orgId === undefined ? null : countsOf(orgId, signal);
      const isDone = async (step: Step) => [step, ((await counts?.[step]()) ?? 0) > 0] as const;
      return { orgId, progress: Object.fromEntries(await Promise.all(steps.map(isDone))) };
    },
    staleTime: 0,
  });
