import { covers, type AccessLevel, type Permission, type Principal } from '@gatehouse/contracts-core';
import type { OrgAccess } from '@gatehouse/contracts-identity';

/** A credential with its live membership. */
export interface CredentialRow {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
  readonly level: AccessLevel;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly orgAccess: OrgAccess;
  readonly orgIds: readonly string[];
  readonly siteIds: readonly string[];
  readonly permissions: readonly Permission[];
  readonly partnerActive: boolean;
}

function orgsOf({ level, orgId, orgAccess, orgIds }: CredentialRow): 'all' | readonly string[] {
  if (level === 'organization') return orgId ? [orgId] : [];
  if (orgAccess === 'all') return 'all';
  return orgAccess === 'selected' ? orgIds : [];
}

function principalOf(row: CredentialRow): Omit<Principal, 'kind' | 'sessionId' | keyof SessionFacts> {
  const { id, userId, name, email, level, partnerId, orgId, siteIds, permissions, partnerActive } = row;
  return {
    id,
    userId,
    name,
    email,
    level,
    partnerId,
    orgId,
    orgs: orgsOf(row),
    sites: siteIds.length > 0 ? siteIds : 'all',
    permissions,
    partnerActive,
  };
}

export interface SessionFacts {
  /** A second factor was proved within the freshness window. */
  readonly mfa: boolean;
  /** An identity provider opened the session. */
  readonly confined: boolean;
}

export const sessionPrincipal = (row: CredentialRow & SessionFacts): Principal => ({
  ...principalOf({ ...row, id: row.userId }),
  kind: 'user',
  sessionId: row.id,
  mfa: row.mfa,
  confined: row.confined,
});

/** The permissions of a key: those given to it that its creator still holds. */
export function narrowed(given: readonly Permission[], held: readonly Permission[]): Permission[] {
  if (given.includes('*')) return [...held];
  const creator = new Set(held);
  return given.filter((permission) => covers(creator, permission));
}

export const apiKeyPrincipal = (row: CredentialRow & { readonly given: readonly Permission[] }): Principal => ({
  ...principalOf(row),
  kind: 'api_key',
  sessionId: null,
  mfa: false,
  confined: true,
  permissions: narrowed(row.given, row.permissions),
});
