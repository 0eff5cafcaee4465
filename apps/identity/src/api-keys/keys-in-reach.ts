import { has, type UserCaller } from '@gatehouse/contracts-core';

/**
 * A caller who may administer users reaches every key of their tenants; other callers reach only their own.
 * @returns the user whose keys are in reach, or null for the keys of all users
 */
export const keyOwnerInReach = (caller: UserCaller, permission: 'users:read' | 'users:write'): string | null =>
  has(caller, permission) ? null : caller.userId;
