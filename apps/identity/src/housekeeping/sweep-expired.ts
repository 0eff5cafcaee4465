import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';

const EVERY_MS = 10 * 60 * 1000;
/**
 * Ended sessions are kept for a week, so that reuse of their refresh tokens is still detected; short-lived rows are
 * deleted at once.
 */
const SWEEPS = [
  `DELETE FROM sessions WHERE expires_at < now() - interval '7 days' OR revoked_at < now() - interval '7 days'`,
  `DELETE FROM refresh_tokens WHERE expires_at < now() - interval '1 day'`,
  `DELETE FROM mfa_challenges WHERE expires_at < now()`,
  `DELETE FROM webauthn_ceremonies WHERE expires_at < now()`,
  `DELETE FROM mfa_factors WHERE confirmed_at IS NULL AND created_at < now() - interval '1 day'`,
  `DELETE FROM membership_offers WHERE expires_at < now()`,
  `DELETE FROM invitation_mails WHERE sent_at < now() - interval '1 day'`,
  `DELETE FROM password_resets WHERE expires_at < now()`,
];

/** Deletes expired rows. Correctness does not depend on it: every read checks the expiry itself. */
@Injectable()
export class SweepExpired {
  constructor(private readonly work: UnitOfWork) {}

  @Every(EVERY_MS, 'expired sign-in state')
  async round(): Promise<void> {
    for (const sweep of SWEEPS) await this.work.background(asService('identity'), (tx) => tx.query(sweep));
  }
}
