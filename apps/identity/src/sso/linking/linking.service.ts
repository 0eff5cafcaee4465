import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { LinkOptionRecord } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ApiKeysRepository } from '../../api-keys/api-keys.repository.ts';
import { WithdrawDeadOffers } from '../../people/offers/withdraw-dead-offers.ts';
import { announceProvider } from '../../providers/configuration/sso-providers.service.ts';
import { SsoProvidersRepository } from '../../providers/configuration/store/sso-providers.repository.ts';
import { publishPrincipalsChanged, RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { OwnLinksRepository } from './own-links.repository.ts';

@Injectable()
export class LinkingService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ownLinksRepository: OwnLinksRepository,
    private readonly apiKeysRepository: ApiKeysRepository,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /** `GET /sso/link/options`: the providers that the caller can link an identity of. */
  listLinkOptions(caller: UserCaller): Promise<LinkOptionRecord[]> {
    return this.work.read(caller, (reader) => this.ownLinksRepository.options(reader, caller));
  }

  /**
   * `DELETE /sso/link/:providerId`: removes the caller's identity link at a provider, and what stands on it: other
   * sessions of it, API keys, invitations and set-up links here, votes and push subscriptions elsewhere.
   */
  deleteOwnLink(caller: UserCaller, providerId: string): Promise<{ success: true }> {
    return this.work.run(caller, async (tx) => {
      await this.ownLinksRepository.lockProvider(tx, providerId);
      const others = { exceptSessionId: caller.sessionId, providerId };
      const sessionsEnded = await this.revokeSessions.ofUser(tx, caller.userId, 'sso_identity_unlinked', others);
      const keys = await this.apiKeysRepository.idsOfLink(tx, providerId, caller.userId);
      await this.withdrawDeadOffers.ofProvider(tx, providerId, caller.userId);
      const tenant = await this.ownLinksRepository.delete(tx, caller, providerId);
      if (!tenant)
        throw new ProblemError('sso_link_not_found', 'No identity of this provider is linked to your account.');
      publishPrincipalsChanged(tx, caller.userId, 'apiKeyIds', keys);
      const provider = await this.ssoProvidersRepository.get(tx, caller, providerId);
      announceProvider(tx, provider, { unlinkedUserId: caller.userId });
      tx.audit({
        action: 'sso.identity.unlink',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        ...tenant,
        details: {
          providerId,
          changes: { providerId: { before: providerId, after: null } },
          ...(keys.length > 0 && { apiKeysEnded: keys.length }),
          ...(sessionsEnded > 0 && { sessionsEnded }),
        },
      });
      return { success: true };
    });
  }
}
