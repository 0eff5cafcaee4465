import { asService, invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { OwnMembershipListResponse } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { EnforcementRepository } from '../../providers/enforcement/enforcement.repository.ts';
import { type Account, AccountsRepository, type LiveMembership } from '../../people/accounts.repository.ts';
import { originDenied } from '../../sessions/session-cookie/session-cookie.ts';
import { OpenSession, sessionOf } from '../../sessions/open-session.ts';
import { RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { type LiveSession, SessionsRepository } from '../../sessions/sessions.repository.ts';
import type { RenewedTokens } from '../../sessions/sessions.service.ts';

const ssoEnforced = (): ProblemError =>
  new ProblemError('sso_enforced', 'This organisation signs in with its identity provider; use that.');

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

function requireSwitchable(account: Account, session: LiveSession, membershipId: string): LiveMembership {
  if (session.via === 'sso')
    throw new ProblemError(
      'permission_denied',
      'You signed in with an identity provider of one organisation. Sign in to the other membership separately.',
    );
  const membership = account.memberships.find(({ id }) => id === membershipId);
  if (!membership) throw invalid('membershipId', 'must be one of your memberships');
  if (membership.governed) throw ssoEnforced();
  if (account.methods.length > 0 && session.mfaAt === null)
    throw new ProblemError('mfa_required', 'Confirm your second factor first.');
  return membership;
}

@Injectable()
export class OwnMembershipsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accountsRepository: AccountsRepository,
    private readonly sessionsRepository: SessionsRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly openSession: OpenSession,
    private readonly enforcementRepository: EnforcementRepository,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * GET /auth/memberships: the memberships that this session may switch to, and its own. An identity provider is
   * trusted by one tenant only, so a session that a provider opened sees only its own membership.
   */
  async list(caller: UserCaller): Promise<OwnMembershipListResponse> {
    const sessionId = sessionOf(caller);
    const { account, session } = await this.work.read(asService('identity', caller.origin), async (reader) => ({
      account: await this.accountsRepository.byId(reader, caller.userId),
      session: await this.sessionsRepository.findLive(reader, sessionId),
    }));
    const isOpen = ({ id, governed }: { id: string; governed: boolean }): boolean =>
      id === session?.membershipId || (session?.via !== 'sso' && !governed);
    const memberships = account?.memberships.filter(isOpen) ?? [];
    return {
      data: memberships.map(({ governed: _, upcoming: _u, ...membership }) => ({
        ...membership,
        current: membership.id === session?.membershipId,
      })),
    };
  }

  /** Replaces a session by one in another membership of its user. */
  async moveSession(
    tx: Tx,
    sessionId: string,
    membershipId: string,
  ): Promise<{ readonly sessionId: string; readonly tokens: RenewedTokens }> {
    const movedId = newId();
    const moved = await this.sessionsRepository.moveTo(tx, sessionId, { newId: movedId, membershipId });
    // A concurrent revocation or switch has already ended the old session.
    if (!moved || (await this.revokeSessions.ofSession(tx, sessionId, 'membership_switched')) === 0)
      throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    // Checked only now, after the session exists: enforcement that begins later waits for this session and revokes it.
    if (await this.enforcementRepository.isGoverned(tx, membershipId)) throw ssoEnforced();
    return { sessionId: movedId, tokens: { ...(await this.openSession.issueTokens(tx, movedId)), ...moved } };
  }

  /**
   * POST /auth/membership: a new session in another membership of the user, in place of this one, by the rules of
   * sign-in. The second factor stays proved as long as it was.
   */
  switch(caller: UserCaller, { membershipId, isOwnOrigin }: Wanted): Promise<RenewedTokens> {
    const sessionId = sessionOf(caller);
    return this.work.run(asService('identity', caller.origin), async (tx) => {
      const account = await this.accountsRepository.byId(tx, caller.userId);
      const session = await this.sessionsRepository.findLive(tx, sessionId);
      if (!account || !session) throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
      if (session.inCookie && !isOwnOrigin) throw originDenied();
      const membership = requireSwitchable(account, session, membershipId);
      const moved = await this.moveSession(tx, sessionId, membershipId);
      this.record(tx, { caller, account, membership }, moved.sessionId);
      return moved.tokens;
    });
  }

  private record(tx: Tx, { caller, account, membership }: Switch, sessionId: string): void {
    const { id, name, email, breakGlass } = account;
    const subject = { resource: { type: 'user', id, name: email }, actor: { type: 'user' as const, id, name } };
    const { partnerId, orgId } = caller;
    const wouldBeGoverned = !breakGlass && membership.upcoming !== null;
    const details = { sessionId: caller.sessionId, reason: 'membership_switched' };
    tx.audit({ ...subject, action: 'user.logout', partnerId, orgId, details });
    tx.audit({
      ...subject,
      action: breakGlass ? 'user.break_glass.login' : 'user.login',
      partnerId: membership.partnerId,
      orgId: membership.orgId,
      details: { via: 'membership_switch', sessionId, ...(wouldBeGoverned && { wouldBeGoverned }) },
    });
    if (breakGlass)
      this.log.warn({ userId: id, sessionId, alert: 'break_glass_sign_in' }, 'a break-glass account signed in');
  }
}
