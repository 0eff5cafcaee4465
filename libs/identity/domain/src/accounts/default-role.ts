import { covers, mayGrant, type Permission } from '@gatehouse/contracts-core';
import type { OwnerScope } from '@gatehouse/contracts-identity';

export interface RoleFacts {
  readonly axis: OwnerScope;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly system: boolean;
  readonly permissions: readonly Permission[];
}

export interface Owner {
  readonly partnerId: string;
  /** Null when the partner itself is the owner. */
  readonly orgId: string | null;
}

/**
 * Tells whether a default role is on the owner's axis and belongs to the system, the partner or, on the organisation
 * axis, the organisation itself.
 */
export function fitsOwner(role: RoleFacts, owner: Owner): boolean {
  const axis: OwnerScope = owner.orgId === null ? 'partner' : 'organization';
  if (role.axis !== axis) return false;
  if (role.system) return true;
  return role.partnerId === owner.partnerId && (role.orgId === null || role.orgId === owner.orgId);
}

/** Tells whether a membership of the administrator who chose the role still allows that choice. */
export const isStillEntitled = (memberships: readonly (readonly Permission[])[], role: RoleFacts): boolean =>
  memberships
    .map((permissions) => new Set(permissions))
    .some((granted) => covers(granted, 'organizations:write') && mayGrant(granted, role.permissions));
