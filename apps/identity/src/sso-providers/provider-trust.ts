import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { lostFooting, missingPermissions } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { ProviderTrustRepository } from './provider-trust.repository.ts';
import type { SsoProvider } from './sso-provider.entity.ts';

/** How much ended with a change of a provider; what did not end is absent. */
export interface EndedTrust {
  readonly linksVoided?: number;
  readonly sessionsEnded?: number;
  readonly secondFactorsEnded?: number;
}

/** Decides who may say whom a provider signs in, and ends what no longer stands on its word (decisions, "SSO"). */
@Injectable()
export class ProviderTrust {
  constructor(
    private readonly trust: ProviderTrustRepository,
    private readonly sessions: RevokeSessions,
  ) {}

  /**
   * Whoever points a provider at an identity source can become everybody whom it signs in.
   * @param provider as it will be
   * @throws ProblemError role_not_grantable with `missing`: the permissions that the caller lacks
   */
  async requireMayConfigure(tx: Tx, caller: UserCaller, provider: SsoProvider): Promise<void> {
    const missing = missingPermissions(caller.permissions, await this.trust.permissionsAtStake(tx, provider));
    if (missing.length === 0) return;
    const reason = 'This provider can sign in people, or give newcomers a role, with permissions that you do not have.';
    throw new ProblemError('role_not_grantable', reason, { missing });
  }

  /** Ends the links, sessions and second factors that stood on what the provider was before. */
  async endWhatIsLost(tx: Tx, { before, after }: { before: SsoProvider; after: SsoProvider }): Promise<EndedTrust> {
    const lost = lostFooting({ before, after });
    const { id } = after;
    const reason = lost.links ? 'sso_provider_changed' : 'sso_provider_inactive';
    const linksVoided = lost.links ? await this.trust.forgetLinks(tx, id) : 0;
    const sessionsEnded = lost.sessions ? await this.sessions.ofProvider(tx, id, reason) : 0;
    const secondFactorsEnded = lost.secondFactors ? await this.sessions.dropProviderMfa(tx, id) : 0;
    const counts = Object.entries({ linksVoided, sessionsEnded, secondFactorsEnded });
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }
}
