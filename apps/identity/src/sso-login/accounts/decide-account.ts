import type { Tx } from '@gatehouse/database';
import { type AccountDecision, decideAccount, type Identity } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { AcceptBySingleSignOn } from '../../invitations/accept-by-single-sign-on.ts';
import type { ClaimedAttempt } from '../attempts/login-sessions.repository.ts';
import { AccountFactsRepository } from './account-facts.repository.ts';

/** Decides which account an identity enters (SSO-16 to SSO-21). */
@Injectable()
export class DecideAccount {
  constructor(
    private readonly acceptBySingleSignOn: AcceptBySingleSignOn,
    private readonly accountFactsRepository: AccountFactsRepository,
  ) {}

  /**
   * Creates the account of an invited user first, so that the decision finds it.
   * @returns null when the provider was deleted, deactivated or reconfigured since the attempt began
   */
  async execute(tx: Tx, attempt: ClaimedAttempt, identity: Identity): Promise<AccountDecision | null> {
    const known = await this.accountFactsRepository.known(tx, attempt, identity);
    if (!known) return null;
    const isNewcomer = !known.linked && !known.addressInUse;
    if (isNewcomer) await this.acceptBySingleSignOn.execute(tx, attempt, identity.email);
    const facts = await this.accountFactsRepository.complete(tx, attempt, identity, known);
    const axis = attempt.orgId ? 'organization' : 'partner';
    return facts && decideAccount(identity, facts, { ...attempt, axis });
  }
}
