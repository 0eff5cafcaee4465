import { type TenantScope, WHOLE_SYSTEM } from '@gatehouse/contracts-core';
import { type Reader, scoped } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

export interface GovernedUser {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly linked: boolean;
}

/** A provider, and the tenant whose users it governs. */
interface GoverningProvider {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string | null;
}

/** @param reach further SQL conditions on the membership, each starting with AND */
const governedBy = (reach: string): string => `
  SELECT u.id AS user_id, u.email, u.name, EXISTS (SELECT FROM sso_identity_links l WHERE l.user_id = u.id
    AND l.provider_id = $1) AS linked
    FROM users u
   WHERE NOT u.break_glass AND u.status <> 'suspended'
     AND EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.partner_id = $2 AND NOT m.suspended
                    AND CASE WHEN $3::uuid IS NULL THEN m.level = 'partner' ELSE m.level = 'organization'
                      AND m.org_id = $3::uuid END${reach})
   ORDER BY u.email`;

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

  /**
   * Returns the users whom the provider governs once it is active and enforces.
   * @param scope limits the result to users with a membership within this scope
   */
  governedBy(
    reader: Reader,
    { id, partnerId, orgId }: GoverningProvider,
    scope: TenantScope = WHOLE_SYSTEM,
  ): Promise<GovernedUser[]> {
    const reach = scoped(scope, { partner: 'm.partner_id', org: 'm.org_id' }, [id, partnerId, orgId]);
    return reader.query<GovernedUser>(governedBy(reach.and), reach.parameters);
  }
}
