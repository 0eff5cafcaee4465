import { covers, type AccessLevel, type Permission, type Principal } from '@gatehouse/contracts-core';
import type { OrgAccess } from '@gatehouse/contracts-identity';

/** A credential with its live membership; `name` and `email` are those of the membership's user. */
export interface CredentialRow {
  readonly id: string;
  readonly userId: string;
  readonly membershipId: string;
  readonly name: string;
  readonly email: string;
  readonly level: AccessLevel;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly orgAccess: OrgAccess;
  readonly orgIds: readonly string[];
  readonly siteIds: readonly string[];
  readonly permissions: readonly Permission[];
  readonly partnerActive: boolean;
  readonly providerId: string | null;
  readonly expiresAt: Date | null;
}

function orgsOf({ level, orgId, orgAccess, orgIds }: CredentialRow): 'all' | readonly string[] {
  if (level === 'organization') return orgId ? [orgId] : [];
  if (orgAccess === 'all') return 'all';
  return orgAccess === 'selected' ? orgIds : [];
}

function principalOf(row: CredentialRow): Omit<Principal, 'kind' | 'sessionId' | 'label' | keyof SessionFacts> {
  const { id, userId, membershipId, name, email, level, partnerId, orgId, siteIds, permissions } = row;
  return {
    id,
    userId,
    membershipId,
    name,
    email,
    level,
    partnerId,
    orgId,
    orgs: orgsOf(row),
    sites: siteIds.length > 0 ? siteIds : 'all',
    permissions,
    partnerActive: row.partnerActive,
    providerId: row.providerId,
    expiresAt: row.expiresAt?.toISOString() ?? null,
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
  label: null,
  mfa: row.mfa,
  confined: row.confined,
});

/** The permissions of a key: those given to it that its creator still holds. */
export function narrowed(given: readonly Permission[], held: readonly Permission[]): Permission[] {
  if (given.includes('*')) return [...held];
  const creator = new Set(held);
  return given.filter((permission) => covers(creator, permission));
}

export interface KeyFacts {
  /** The key's own name. */
  readonly label: string;
  readonly given: readonly Permission[];
}

export const apiKeyPrincipal = (row: CredentialRow & KeyFacts): Principal => ({
  ...principalOf(row),
  kind: 'api_key',
  label: row.label,
  sessionId: null,
  mfa: false,
  confined: true,
  permissions: narrowed(row.given, row.permissions),
});
