import type { DataOf } from '@gatehouse/client';
import { getQuery } from '../../api/client.ts';
import type { Level } from '../place/tree/queries.ts';

export type ReachingPolicy = DataOf<'/pam/software-policies', 'get'>['softwarePolicies'][number];

const MAX_POLICIES = 100;

/** The first hundred policies that can reach an organisation, also those of the partner, in the order of trial. */
export const reachingPoliciesQuery = (orgId: string) =>
  getQuery('software-policies', '/pam/software-policies', {
    query: { orgId, page: 1, limit: MAX_POLICIES },
    select: ({ softwarePolicies, pagination }) => ({
      policies: softwarePolicies,
      total: pagination?.total ?? softwarePolicies.length,
    }),
  });

/** Where a device is, or a place above devices: what is not known stays empty. */
export interface Position {
  readonly partnerId: string | null;
  readonly orgId?: string | undefined;
  readonly siteId?: string | undefined;
  readonly groupIds?: readonly string[];
  readonly deviceId?: string | undefined;
}

interface Targeted {
  readonly target: { readonly level: Level; readonly id: string };
}

/** From the narrowest to the widest: the order in which policies are tried. */
const CLOSEST_FIRST = ['device', 'group', 'site', 'organization', 'partner'] as const satisfies readonly Level[];

const IDS: Readonly<Record<Level, (position: Position) => readonly (string | null | undefined)[]>> = {
  device: ({ deviceId }) => [deviceId],
  group: ({ groupIds = [] }) => groupIds,
  site: ({ siteId }) => [siteId],
  organization: ({ orgId }) => [orgId],
  partner: ({ partnerId }) => [partnerId],
};

interface Step<Policy> {
  readonly level: Level;
  readonly policies: readonly Policy[];
}

/** The policies that reach a position, by level, the closest first; within a level in the order that they have. */
export const stepsAt = <Policy extends Targeted>(position: Position, policies: readonly Policy[]): Step<Policy>[] =>
  CLOSEST_FIRST.map((level) => ({
    level,
    policies: policies.filter(({ target }) => target.level === level && IDS[level](position).includes(target.id)),
  })).filter((step) => step.policies.length > 0);
