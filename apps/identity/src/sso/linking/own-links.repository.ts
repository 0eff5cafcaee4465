import type { UserCaller } from '@gatehouse/contracts-core';
import type { LinkOptionRecord } from '@gatehouse/contracts-identity';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

const OPTIONS = `
  SELECT p.id AS provider_id, p.name, p.type, l.id IS NOT NULL AS linked, l.email
    FROM sso_providers p LEFT JOIN sso_identity_links l ON l.provider_id = p.id AND l.user_id = $1
   WHERE p.status = 'active' AND p.partner_id = $2 AND p.org_id IS NOT DISTINCT FROM $3::uuid
   ORDER BY p.created_at, p.id`;
const HAS_MFA_BY_PROVIDER = `SELECT id FROM sessions WHERE id = $1 AND provider_id = $2 AND mfa_via = 'idp'`;
/** A factor that this very session enrolled proves no more than the word of the provider that opened it. */
const LACKS_OWN_FACTOR = `
  SELECT s.id FROM sessions s WHERE s.id = $1 AND s.via = 'sso' AND NOT EXISTS (SELECT FROM mfa_factors f
    WHERE f.user_id = s.user_id AND f.confirmed_at IS NOT NULL AND (NOT f.by_provider OR f.confirmed_at < s.created_at))`;
const LOCK_PROVIDER = 'SELECT FROM sso_providers WHERE id = $1 FOR KEY SHARE';
const DELETE = `
  DELETE FROM sso_identity_links WHERE provider_id = $1 AND user_id = $2 AND partner_id = $3
    AND org_id IS NOT DISTINCT FROM $4::uuid RETURNING partner_id, org_id`;

/** Reads and deletes a user's own identity links. */
@Injectable()
export class OwnLinksRepository {
  /** The active providers of the session's tenant, and whether the caller has an identity link at each. */
  options(reader: Reader, { userId, partnerId, orgId }: UserCaller): Promise<LinkOptionRecord[]> {
    return reader.query<LinkOptionRecord>(OPTIONS, [userId, partnerId, orgId]);
  }

  /** Tells whether the provider asserted the second factor of the caller's session. */
  async hasMfaByProvider(reader: Reader, { sessionId }: UserCaller, providerId: string): Promise<boolean> {
    return (await reader.one(HAS_MFA_BY_PROVIDER, [sessionId, providerId])) !== null;
  }

  /** Tells whether a provider's session has no factor that is older than itself or was enrolled outside of any such. */
  async lacksOwnFactor(reader: Reader, { sessionId }: UserCaller): Promise<boolean> {
    return (await reader.one(LACKS_OWN_FACTOR, [sessionId])) !== null;
  }

  /** Call this first in a transaction: a change of the provider locks the provider first and its users second. */
  async lockProvider(tx: Tx, id: string): Promise<void> {
    await tx.query(LOCK_PROVIDER, [id]);
  }

  /** @returns the tenant of the deleted link, or null when the session's tenant had none */
  delete(
    tx: Tx,
    { userId, partnerId, orgId }: UserCaller,
    providerId: string,
  ): Promise<{ readonly partnerId: string; readonly orgId: string | null } | null> {
    return tx.one(DELETE, [providerId, userId, partnerId, orgId]);
  }
}
