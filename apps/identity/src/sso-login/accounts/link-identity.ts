import type { LinkError } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { type Identity, linkFault } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { IdentityLinksRepository } from './identity-links.repository.ts';
import type { ClaimedAttempt } from '../attempts/login-sessions.repository.ts';
import type { OidcSignIn } from '../oidc/oidc-engine.ts';

interface LinkRow {
  readonly sameGeneration: boolean;
  readonly userId: string | null;
  readonly email: string | null;
  readonly holderId: string | null;
}

const FACTS = `
  SELECT p.status = 'active' AND p.config_version = $2 AS same_generation, u.id AS user_id, u.email, l.user_id AS holder_id
    FROM sso_providers p
    LEFT JOIN users u ON u.id = $3 AND EXISTS (SELECT FROM live_memberships m WHERE m.user_id = u.id AND m.partner_id = p.partner_id AND m.org_id IS NOT DISTINCT FROM p.org_id)
    LEFT JOIN sso_identity_links l ON l.provider_id = p.id AND l.external_id = $4
   WHERE p.id = $1
     FOR KEY SHARE OF p`;

/** Completes a linking round trip: links the identity to the account of the user who began it. */
@Injectable()
export class LinkIdentity {
  constructor(private readonly links: IdentityLinksRepository) {}

  /** @returns why the identity cannot be linked, or null when it was linked */
  async execute(
    tx: Tx,
    { attempt, signIn, identity }: { attempt: ClaimedAttempt; signIn: OidcSignIn; identity: Identity },
  ): Promise<LinkError | null> {
    const facts = await tx.one<LinkRow>(FACTS, [
      attempt.id,
      attempt.attemptVersion,
      attempt.linkingUserId,
      identity.externalId,
    ]);
    if (!facts?.sameGeneration) return 'provider_changed';
    const { userId, email, holderId } = facts;
    const fault = linkFault(identity, {
      person: userId && email ? { userId, email } : null,
      holderId,
      allowedDomains: attempt.allowedDomains,
    });
    if (fault || !userId) return fault;
    const isSaved = await this.links.save(tx, { provider: attempt, userId, identity, signIn, selfLinked: true });
    if (!isSaved) return 'identity_in_use';
    tx.audit({
      action: 'sso.identity.link',
      resource: { type: 'user', id: userId, name: email },
      actor: { type: 'user', id: userId, name: email },
      partnerId: attempt.partnerId,
      orgId: attempt.orgId,
      details: { providerId: attempt.id },
    });
    return null;
  }
}
