import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { SsoProvider } from '../sso-providers/sso-provider.entity.ts';

export interface GovernedUser {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly linked: boolean;
}

const GOVERNED_BY = `
  SELECT u.id AS user_id, u.email, u.name, EXISTS (SELECT FROM sso_identity_links l WHERE l.user_id = u.id AND l.provider_id = $1) AS linked
    FROM users u
   WHERE NOT u.break_glass AND u.status <> 'suspended'
     AND EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.partner_id = $2
                    AND CASE WHEN $3::uuid IS NULL THEN m.level = 'partner' ELSE m.level = 'organization' AND m.org_id = $3::uuid END)
   ORDER BY u.email`;

@Injectable()
export class EnforcementRepository {
  /** Whether passwords are refused for this person (SSO spec, "Enforcement rules"), whatever the caller's tenant. */
  async isGoverned(reader: Reader, userId: string): Promise<boolean> {
    const row = await reader.one<{ governed: boolean }>('SELECT is_governed($1) AS governed', [userId]);
    return row?.governed ?? false;
  }

  /** Whom the provider governs once it is active and enforces. */
  governedBy(reader: Reader, { id, partnerId, orgId }: Pick<SsoProvider, 'id' | 'partnerId' | 'orgId'>): Promise<GovernedUser[]> {
    return reader.query<GovernedUser>(GOVERNED_BY, [id, partnerId, orgId]);
  }
}
