import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse, MfaMethod, SessionListResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors.repository.ts';
import { MembershipsRepository } from '../memberships/memberships.repository.ts';
import { MembershipsService } from '../memberships/memberships.service.ts';
import { ResetLinksRepository } from '../passwords/credentials.repository.ts';
import { tenantOf } from '../accounts.repository.ts';
import { type StoredUser, UsersRepository } from '../users.repository.ts';
import { publishPrincipalsChanged, RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { SessionRecordsRepository } from '../../sessions/session-records.repository.ts';

@Injectable()
export class UserSecurityService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly usersRepository: UsersRepository,
    private readonly sessionRecordsRepository: SessionRecordsRepository,
    private readonly memberships: MembershipsService,
    private readonly revokeSessions: RevokeSessions,
    private readonly factorsRepository: FactorsRepository,
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly membershipsRepository: MembershipsRepository,
  ) {}

  /** GET /users/:id/sessions: the live sessions of a user in the memberships within the caller's reach. */
  async listUserSessions(caller: UserCaller, userId: string): Promise<SessionListResponse> {
    const sessions = await this.work.read(caller, async (reader) => {
      if (!(await this.usersRepository.find(reader, caller.scope, userId)))
        throw new ProblemError('user_not_found', 'There is no such user.');
      return this.sessionRecordsRepository.listWithin(reader, caller.scope, userId);
    });
    return { data: sessions.map((session) => ({ ...session, current: session.id === caller.sessionId })) };
  }

  /**
   * DELETE /users/:id/sessions: ends the sessions of a user in the memberships within the caller's reach.
   * @throws ProblemError conflict for the caller, user_not_found, role_not_grantable; those of the reach
   */
  async endUserSessions(caller: UserCaller, id: string): Promise<DoneResponse> {
    if (id === caller.userId) throw new ProblemError('conflict', 'End your own sessions at /auth/sessions.');
    await this.work.run(caller, async (tx) => {
      const user = await this.memberships.findChangeableUser(tx, caller, id);
      if (!user) throw new ProblemError('user_not_found', 'There is no such user.');
      let sessions = 0;
      for (const membership of user.memberships)
        sessions += await this.revokeSessions.ofUser(tx, id, 'ended_by_administrator', { membershipId: membership.id });
      tx.audit({
        action: 'session.revoke',
        resource: { type: 'user', id, name: user.email },
        ...tenantOf(user.memberships),
        details: { reason: 'ended_by_administrator', sessions },
      });
    });
    return { success: true };
  }

  /**
   * Deletes all second factors and recovery codes of a user, and revokes their sessions and mailed reset links.
   * @returns the kinds of the deleted factors @throws ProblemError factor_not_found
   */
  async removeFactors(tx: Tx, userId: string): Promise<MfaMethod[]> {
    const kinds = await this.factorsRepository.deleteAll(tx, userId);
    if (kinds.length === 0) throw new ProblemError('factor_not_found', 'This person has no second factor.');
    await this.factorsRepository.deleteRecoveryCodes(tx, userId);
    await this.resetLinksRepository.revoke(tx, userId);
    await this.revokeSessions.ofUser(tx, userId, 'second_factor_reset');
    publishPrincipalsChanged(tx, userId, 'userIds', [userId]);
    return kinds;
  }

  /**
   * DELETE /users/:id/mfa, for a user who has lost their second factor: deletes all factors and revokes all sessions.
   * The next sign-in requires no second factor, so only a caller who could grant all that the user holds may do this.
   */
  async resetSecondFactor(caller: UserCaller, id: string): Promise<DoneResponse> {
    if (id === caller.userId)
      throw new ProblemError('conflict', 'Remove your own factors one by one, at /auth/mfa/factors.');
    await this.work.run(caller, async (tx) => {
      const user = await this.memberships.findChangeableUser(tx, caller, id);
      if (!user) throw new ProblemError('user_not_found', 'There is no such user.');
      await this.requireWhole(tx, user);
      const kinds = await this.removeFactors(tx, id);
      tx.audit({
        action: 'user.mfa.remove',
        resource: { type: 'user', id, name: user.email },
        ...tenantOf(user.memberships),
        details: { reason: 'reset', kinds },
      });
    });
    return { success: true };
  }

  /** A second factor protects every membership of the user, so all of them must be within the caller's reach. */
  private async requireWhole(tx: Tx, { id, memberships, breakGlass }: StoredUser): Promise<void> {
    if ((await this.membershipsRepository.countOfUser(tx, id)) > memberships.length)
      throw new ProblemError('partner_access_denied', 'This person also has access to places that you cannot access.');
    if (breakGlass)
      throw new ProblemError(
        'conflict',
        'A break-glass user must keep at least one second factor; end their break-glass status first.',
      );
  }
}
