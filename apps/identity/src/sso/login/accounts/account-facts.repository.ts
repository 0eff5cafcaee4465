import type { Permission } from '@gatehouse/contracts-core';
import type { OwnerScope } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import {
  type AccountFacts,
  fitsOwner,
  type Identity,
  isStillEntitled,
  type Person,
  type RoleFacts,
} from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import type { ClaimedAttempt } from '../attempts/login-sessions.repository.ts';
import { ADMINISTERS_OWNER } from '../../../people/grants/placement.ts';

interface KnownRow {
  readonly sameGeneration: boolean;
  readonly ownerOpen: boolean;
  readonly linkedId: string | null;
  readonly linkedActive: boolean;
  readonly linkedMembership: string | null;
  readonly linkedBreakGlass: boolean;
  readonly selfLinked: boolean;
  readonly addressInUse: boolean;
}

type Attempt = Pick<
  ClaimedAttempt,
  'id' | 'purpose' | 'attemptVersion' | 'autoProvision' | 'enforceSso' | 'defaultRoleId'
>;

/** The facts that every sign-in needs. */
export interface KnownFacts extends Pick<AccountFacts, 'ownerOpen' | 'linked'> {
  /** A user has the address that the provider gave, in any tenant. */
  readonly addressInUse: boolean;
}

interface NewcomerRow {
  readonly partnerId: string;
  readonly orgId: string | null;
  readonly emailId: string | null;
  readonly emailActive: boolean;
  readonly emailMembership: string | null;
  readonly emailBreakGlass: boolean;
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

/** A membership in the tenant that owns the provider. No other membership gives access through that provider. */
const membershipOf = (user: string): string => `
  (SELECT m.id FROM live_memberships m WHERE m.user_id = ${user} AND m.partner_id = p.partner_id
      AND CASE WHEN p.org_id IS NULL THEN m.level = 'partner' ELSE m.level = 'organization' AND m.org_id = p.org_id END
        LIMIT 1)`;

/** That an account is suspended is a fact of the owner's own users alone (SSO-205). */
const activeOf = (user: string): string => `
  (${user}.status <> 'suspended' OR NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = ${user}.id
     AND m.partner_id = p.partner_id AND m.org_id IS NOT DISTINCT FROM p.org_id))`;

const CHOOSER = `
  (SELECT coalesce(jsonb_agg(to_jsonb(c.permissions)), '[]') FROM live_memberships c
    WHERE c.user_id = p.default_role_configured_by AND ${ADMINISTERS_OWNER})`;

/** A test runs in every status of the provider. */
const GENERATION = {
  sign_in: "p.status = 'active' AND p.config_version = $2",
  test: 'p.config_version = $2',
} as const;
type Generation = (typeof GENERATION)[keyof typeof GENERATION];

/** The row lock keeps the provider from being deleted until the sign-in commits. */
const known = (generation: Generation): string => `
  SELECT ${generation} AS same_generation,
         NOT t.deleted AND (p.org_id IS NULL OR (NOT o.deleted
           AND o.status NOT IN ('archived', 'merging', 'purging'))) AS owner_open, u.id AS linked_id,
           ${activeOf('u')} AS linked_active, ${membershipOf('u.id')} AS linked_membership,
         u.break_glass AS linked_break_glass, l.self_linked,
         EXISTS (SELECT FROM users x WHERE x.email = $4) AS address_in_use
    FROM sso_providers p
    LEFT JOIN partner_ref t ON t.partner_id = p.partner_id
    LEFT JOIN org_ref o ON o.org_id = p.org_id
    LEFT JOIN sso_identity_links l ON l.provider_id = p.id AND l.external_id = $3
    LEFT JOIN users u ON u.id = l.user_id
   WHERE p.id = $1
     FOR KEY SHARE OF p`;

/**
 * The facts that are needed only when the identity is not linked yet. A linked identity skips this query, which costs
 * more than all the rest. A concurrent sign-in may link the same identity in the meantime, so that link is not counted
 * as another identity. The policy that was read before the provider was asked must not have changed.
 */
const newcomer = (generation: Generation): string => `
  SELECT p.partner_id, p.org_id,
         u.id AS email_id, ${activeOf('u')} AS email_active, ${membershipOf('u.id')} AS email_membership,
         u.break_glass AS email_break_glass,
         EXISTS (SELECT FROM credentials c WHERE c.user_id = u.id) AS email_has_password,
         EXISTS (SELECT FROM sso_identity_links x WHERE x.provider_id = p.id AND x.user_id = u.id
           AND x.external_id <> $3) AS email_has_other,
         EXISTS (SELECT FROM sso_domains d WHERE d.org_id = p.org_id AND d.domain = $5
           AND d.verified_at IS NOT NULL) AS domain_verified, r.axis AS role_axis, r.partner_id AS role_partner_id,
           r.org_id AS role_org_id, r.system AS role_system, r.permissions AS role_permissions,
         ${CHOOSER} AS chooser_permissions
    FROM sso_providers p
    LEFT JOIN users u ON u.email = $4
    LEFT JOIN roles r ON r.id = p.default_role_id
   WHERE p.id = $1 AND ${generation} AND p.auto_provision = $6 AND p.enforce_sso = $7
     AND p.default_role_id IS NOT DISTINCT FROM $8::uuid`;
const SQL = {
  sign_in: { known: known(GENERATION.sign_in), newcomer: newcomer(GENERATION.sign_in) },
  test: { known: known(GENERATION.test), newcomer: newcomer(GENERATION.test) },
};

const personOf = (userId: string | null, facts: Omit<Person, 'userId'>): Person | null =>
  userId ? { userId, ...facts } : null;

const NOT_ASKED = { byEmail: null, domainVerified: false, defaultRole: 'missing' } as const;

function defaultRoleOf(row: NewcomerRow): AccountFacts['defaultRole'] {
  if (!row.roleAxis) return 'missing';
  const role: RoleFacts = {
    axis: row.roleAxis,
    partnerId: row.rolePartnerId,
    orgId: row.roleOrgId,
    system: row.roleSystem,
    permissions: row.rolePermissions,
  };
  if (!fitsOwner(role, row)) return 'missing';
  return isStillEntitled(row.chooserPermissions, role) ? 'fine' : 'not_entitled';
}

function linkedPersonOf(row: KnownRow): AccountFacts['linked'] {
  const {
    linkedId,
    linkedActive: active,
    linkedMembership: membershipId,
    linkedBreakGlass: breakGlass,
    selfLinked,
  } = row;
  const linked = personOf(linkedId, { active, membershipId, breakGlass });
  return linked && { ...linked, selfLinked };
}

function factsOf(row: NewcomerRow): Omit<AccountFacts, 'ownerOpen' | 'linked'> {
  const { emailId, emailActive: active, emailMembership: membershipId, emailBreakGlass: breakGlass } = row;
  const known = personOf(emailId, { active, membershipId, breakGlass });
  return {
    byEmail: known && { ...known, hasPassword: row.emailHasPassword, hasOtherIdentity: row.emailHasOther },
    domainVerified: row.domainVerified,
    defaultRole: defaultRoleOf(row),
  };
}

const ROLE = `
  SELECT r.id, r.name FROM roles r
   WHERE r.id = coalesce((SELECT m.role_id FROM memberships m WHERE m.id = $1), $2::uuid)`;

@Injectable()
export class AccountFactsRepository {
  /** @returns null when the provider was deleted, deactivated or reconfigured since the attempt began */
  async known(
    tx: Tx,
    { id, purpose, attemptVersion }: Attempt,
    { externalId, email }: Identity,
  ): Promise<KnownFacts | null> {
    const row = await tx.one<KnownRow>(SQL[purpose].known, [id, attemptVersion, externalId, email]);
    if (!row?.sameGeneration) return null;
    return { ownerOpen: row.ownerOpen, linked: linkedPersonOf(row), addressInUse: row.addressInUse };
  }

  /** Adds what is needed only when the identity is not linked yet. @returns null as {@link known} does */
  async complete(
    tx: Tx,
    { id, purpose, attemptVersion, autoProvision, enforceSso, defaultRoleId }: Attempt,
    { externalId, email, emailDomain }: Identity,
    { ownerOpen, linked }: KnownFacts,
  ): Promise<AccountFacts | null> {
    if (linked) return { ownerOpen, linked, ...NOT_ASKED };
    const policy = [autoProvision, enforceSso, defaultRoleId];
    const asked = [id, attemptVersion, externalId, email, emailDomain, ...policy];
    const row = await tx.one<NewcomerRow>(SQL[purpose].newcomer, asked);
    return row && { ownerOpen, linked, ...factsOf(row) };
  }

  /** The role of a membership; without one the role that the provider gives to new users. */
  role(
    tx: Tx,
    { defaultRoleId }: Pick<ClaimedAttempt, 'defaultRoleId'>,
    membershipId: string | null,
  ): Promise<{ readonly id: string; readonly name: string } | null> {
    return tx.one(ROLE, [membershipId, defaultRoleId]);
  }
}
