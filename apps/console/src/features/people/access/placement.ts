import type { BodyOf } from '@gatehouse/client';
import type { Me } from '../../../api/me.ts';
import type { Membership, Role } from '../queries.ts';

export type NewMembership = BodyOf<'/users', 'post'>['membership'];
export type Level = Membership['scope'];
export type OrgAccess = Membership['orgAccess'];

/** Where a person is to belong, and with which role, while it is being chosen. */
export interface Placement {
  readonly level: Level;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly roleId: string | null;
  readonly orgAccess: OrgAccess;
  readonly orgIds: readonly string[];
  /** Whether only some sites of the organisation are within reach. */
  readonly confined: boolean;
  readonly siteIds: readonly string[];
}

type Giver = Pick<Me, 'scope' | 'partnerId' | 'orgId'> & {
  readonly membership: Pick<Me['membership'], 'orgAccess' | 'siteIds'>;
};

/** The levels at which the caller can give a membership. */
export const levelsOf = ({ scope }: Pick<Me, 'scope'>): readonly Level[] =>
  scope === 'organization' ? ['organization'] : [scope, 'organization'];

/** A new membership begins where the list is narrowed to; a confined caller gives confined memberships. */
export function placementFor(giver: Giver, { orgId, siteId }: { orgId?: string; siteId?: string }): Placement {
  const confined = giver.membership.siteIds.length > 0 || siteId !== undefined;
  return {
    level: orgId || giver.scope === 'organization' ? 'organization' : giver.scope,
    partnerId: giver.partnerId,
    orgId: orgId ?? giver.orgId,
    roleId: null,
    orgAccess: giver.membership.orgAccess,
    orgIds: [],
    confined,
    siteIds: siteId ? [siteId] : [],
  };
}

export const placementOf = ({ scope, siteIds, ...rest }: Membership): Placement => ({
  level: scope,
  partnerId: rest.partnerId,
  orgId: rest.orgId,
  roleId: rest.roleId,
  orgAccess: rest.orgAccess,
  orgIds: rest.orgIds,
  confined: siteIds.length > 0,
  siteIds,
});

/** What is sent, or null while something is not chosen yet. */
export function membershipOf(placement: Placement): NewMembership | null {
  const { level, partnerId, orgId, roleId, orgAccess, orgIds, confined, siteIds } = placement;
  if (roleId === null) return null;
  if (level === 'system') return { scope: level, roleId };
  if (level === 'partner') {
    if (orgAccess !== 'selected') return { scope: level, partnerId, roleId, orgAccess };
    return orgIds.length > 0 ? { scope: level, partnerId, roleId, orgAccess, orgIds: [...orgIds] } : null;
  }
  if (orgId === null || (confined && siteIds.length === 0)) return null;
  return { scope: level, orgId, roleId, siteIds: confined ? [...siteIds] : [] };
}

/** Another level or organisation has other roles and other places. */
export const moveTo = (placement: Placement, to: { readonly level?: Level; readonly orgId?: string | null }) => ({
  ...placement,
  ...to,
  roleId: to.level ? null : placement.roleId,
  siteIds: [],
});

/** Whether a membership there can have the role: one of its level that belongs to the product or to that tenant. */
export function fits(
  role: Pick<Role, 'axis' | 'partnerId' | 'orgId'>,
  { level, partnerId, orgId }: Placement,
): boolean {
  if (role.axis !== (level === 'organization' ? 'organization' : 'partner')) return false;
  if (role.orgId !== null && role.orgId !== orgId) return false;
  return role.partnerId === null || (level !== 'system' && (partnerId === null || role.partnerId === partnerId));
}
