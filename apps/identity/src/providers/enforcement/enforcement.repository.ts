import type { TenantScope } from '@gatehouse/contracts-core';
import { type Reader, scoped } from '@gatehouse/database';
import type { Member } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { IS_LIVE } from '../../sessions/session-records.repository.ts';

/** A provider, and the tenant whose users it governs. */
interface GoverningProvider {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string | null;
}

export interface GovernedMember extends Omit<Member, 'email'> {
  /** The address of the account. */
  readonly email: string;
  /** The address as the provider last sent it, or the account's. */
  readonly sentEmail: string;
  readonly name: string;
  readonly openPasswordSessions: number;
  readonly lastSsoSignInAt: Date | null;
}

interface GovernedUser {
  readonly userId: string;
  readonly email: string;
  readonly linked: boolean;
}

const OF_OWNER = `m.partner_id = $2 AND NOT m.suspended AND CASE WHEN $3::uuid IS NULL THEN m.level = 'partner'
     ELSE m.level = 'organization' AND m.org_id = $3::uuid END`;
const MEMBERS = `
    FROM memberships m JOIN users u ON u.id = m.user_id AND u.status <> 'suspended'
    LEFT JOIN sso_identity_links l ON l.user_id = u.id AND l.provider_id = $1`;
const GOVERNED = `
  SELECT u.id AS user_id, u.email, l.id IS NOT NULL AS linked ${MEMBERS} WHERE ${OF_OWNER} AND NOT u.break_glass
   ORDER BY u.email`;
const OUTLOOK = `
  SELECT u.id AS user_id, u.email, u.name, u.break_glass, m.id AS membership_id, l.id IS NOT NULL AS linked,
         coalesce(l.self_linked, false) AS self_linked, coalesce(l.email, u.email) AS sent_email,
         l.last_login_at AS last_sso_sign_in_at, u.last_login_at IS NULL AS never_signed_in,
         EXISTS (SELECT FROM credentials c WHERE c.user_id = u.id) AS has_password,
         EXISTS (SELECT FROM sso_domains d WHERE d.org_id = $3::uuid AND d.verified_at IS NOT NULL
           AND d.domain = substring(u.email FROM '[^@]+$')) AS domain_verified,
         EXISTS (SELECT FROM sso_identity_links x WHERE x.user_id = u.id AND x.provider_id <> $1) AS linked_elsewhere,
         (SELECT count(*)::int FROM api_keys k WHERE k.membership_id = m.id
           AND (k.expires_at IS NULL OR k.expires_at > now())) AS api_keys,
         s.open_sessions, s.open_password_sessions ${MEMBERS}
   CROSS JOIN LATERAL (
     SELECT count(*)::int AS open_sessions, (count(*) FILTER (WHERE s.via <> 'sso'))::int AS open_password_sessions
       FROM sessions s WHERE s.user_id = u.id AND s.membership_id = m.id AND ${IS_LIVE}) s
   WHERE ${OF_OWNER}`;
@Injectable()
export class EnforcementRepository {
  /** Tells whether the membership is governed, so that password sign-in is refused (SSO-42), in any tenant. */
  async isGoverned(reader: Reader, membershipId: string): Promise<boolean> {
    const row = await reader.one<{ governed: boolean }>('SELECT is_membership_governed($1) AS governed', [
      membershipId,
    ]);
    return row?.governed ?? false;
  }

  /** Tells whether all memberships of the user are governed; false for a user without memberships. */
  async isGovernedEverywhere(reader: Reader, userId: string): Promise<boolean> {
    const row = await reader.one<{ governed: boolean }>('SELECT is_governed_everywhere($1) AS governed', [userId]);
    return row?.governed ?? false;
  }

  /** The users whom the provider governs once it is active and enforces. */
  governed(reader: Reader, { id, partnerId, orgId }: GoverningProvider): Promise<GovernedUser[]> {
    return reader.query<GovernedUser>(GOVERNED, [id, partnerId, orgId]);
  }

  /** Those and the break-glass users of the same owner. @param scope only memberships within it */
  outlook(reader: Reader, { id, partnerId, orgId }: GoverningProvider, scope: TenantScope): Promise<GovernedMember[]> {
    const reach = scoped(scope, { partner: 'm.partner_id', org: 'm.org_id' }, [id, partnerId, orgId]);
    return reader.query<GovernedMember>(`${OUTLOOK}${reach.and} ORDER BY u.email`, reach.parameters);
  }
}
