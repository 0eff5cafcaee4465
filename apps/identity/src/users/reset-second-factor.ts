import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse, MfaMethod } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { revokeResetLinks } from '../passwords/reset-links.ts';
import { tenantOf } from '../people/tenant-of.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { MembershipGrants } from '../memberships/membership-grants.ts';
import { type StoredUser, UsersRepository } from '../people/users.repository.ts';

const REMOVE = `DELETE FROM mfa_factors WHERE user_id = $1 RETURNING kind`;
const DELETE_CODES = `DELETE FROM recovery_codes WHERE user_id = $1`;

/**
 * DELETE /users/:id/mfa, for a user who has lost their second factor: deletes all factors and revokes all sessions. The
 * next sign-in requires no second factor, so only a caller who could grant everything that the user holds may do this.
 */
@Injectable()
export class ResetSecondFactor {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UsersRepository,
    private readonly memberships: MembershipGrants,
    private readonly revocation: RevokeSessions,
  ) {}

  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    if (id === caller.userId)
      throw new ProblemError('conflict', 'Remove your own factors one by one, at /auth/mfa/factors.');
    await this.work.run(caller, async (tx) => {
      await this.users.lock(tx, id);
      const user = await this.users.find(tx, caller.scope, id);
      if (!user) throw new ProblemError('user_not_found', 'There is no such user.');
      await this.memberships.requireMayChange(tx, caller, user.memberships);
      await this.requireWhole(tx, user);
      await this.reset(tx, user);
    });
    return { success: true };
  }

  /** A second factor protects every membership of the user, so all of them must be within the caller's reach. */
  private async requireWhole(tx: Tx, { id, memberships, breakGlass }: StoredUser): Promise<void> {
    if ((await this.users.membershipCount(tx, id)) > memberships.length)
      throw new ProblemError('partner_access_denied', 'This person also belongs to tenants that you do not reach.');
    if (breakGlass)
      throw new ProblemError(
        'conflict',
        'A break-glass person keeps at least one second factor; take that standing away first.',
      );
  }

  private async reset(tx: Tx, { id, email, memberships }: StoredUser): Promise<void> {
    const removed = await tx.query<{ kind: MfaMethod }>(REMOVE, [id]);
    if (removed.length === 0) throw new ProblemError('factor_not_found', 'This person has no second factor.');
    await tx.query(DELETE_CODES, [id]);
    await revokeResetLinks(tx, id);
    await this.revocation.ofUser(tx, id, 'second_factor_reset');
    publishPrincipalsChanged(tx, id, 'userIds', [id]);
    tx.audit({
      action: 'user.mfa.remove',
      resource: { type: 'user', id, name: email },
      ...tenantOf(memberships),
      details: { reason: 'reset', kinds: removed.map(({ kind }) => kind) },
    });
  }
}
