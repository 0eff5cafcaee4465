import { type Permission, type Principal, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';

const permissionsOf = (role: string): readonly Permission[] =>
  SYSTEM_ROLES.find(({ name }) => name === role)?.permissions ?? [];

/** A signed-in user with fresh MFA; `overrides` are the members that the test is about. */
export function aPrincipal(overrides: Partial<Principal> = {}): Principal {
  const id = overrides.userId ?? newId();
  return {
    kind: 'user',
    id,
    userId: id,
    membershipId: newId(),
    sessionId: newId(),
    name: 'Test Person',
    email: `${id}@example.test`,
    label: overrides.kind === 'api_key' ? 'Test Key' : null,
    level: 'system',
    partnerId: null,
    orgId: null,
    orgs: 'all',
    sites: 'all',
    permissions: ['*'],
    mfa: true,
    partnerActive: true,
    confined: overrides.kind === 'api_key',
    providerId: null,
    expiresAt: null,
    ...overrides,
  };
}

export const aSystemAdmin = (overrides: Partial<Principal> = {}): Principal => aPrincipal(overrides);

export const aPartnerAdmin = (partnerId: string, overrides: Partial<Principal> = {}): Principal =>
  aPrincipal({ level: 'partner', partnerId, permissions: permissionsOf('Partner Admin'), ...overrides });

export const aPartnerTechnician = (partnerId: string, overrides: Partial<Principal> = {}): Principal =>
  aPrincipal({ level: 'partner', partnerId, permissions: permissionsOf('Partner Technician'), ...overrides });

export const anOrgAdmin = (partnerId: string, orgId: string, overrides: Partial<Principal> = {}): Principal =>
  aPrincipal({
    level: 'organization',
    partnerId,
    orgId,
    orgs: [orgId],
    permissions: permissionsOf('Organization Admin'),
    ...overrides,
  });

export const anOrgTechnician = (partnerId: string, orgId: string, overrides: Partial<Principal> = {}): Principal =>
  aPrincipal({
    level: 'organization',
    partnerId,
    orgId,
    orgs: [orgId],
    permissions: permissionsOf('Organization Technician'),
    ...overrides,
  });

/** An API key: never satisfies MFA. */
export const anApiKey = (overrides: Partial<Principal> = {}): Principal =>
  aPrincipal({ kind: 'api_key', sessionId: null, mfa: false, ...overrides });
