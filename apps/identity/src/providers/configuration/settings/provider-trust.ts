import { covers, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Reader, Tx } from '@gatehouse/database';
import { changesSubjects, effectsOfChange, missingPermissions, type Owner } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { RevokeSessions } from '../../../sessions/revoke-sessions.ts';
import { DefaultRoleCheck } from './default-role-check.ts';
import { ProviderTrustRepository, type TrustedProvider } from '../store/provider-trust.repository.ts';
import type { SsoProvider } from '../store/sso-provider.entity.ts';

/** Counts what a change of a provider ended; members without effect are absent. */
export interface EndedTrust {
  readonly linksVoided?: number;
  readonly sessionsEnded?: number;
  readonly secondFactorsEnded?: number;
}

interface ProviderChange {
  readonly before: SsoProvider;
  readonly after: SsoProvider;
}

/**
 * Decides who may configure a provider, and ends what its changed configuration no longer supports (decisions, "SSO").
 */
@Injectable()
export class ProviderTrust {
  constructor(
    private readonly providerTrustRepository: ProviderTrustRepository,
    private readonly defaultRoleCheck: DefaultRoleCheck,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /** @throws ProblemError validation_failed, role_not_grantable with `missing` */
  requireMayGrant(tx: Tx, caller: UserCaller, owner: Owner, defaultRoleId: string | null | undefined): Promise<void> {
    return this.defaultRoleCheck.require(tx, caller, owner, defaultRoleId);
  }

  /**
   * An administrator who points a provider at an identity source can become any user whom it signs in.
   * @param provider the provider after the change
   * @throws ProblemError role_not_grantable with `missing`: the permissions that the caller lacks
   */
  async requireMayConfigure(reader: Reader, caller: UserCaller, provider: TrustedProvider): Promise<void> {
    const missing = missingPermissions(
      caller.permissions,
      await this.providerTrustRepository.permissionsAtStake(reader, provider),
    );
    if (missing.length === 0) return;
    const reason = 'This provider can sign in people, or give newcomers a role, with permissions that you do not have.';
    throw new ProblemError('role_not_grantable', reason, { missing });
  }

  /**
   * Whether a user who decided something before may still configure the provider.
   * @returns the membership by which they may now, or null
   */
  async mayStillConfigure(tx: Tx, userId: string | null, provider: SsoProvider): Promise<string | null> {
    const needed = await this.providerTrustRepository.permissionsAtStake(tx, provider);
    const held = await this.providerTrustRepository.overOwner(tx, userId, provider.id);
    const found = held.find(({ permissions }) => {
      const own = new Set(permissions);
      return covers(own, 'organizations:write') && missingPermissions(own, needed).length === 0;
    });
    return found?.id ?? null;
  }

  /**
   * SSO-92: a change of subjects makes linked accounts void, so its caller names how many.
   * @throws ProblemError links_would_break with `links`
   */
  async requireRelinkConfirmed(tx: Tx, change: ProviderChange, confirmed: number | undefined): Promise<void> {
    if (!changesSubjects(change)) return;
    const links = await this.providerTrustRepository.countLinks(tx, change.after.id);
    if (links === 0 || links === confirmed) return;
    const reason = 'The provider would name its users otherwise: each of these links would have to be made again.';
    throw new ProblemError('links_would_break', reason, { links });
  }

  /** Ends the links, sessions and second factors that depended on the previous configuration. */
  async endWhatIsLost(tx: Tx, { before, after }: ProviderChange): Promise<EndedTrust> {
    const lost = effectsOfChange({ before, after });
    const { id } = after;
    const reason = lost.links ? 'sso_provider_changed' : 'sso_provider_inactive';
    // API keys are deleted with the links, so what ends is announced first.
    const sessionsEnded = lost.sessions ? await this.revokeSessions.ofProvider(tx, id, reason) : 0;
    const linksVoided = lost.links ? await this.providerTrustRepository.forgetLinks(tx, id) : 0;
    const secondFactorsEnded = lost.secondFactors ? await this.revokeSessions.dropProviderMfa(tx, id) : 0;
    const counts = Object.entries({ linksVoided, sessionsEnded, secondFactorsEnded });
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }
}
