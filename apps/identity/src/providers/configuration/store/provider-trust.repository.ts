import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { RoleFacts } from '@gatehouse/identity-domain';
import type { Permission } from '@gatehouse/contracts-core';
import { ADMINISTERS_OWNER } from '../../../people/grants/placement.ts';
import type { SsoProvider } from './sso-provider.entity.ts';

export type TrustedProvider = Pick<SsoProvider, 'id' | 'partnerId' | 'orgId' | 'defaultRoleId' | 'enforceSso'>;

interface Administration {
  readonly id: string;
  readonly permissions: readonly Permission[];
}

const OF_OWNER = (table: string): string =>
  `${table}.partner_id = $2 AND ${table}.org_id IS NOT DISTINCT FROM $3::uuid`;

/** A role that the caller cannot see counts as one with every permission. */
const AT_STAKE = `
  SELECT coalesce(array_agg(DISTINCT permission), '{}') AS permissions FROM (
    SELECT unnest(r.permissions) AS permission FROM roles r WHERE r.id = $4
    UNION
    SELECT unnest(coalesce(r.permissions, '{*}'))
      FROM memberships m JOIN users u ON u.id = m.user_id LEFT JOIN roles r ON r.id = m.role_id
     WHERE ${OF_OWNER('m')} AND m.level = CASE WHEN $3::uuid IS NULL THEN 'partner' ELSE 'organization' END
       AND (EXISTS (SELECT FROM sso_identity_links l WHERE l.provider_id = $1 AND l.user_id = u.id)
            OR NOT u.break_glass AND ($5::boolean
                 OR NOT EXISTS (SELECT FROM credentials c WHERE c.user_id = u.id)
                 OR EXISTS (SELECT FROM sso_providers p WHERE ${OF_OWNER('p')} AND p.status = 'active'
                   AND p.enforce_sso)))
    UNION
    SELECT unnest(coalesce(r.permissions, '{*}')) FROM membership_offers m LEFT JOIN roles r ON r.id = m.role_id
     WHERE ${OF_OWNER('m')} AND m.level = 'organization' AND m.expires_at > now() AND m.taken_at IS NULL) found`;
const OVER_OWNER = `SELECT c.id, c.permissions FROM live_memberships c JOIN sso_providers p ON p.id = $2
  WHERE c.user_id = $1 AND ${ADMINISTERS_OWNER}`;
const FORGET_LINKS = 'DELETE FROM sso_identity_links WHERE provider_id = $1 RETURNING id';
const COUNT_LINKS = 'SELECT count(*)::int AS links FROM sso_identity_links WHERE provider_id = $1';
const MARK_TESTED = 'UPDATE sso_providers SET tested_version = config_version WHERE id = $1 AND config_version = $2';
const MARK_VERIFIED = `
  UPDATE sso_providers SET verified_certificates = array_append(verified_certificates, $2)
   WHERE id = $1 AND NOT ($2 = ANY (verified_certificates))`;

/** Reads and deletes what depends on the claims of an identity provider. */
@Injectable()
export class ProviderTrustRepository {
  /**
   * @returns every permission that the provider can give: those of its default role, and of all members of the owner
   * whom it could sign in, whether linked, governed, without a password or only invited, since the first sign-in
   * accepts an organisation's invitation
   */
  async permissionsAtStake(reader: Reader, provider: TrustedProvider): Promise<Permission[]> {
    const { id, partnerId, orgId, defaultRoleId, enforceSso } = provider;
    const parameters = [id, partnerId, orgId, defaultRoleId, enforceSso];
    return (await reader.one<{ permissions: Permission[] }>(AT_STAKE, parameters))?.permissions ?? ['*'];
  }

  /** The memberships by which a user administers the owner of the provider. */
  overOwner(reader: Reader, userId: string | null, providerId: string): Promise<Administration[]> {
    return reader.query<Administration>(OVER_OWNER, [userId, providerId]);
  }

  async countLinks(reader: Reader, providerId: string): Promise<number> {
    return (await reader.one<{ links: number }>(COUNT_LINKS, [providerId]))?.links ?? 0;
  }

  /** @returns how many users have to prove their accounts again */
  async forgetLinks(tx: Tx, providerId: string): Promise<number> {
    return (await tx.query(FORGET_LINKS, [providerId])).length;
  }

  /** Records that a sign-in succeeded in this configuration, so that enforcement may start. */
  async markTested(tx: Tx, { id, configVersion, testedVersion }: SsoProvider): Promise<void> {
    if (testedVersion !== configVersion) await tx.query(MARK_TESTED, [id, configVersion]);
  }
  /** Records the certificate (SHA-256) that verified a sign-in. */
  async markVerified(tx: Tx, providerId: string, certificate: string): Promise<void> {
    await tx.query(MARK_VERIFIED, [providerId, certificate]);
  }
}

const PARTNER_OF = 'SELECT partner_id FROM org_ref WHERE org_id = $1 AND NOT deleted';

/** Reads the organisations that can own a provider or a domain. */
@Injectable()
export class OwnersRepository {
  /** @param orgId within the caller's reach @returns null for an organisation that does not exist (any more) */
  async partnerOf(reader: Reader, orgId: string): Promise<string | null> {
    return (await reader.one<{ partnerId: string }>(PARTNER_OF, [orgId]))?.partnerId ?? null;
  }
}

const ROLE = 'SELECT axis, partner_id, org_id, system, permissions FROM roles WHERE id = $1';

/** Reads the roles that a provider may give to new users. */
@Injectable()
export class DefaultRolesRepository {
  find(reader: Reader, roleId: string): Promise<RoleFacts | null> {
    return reader.one<RoleFacts>(ROLE, [roleId]);
  }
}
