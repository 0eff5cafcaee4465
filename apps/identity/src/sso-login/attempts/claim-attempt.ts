import { asService, type Caller } from '@gatehouse/contracts-core';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { LoginRefused, type RefusedAt } from './login-refused.ts';
import { type ClaimedAttempt, LoginSessionsRepository } from './login-sessions.repository.ts';
import { StateCookies } from '../browser/state-cookies.ts';

export const refusedAt = ({ id, partnerId, orgId, linkingUserId }: ClaimedAttempt): RefusedAt => ({
  providerId: id,
  partnerId,
  orgId,
  linkingUserId,
});

/**
 * SSO-11, SSO-12, SSO-13: checks the browser's cookie, consumes the attempt, and then requires that the provider's
 * configuration has not changed since the attempt began.
 */
@Injectable()
export class ClaimAttempt {
  constructor(
    private readonly work: UnitOfWork,
    private readonly loginSessionsRepository: LoginSessionsRepository,
    private readonly stateCookies: StateCookies,
  ) {}

  /**
   * Consumes the attempt of OpenID Connect that the browser began. An attempt of SAML ends here without a sign-in: its
   * provider may still have OpenID settings of another source.
   * @throws LoginRefused session_expired (a cookie that does not match leaves the attempt unconsumed), provider_changed
   */
  async execute(
    caller: Caller,
    { state, cookie }: { state: unknown; cookie: string | undefined },
  ): Promise<ClaimedAttempt> {
    if (typeof state !== 'string' || !this.stateCookies.matches(cookie, state))
      throw new LoginRefused('session_expired');
    return this.consume(caller, state);
  }

  /**
   * Returns the attempt that a provider's form answers without consuming it: the form arrives without our cookie, so it
   * proves nothing yet.
   * @throws LoginRefused session_expired (also for an attempt of OpenID Connect), provider_changed
   */
  async find(caller: Caller, state: string): Promise<ClaimedAttempt> {
    const attempt = await this.work.read(asService('identity', caller.origin), (reader) =>
      this.loginSessionsRepository.find(reader, sha256Hex(state)),
    );
    if (attempt?.type !== 'saml') throw new LoginRefused('session_expired');
    return this.requireUnchanged(attempt);
  }

  private async consume(caller: Caller, state: string): Promise<ClaimedAttempt> {
    const attempt = await this.work.autocommit(asService('identity', caller.origin), (statement) =>
      this.loginSessionsRepository.claim(statement, sha256Hex(state)),
    );
    if (!attempt || this.requireUnchanged(attempt).type !== 'oidc') throw new LoginRefused('session_expired');
    return attempt;
  }

  private requireUnchanged(attempt: ClaimedAttempt): ClaimedAttempt {
    if (attempt.status !== 'active' || attempt.attemptVersion !== attempt.configVersion)
      throw new LoginRefused('provider_changed', refusedAt(attempt));
    return attempt;
  }
}
