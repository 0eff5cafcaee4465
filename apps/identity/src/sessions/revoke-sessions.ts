import { type PrincipalsChange, PrincipalsChanged } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type EndedSession, type SessionFilter, SessionsRepository } from './sessions.repository.ts';

/** About 200 KB in one event; the broker accepts one megabyte. */
const MAX_IDS_PER_EVENT = 5_000;

/** Publishes that the principals behind these ids have changed, so that caches of them are dropped. */
export function publishPrincipalsChanged(
  tx: Tx,
  aggregateId: string,
  kind: keyof PrincipalsChange,
  ids: readonly string[],
): void {
  for (let at = 0; at < ids.length; at += MAX_IDS_PER_EVENT) {
    tx.emit(
      PrincipalsChanged,
      { sessionIds: [], userIds: [], apiKeyIds: [], [kind]: ids.slice(at, at + MAX_IDS_PER_EVENT) },
      { aggregateId },
    );
  }
}

/**
 * Revokes sessions and publishes that they ended, so the gateway drops them from its cache within moments. The calling
 * operation audits the reason.
 */
@Injectable()
export class RevokeSessions {
  constructor(private readonly sessionsRepository: SessionsRepository) {}

  /** @returns the number of revoked sessions */
  async ofUser(tx: Tx, userId: string, reason: string, filter: SessionFilter = {}): Promise<number> {
    await this.sessionsRepository.deleteChallenges(tx, userId, filter.membershipId ?? null);
    await this.sessionsRepository.lockUsers(tx, [userId]);
    return publishEnded(tx, await this.sessionsRepository.endOfUser(tx, userId, { reason, ...filter }));
  }

  async ofSession(tx: Tx, sessionId: string, reason: string): Promise<number> {
    return publishEnded(tx, await this.sessionsRepository.endOne(tx, sessionId, reason));
  }

  /**
   * Revokes sessions that a password or an invitation opened in memberships that are now governed: enforcement of
   * single sign-on ends them.
   */
  async ofPasswordOrigin(tx: Tx, userIds: readonly string[], reason = 'sso_enforced'): Promise<number> {
    await this.sessionsRepository.deleteGovernedChallenges(tx, userIds);
    await this.sessionsRepository.lockUsers(tx, userIds);
    return publishEnded(tx, await this.sessionsRepository.endOfPasswordOrigin(tx, userIds, reason));
  }

  /**
   * For users whose membership or status changed: single sign-on may already be enforced in the new tenant.
   * @returns the number of revoked sessions
   */
  async ofNewlyGoverned(tx: Tx, userIds: readonly string[]): Promise<number> {
    const governed = await this.sessionsRepository.governedAmong(tx, userIds);
    return governed.length > 0 ? this.ofPasswordOrigin(tx, governed) : 0;
  }

  /** What the sessions made ends or is suspended with them: caches of API keys are dropped too. */
  async ofProvider(tx: Tx, providerId: string, reason: string): Promise<number> {
    const keys = await this.sessionsRepository.keysOfProvider(tx, providerId);
    publishPrincipalsChanged(tx, providerId, 'apiKeyIds', keys);
    await this.sessionsRepository.lockUsersOfProvider(tx, providerId);
    return publishEnded(tx, await this.sessionsRepository.endOfProvider(tx, providerId, reason));
  }

  /**
   * For a user who becomes a break-glass user: only providers that they linked themselves may sign them in.
   * @returns the number of revoked sessions
   */
  async ofUnlinkedProviders(tx: Tx, userId: string): Promise<number> {
    await this.sessionsRepository.lockUsers(tx, [userId]);
    return publishEnded(tx, await this.sessionsRepository.endOfUnlinkedProviders(tx, userId, 'break_glass'));
  }

  /**
   * For a provider whose second factor is no longer trusted: its sessions continue without one.
   * @returns the number of sessions that lost their second factor
   */
  async dropProviderMfa(tx: Tx, providerId: string): Promise<number> {
    await this.sessionsRepository.lockUsersOfProvider(tx, providerId);
    return publishEnded(tx, await this.sessionsRepository.dropProviderMfa(tx, providerId));
  }
}

function publishEnded(tx: Tx, ended: readonly EndedSession[]): number {
  const [first] = ended;
  const ids = ended.map(({ id }) => id);
  if (first) publishPrincipalsChanged(tx, first.userId, 'sessionIds', ids);
  return ended.length;
}
