import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ofOpenOwner } from '../../../tenants/tenant-refs/tenant-refs.repository.ts';
import type { ClaimedAttempt } from '../attempts/login-sessions.repository.ts';

export interface LinkFacts {
  /** False when the provider was deactivated or reconfigured since the attempt began, or its owner was closed. */
  readonly sameGeneration: boolean;
  /** The user who began the linking; null when they have left the provider's tenant. */
  readonly userId: string | null;
  readonly email: string | null;
  /** The user to whom the identity is linked already. */
  readonly holderId: string | null;
  /** Whether the holder proved the account for that link. */
  readonly wasSelfLinked: boolean;
  /** Whether sessions of providers enrolled every second factor that the user has. */
  readonly hasProviderFactorsOnly: boolean;
}

const FACTS = `
  SELECT p.status = 'active' AND p.config_version = $2 AND ${ofOpenOwner('p')} AS same_generation,
         u.id AS user_id, u.email,
    l.user_id AS holder_id, coalesce(l.self_linked, false) AS was_self_linked,
    coalesce((SELECT bool_and(f.by_provider) FROM mfa_factors f WHERE f.user_id = u.id
      AND f.confirmed_at IS NOT NULL), false) AS has_provider_factors_only
    FROM sso_providers p
    LEFT JOIN users u ON u.id = $3 AND EXISTS (SELECT FROM live_memberships m WHERE m.user_id = u.id
      AND m.partner_id = p.partner_id AND m.org_id IS NOT DISTINCT FROM p.org_id)
    LEFT JOIN sso_identity_links l ON l.provider_id = p.id AND l.external_id = $4
   WHERE p.id = $1
     FOR KEY SHARE OF p`;

/** Reads what decides whether a user may link an identity. */
@Injectable()
export class LinkFactsRepository {
  /** Locks the provider against deletion. @returns null when it was deleted */
  load(tx: Tx, { id, attemptVersion, linkingUserId }: ClaimedAttempt, externalId: string): Promise<LinkFacts | null> {
    return tx.one<LinkFacts>(FACTS, [id, attemptVersion, linkingUserId, externalId]);
  }
}
