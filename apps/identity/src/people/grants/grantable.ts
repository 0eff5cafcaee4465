import { invalid, type Permission, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { RoleAxis } from '@gatehouse/contracts-identity';
import { missingPermissions } from '@gatehouse/identity-domain';

/** The properties of a role that decide whether it can be granted. */
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

/** Whether a membership can have this role: the axis must match, and so must the owner, unless it is a system role. */
function fits(role: GrantedRole, { level, partnerId, orgId }: GrantTarget): boolean {
  if (role.axis !== (level === 'organization' ? 'organization' : 'partner')) return false;
  return (role.partnerId === null || role.partnerId === partnerId) && (role.orgId === null || role.orgId === orgId);
}

/**
 * "A role can be granted only by one who holds all of its permissions."
 * @throws ProblemError role_not_grantable with `missing`
 */
export function requireGrantable(caller: UserCaller, permissions: readonly Permission[]): void {
  const missing = missingPermissions(caller.permissions, permissions);
  if (missing.length > 0)
    throw new ProblemError('role_not_grantable', 'You can only grant permissions that you have yourself.', { missing });
}

export function requireGrant(caller: UserCaller, role: GrantedRole, target: GrantTarget): void {
  if (!fits(role, target)) throw invalid('membership.roleId', 'is a role of another axis or owner');
  requireGrantable(caller, role.permissions);
}
