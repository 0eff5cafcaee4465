import { asService, invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { type Account, AccountsRepository, type LiveMembership } from '../people/accounts.repository.ts';
import { originDenied } from '../session-cookie/session-cookie.ts';
import type { RenewedTokens } from '../sessions/renew-session.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { type LiveSession, SessionsRepository } from '../sessions/sessions.repository.ts';
import { MoveSession, ssoEnforced } from './move-session.ts';

interface Wanted {
  readonly membershipId: string;
  /** Whether a page of this product sent the request. */
  readonly isOwnOrigin: boolean;
}

interface Switch {
  readonly caller: UserCaller;
  readonly account: Account;
  readonly membership: LiveMembership;
}

/**
 * POST /auth/membership: a new session in another membership of the user, in place of this one, by the rules of
 * sign-in. A provider vouches for its own tenant only, so a session that a provider opened cannot switch. The second
 * factor stays proved as long as it was.
 */
@Injectable()
export class SwitchMembership {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accountsRepository: AccountsRepository,
    private readonly sessionsRepository: SessionsRepository,
    private readonly moveSession: MoveSession,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * @throws ProblemError session_revoked, origin_denied, permission_denied, validation_failed, sso_enforced,
   * mfa_required
   */
  execute(caller: UserCaller, { membershipId, isOwnOrigin }: Wanted): Promise<RenewedTokens> {
    const sessionId = sessionOf(caller);
    return this.work.run(asService('identity', caller.origin), async (tx) => {
      const account = await this.accountsRepository.byId(tx, caller.userId);
      const session = await this.sessionsRepository.findLive(tx, sessionId);
      if (!account || !session) throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
      if (session.inCookie && !isOwnOrigin) throw originDenied();
      const membership = requireSwitchable(account, session, membershipId);
      const moved = await this.moveSession.execute(tx, sessionId, membershipId);
      this.record(tx, { caller, account, membership }, moved.sessionId);
      return moved.tokens;
    });
  }

  private record(tx: Tx, { caller, account, membership }: Switch, sessionId: string): void {
    const { id, name, email, breakGlass } = account;
    const subject = { resource: { type: 'user', id, name: email }, actor: { type: 'user' as const, id, name } };
    const { partnerId, orgId } = caller;
    const details = { sessionId: caller.sessionId, reason: 'membership_switched' };
    tx.audit({ ...subject, action: 'user.logout', partnerId, orgId, details });
    tx.audit({
      ...subject,
      action: breakGlass ? 'user.break_glass.login' : 'user.login',
      partnerId: membership.partnerId,
      orgId: membership.orgId,
      details: { via: 'membership_switch', sessionId },
    });
    if (breakGlass)
      this.log.warn({ userId: id, sessionId, alert: 'break_glass_sign_in' }, 'a break-glass account signed in');
  }
}

/** @throws ProblemError permission_denied, validation_failed, sso_enforced, mfa_required */
function requireSwitchable(account: Account, session: LiveSession, membershipId: string): LiveMembership {
  if (session.via === 'sso')
    throw new ProblemError(
      'permission_denied',
      'An identity provider of one of your organisations opened this session. Sign in to the other membership by its own means.',
    );
  const membership = account.memberships.find(({ id }) => id === membershipId);
  if (!membership) throw invalid('membershipId', 'must be one of your memberships');
  if (membership.governed) throw ssoEnforced();
  if (account.methods.length > 0 && session.mfaAt === null)
    throw new ProblemError('mfa_required', 'Confirm your second factor first.');
  return membership;
}
