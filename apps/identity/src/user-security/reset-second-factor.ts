import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { tenantOf } from '../people/tenant-of.ts';
import { RemoveFactors } from './remove-factors.ts';
import { MembershipsRepository } from '../memberships/memberships.repository.ts';
import { FindChangeableUser } from '../memberships/find-changeable-user.ts';
import type { StoredUser } from '../people/users.repository.ts';

/**
 * DELETE /users/:id/mfa, for a user who has lost their second factor: deletes all factors and revokes all sessions. The
 * next sign-in requires no second factor, so only a caller who could grant everything that the user holds may do this.
 */
@Injectable()
export class ResetSecondFactor {
  constructor(
    private readonly work: UnitOfWork,
    private readonly findChangeableUser: FindChangeableUser,
    private readonly membershipsRepository: MembershipsRepository,
    private readonly removeFactors: RemoveFactors,
  ) {}

  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    if (id === caller.userId)
      throw new ProblemError('conflict', 'Remove your own factors one by one, at /auth/mfa/factors.');
    await this.work.run(caller, async (tx) => {
      const user = await this.findChangeableUser.execute(tx, caller, id);
      if (!user) throw new ProblemError('user_not_found', 'There is no such user.');
      await this.requireWhole(tx, user);
      const kinds = await this.removeFactors.execute(tx, id);
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
      throw new ProblemError('partner_access_denied', 'This person also belongs to tenants that you do not reach.');
    if (breakGlass)
      throw new ProblemError(
        'conflict',
        'A break-glass user keeps at least one second factor; end their break-glass status first.',
      );
  }
}
