import type { UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ResetLinksRepository } from '../passwords/reset-links.repository.ts';
import { type RenewedTokens, RenewSession } from '../sessions/renew-session.ts';
import { sessionOf } from '../sessions/session-of.ts';

/** Ends each enrolment: revokes mailed reset links, renews the session with the new factor, and audits the factor. */
@Injectable()
export class FinishEnrolment {
  constructor(
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly renewSession: RenewSession,
  ) {}

  async execute(
    tx: Tx,
    caller: UserCaller,
    details: { readonly kind: 'totp' | 'webauthn'; readonly factorId?: string },
  ): Promise<RenewedTokens> {
    await this.resetLinksRepository.revoke(tx, caller.userId);
    const tokens = await this.renewSession.execute(tx, sessionOf(caller), details.kind);
    tx.audit({
      action: 'user.mfa.enroll',
      resource: { type: 'user', id: caller.userId, name: caller.email },
      details,
    });
    return tokens;
  }
}
