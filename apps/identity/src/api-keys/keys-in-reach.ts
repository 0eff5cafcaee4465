import { has, type UserCaller } from '@gatehouse/contracts-core';

/** The owner of the keys that a caller reaches without administering users. */
export interface KeyOwner {
  readonly userId: string;
  /** The organisation of the session: it reaches no key of the partner above it. Null for a partner's session. */
  readonly orgId: string | null;
}

/**
 * A caller who may administer users reaches every key of their tenants; other callers reach only their own.
 * @returns the owner whose keys are in reach, or null for the keys of all users
 */
export const keyOwnerInReach = (caller: UserCaller, permission: 'users:read' | 'users:write'): KeyOwner | null =>
  has(caller, permission) ? null : { userId: caller.userId, orgId: caller.orgId };
