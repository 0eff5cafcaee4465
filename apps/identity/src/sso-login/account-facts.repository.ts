import type { Permission } from '@gatehouse/contracts-core';
import type { OwnerScope } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { type AccountFacts, fitsOwner, type Identity, isStillEntitled, type Person, type RoleFacts } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';

interface FactsRow {
  readonly sameGeneration: boolean;
  readonly ownerOpen: boolean;
  readonly partnerId: string;
  readonly orgId: string | null;
  readonly linkedId: string | null;
  readonly linkedActive: boolean;
  readonly linkedMembership: string | null;
  readonly emailId: string | null;
  readonly emailActive: boolean;
  readonly emailMembership: string | null;
  readonly emailHasPassword: boolean;
  readonly emailHasOther: boolean;
  readonly domainVerified: boolean;
  readonly roleAxis: OwnerScope | null;
  readonly rolePartnerId: string | null;
  readonly roleOrgId: string | null;
  readonly roleSystem: boolean;
  readonly rolePermissions: Permission[];
  readonly chooserPermissions: Permission[][];
}

/** A membership in the provider's owner itself: nothing else lets anybody in through it. */
const membershipOf = (user: string): string => `
  (SELECT m.id FROM live_memberships m WHERE m.user_id = ${user} AND m.partner_id = p.partner_id
      AND CASE WHEN p.org_id IS NULL THEN m.level = 'partner' ELSE m.level = 'organization' AND m.org_id = p.org_id END LIMIT 1)`;

const CHOOSER = `
  (SELECT coalesce(jsonb_agg(to_jsonb(c.permissions)), '[]') FROM live_memberships c
    WHERE c.user_id = p.default_role_configured_by
      AND (c.level = 'system' OR c.partner_id = p.partner_id AND CASE c.level
             WHEN 'partner' THEN c.org_access = 'all' OR (c.org_access = 'selected' AND p.org_id = ANY (c.org_ids))
             ELSE c.org_id = p.org_id AND c.site_ids = '{}' END))`;

/** One round trip for all that the decision needs. The lock keeps the provider from being deleted until the sign-in is done. */
const FACTS = `
  SELECT p.partner_id, p.org_id, p.status = 'active' AND p.config_version = $2 AS same_generation,
         NOT t.deleted AND (p.org_id IS NULL OR (NOT o.deleted AND o.status NOT IN ('archived', 'merging', 'purging'))) AS owner_open,
         lu.id AS linked_id, lu.status <> 'suspended' AS linked_active, ${membershipOf('lu.id')} AS linked_membership,
         eu.id AS email_id, eu.status <> 'suspended' AS email_active, ${membershipOf('eu.id')} AS email_membership,
         EXISTS (SELECT FROM credentials c WHERE c.user_id = eu.id) AS email_has_password,
         EXISTS (SELECT FROM sso_identity_links x WHERE x.provider_id = p.id AND x.user_id = eu.id) AS email_has_other,
         EXISTS (SELECT FROM sso_domains d WHERE d.org_id = p.org_id AND d.domain = $5 AND d.verified_at IS NOT NULL) AS domain_verified,
         r.axis AS role_axis, r.partner_id AS role_partner_id, r.org_id AS role_org_id, r.system AS role_system, r.permissions AS role_permissions,
         CASE WHEN lu.id IS NULL AND eu.id IS NULL THEN ${CHOOSER} ELSE '[]' END AS chooser_permissions
    FROM sso_providers p
    LEFT JOIN partner_ref t ON t.partner_id = p.partner_id
    LEFT JOIN org_ref o ON o.org_id = p.org_id
    LEFT JOIN sso_identity_links l ON l.provider_id = p.id AND l.external_id = $3
    LEFT JOIN users lu ON lu.id = l.user_id
    LEFT JOIN users eu ON eu.email = $4
    LEFT JOIN roles r ON r.id = p.default_role_id
   WHERE p.id = $1
     FOR KEY SHARE OF p`;

const person = (userId: string | null, active: boolean, membershipId: string | null): Person | null => (userId ? { userId, active, membershipId } : null);

function defaultRoleOf(row: FactsRow): AccountFacts['defaultRole'] {
  if (!row.roleAxis) return 'missing';
  const role: RoleFacts = { axis: row.roleAxis, partnerId: row.rolePartnerId, orgId: row.roleOrgId, system: row.roleSystem, permissions: row.rolePermissions };
  if (!fitsOwner(role, row)) return 'missing';
  return isStillEntitled(row.chooserPermissions, role) ? 'fine' : 'not_entitled';
}

@Injectable()
export class AccountFactsRepository {
  /** @returns null when the provider is gone, switched off or configured anew since the attempt began */
  async load(tx: Tx, provider: { readonly id: string; readonly attemptVersion: number }, { externalId, email, emailDomain }: Identity): Promise<AccountFacts | null> {
    const row = await tx.one<FactsRow>(FACTS, [provider.id, provider.attemptVersion, externalId, email, emailDomain]);
    if (!row?.sameGeneration) return null;
    const known = person(row.emailId, row.emailActive, row.emailMembership);
    return {
      ownerOpen: row.ownerOpen, domainVerified: row.domainVerified, defaultRole: defaultRoleOf(row),
      linked: person(row.linkedId, row.linkedActive, row.linkedMembership),
      byEmail: known && { ...known, hasPassword: row.emailHasPassword, hasOtherIdentity: row.emailHasOther },
    };
  }
}
