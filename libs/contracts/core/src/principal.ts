import type { AccessLevel, Permission } from './permissions.ts';
import type { Origin, TenantScope, UserCaller } from './caller.ts';

/**
 * The principal of a credential, as identity returns it to the gateway and the gateway passes it to a service: a {@link
 * UserCaller} in JSON.
 */
export interface Principal {
  readonly kind: 'user' | 'api_key';
  readonly id: string;
  readonly userId: string;
  readonly membershipId: string;
  readonly sessionId: string | null;
  readonly name: string;
  readonly email: string;
  readonly label: string | null;
  readonly level: AccessLevel;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly orgs: 'all' | readonly string[];
  readonly sites: 'all' | readonly string[];
  readonly permissions: readonly Permission[];
  readonly mfa: boolean;
  readonly partnerActive: boolean;
  readonly confined: boolean;
  readonly providerId: string | null;
  readonly expiresAt: string | null;
}

const setOf = (ids: 'all' | readonly string[]): 'all' | ReadonlySet<string> => (ids === 'all' ? 'all' : new Set(ids));

function scopeOf({ level, partnerId, orgs, sites }: Principal): TenantScope {
  return { partner: level === 'system' ? 'all' : partnerId, orgs: setOf(orgs), sites: setOf(sites) };
}

/** Builds the caller of a request from the principal and the origin of the request. */
export function callerOf(principal: Principal, origin: Origin): UserCaller {
  const { orgs: _orgs, sites: _sites, permissions, ...rest } = principal;
  return { ...rest, permissions: new Set(permissions), scope: scopeOf(principal), origin };
}
