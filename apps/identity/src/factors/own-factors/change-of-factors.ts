import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors.repository.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from '../recovery-codes.ts';
import { UsersRepository } from '../../people/users.repository.ts';
import { SessionsService } from '../../sessions/sessions.service.ts';

/** The rules that every change of a user's own factors shares. */
@Injectable()
export class ChangeOfFactors {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly factorsRepository: FactorsRepository,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * A user may add a factor if they have none yet, or have just proved the one they have.
   * @throws ProblemError permission_denied, mfa_required; factor_exists for a second authenticator app
   */
  async requireMayEnrol(tx: Tx, caller: UserCaller, kind: 'totp' | 'webauthn'): Promise<void> {
    // A concurrent invitation may give the user a membership elsewhere: one of the two waits for the other.
    await this.usersRepository.lock(tx, caller.userId);
    const kinds = await this.factorsRepository.confirmedKinds(tx, caller.userId);
    if (kinds.length > 0 && !caller.mfa)
      throw new ProblemError('mfa_required', 'Confirm your second factor before you add another.');
    await this.requireOwnFactor(tx, caller);
    if (kind === 'totp' && kinds.includes('totp'))
      throw new ProblemError('factor_exists', 'You have an authenticator app already; remove it first.');
  }

  /**
   * A provider's second factor counts only for the provider's tenant; a user's own factors protect the whole account. A
   * user who has a factor of their own must prove it before factors or recovery codes change.
   * @throws ProblemError permission_denied for the session of one tenant's provider, mfa_required
   */
  async requireOwnFactor(tx: Tx, caller: UserCaller): Promise<void> {
    await this.sessions.requireAccountWide(tx, caller);
    if (await this.factorsRepository.isVouchedFor(tx, caller.sessionId))
      throw new ProblemError(
        'mfa_required',
        'Confirm your own second factor first; that of your identity provider does not stand in for it here.',
      );
  }

  /** @returns the new recovery codes, which are shown only once */
  async replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await this.factorsRepository.replaceRecoveryCodes(tx, userId, codes.map(hashOfRecoveryCode));
    return codes;
  }
}
