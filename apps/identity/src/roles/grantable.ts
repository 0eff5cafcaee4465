import { invalid, mayGrant, type Permission, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { RoleAxis } from '@gatehouse/contracts-identity';

/** What of a role matters when it is granted. */
export interface GrantedRole {
  readonly id: string;
  readonly axis: RoleAxis;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly permissions: readonly Permission[];
}

export interface GrantTarget {
  readonly level: 'system' | 'partner' | 'organization';
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

/** Whether a role can stand in a membership: the right axis, and of the same owner unless it is everybody's. */
export function fits(role: GrantedRole, { level, partnerId, orgId }: GrantTarget): boolean {
  if (role.axis !== (level === 'organization' ? 'organization' : 'partner')) return false;
  return (role.partnerId === null || role.partnerId === partnerId) && (role.orgId === null || role.orgId === orgId);
}

/**
 * "A role can be granted only by one who holds all of its permissions."
 * @throws ProblemError role_not_grantable
 */
export function requireGrantable(caller: UserCaller, permissions: readonly Permission[]): void {
  if (!mayGrant(caller.permissions, permissions))
    throw new ProblemError('role_not_grantable', 'You can grant only what you hold yourself.');
}

/** @throws ProblemError validation_failed, role_not_grantable */
export function requireGrant(caller: UserCaller, role: GrantedRole, target: GrantTarget): void {
  if (!fits(role, target)) throw invalid('membership.roleId', 'is a role of another axis or owner');
  requireGrantable(caller, role.permissions);
}
