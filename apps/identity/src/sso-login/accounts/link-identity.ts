import type { LinkError } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { type Identity, linkFault } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { IdentityLinksRepository } from './identity-links.repository.ts';
import { LinkFactsRepository } from './link-facts.repository.ts';
import type { ClaimedAttempt } from '../attempts/login-sessions.repository.ts';
import type { VerifiedAnswer } from '../oidc/oidc-engine.ts';

/** Completes a linking round trip: links the identity to the account of the user who began it. */
@Injectable()
export class LinkIdentity {
  constructor(
    private readonly linkFactsRepository: LinkFactsRepository,
    private readonly identityLinksRepository: IdentityLinksRepository,
  ) {}

  /** @returns why the identity cannot be linked, or null when it was linked */
  async execute(
    tx: Tx,
    { attempt, signIn, identity }: { attempt: ClaimedAttempt; signIn: VerifiedAnswer; identity: Identity },
  ): Promise<LinkError | null> {
    const facts = await this.linkFactsRepository.load(tx, attempt, identity.externalId);
    if (!facts?.sameGeneration) return 'provider_changed';
    const { userId, email, holderId, hasProviderFactorsOnly } = facts;
    const fault = linkFault(identity, {
      person: userId && email ? { userId, email } : null,
      holderId,
      allowedDomains: attempt.allowedDomains,
    });
    if (fault || !userId) return fault;
    const isSaved = await this.identityLinksRepository.save(tx, {
      provider: attempt,
      userId,
      identity,
      signIn,
      // The provider could have enrolled such factors itself: the link brings in no break-glass user.
      selfLinked: !hasProviderFactorsOnly,
    });
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
