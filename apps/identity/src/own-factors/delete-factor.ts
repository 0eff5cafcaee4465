import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors/factors.repository.ts';
import { ResetLinksRepository } from '../passwords/reset-links.repository.ts';
import { UsersRepository } from '../people/users.repository.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { ChangeOfFactors } from './change-of-factors.ts';

/** DELETE /auth/mfa/factors/:id. Also revokes the user's other sessions: the removed factor may have opened one. */
@Injectable()
export class DeleteFactor {
  constructor(
    private readonly work: UnitOfWork,
    private readonly usersRepository: UsersRepository,
    private readonly factorsRepository: FactorsRepository,
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly changeOfFactors: ChangeOfFactors,
  ) {}

  /** @throws ProblemError mfa_required, factor_not_found, conflict */
  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    const sessionId = sessionOf(caller);
    const { userId } = caller;
    await this.work.run(caller, async (tx) => {
      const user = await this.usersRepository.lock(tx, userId);
      await this.changeOfFactors.requireOwnFactor(tx, caller);
      const kind = await this.factorsRepository.delete(tx, userId, id);
      if (!kind) throw new ProblemError('factor_not_found', 'You have no such factor.');
      await this.afterLast(tx, userId, user?.breakGlass ?? false);
      await this.resetLinksRepository.revoke(tx, userId);
      await this.revokeSessions.ofUser(tx, userId, 'factor_removed', { exceptSessionId: sessionId });
      publishPrincipalsChanged(tx, userId, 'userIds', [userId]);
      tx.audit({
        action: 'user.mfa.remove',
        resource: { type: 'user', id: userId, name: caller.email },
        details: { kind, factorId: id },
      });
    });
    return { success: true };
  }

  /** Deletes the recovery codes with the last factor, which a break-glass user must keep. */
  private async afterLast(tx: Tx, userId: string, breakGlass: boolean): Promise<void> {
    if ((await this.factorsRepository.confirmedKinds(tx, userId)).length > 0) return;
    if (breakGlass) throw new ProblemError('conflict', 'A break-glass user keeps at least one second factor.');
    await this.factorsRepository.deleteRecoveryCodes(tx, userId);
  }
}
