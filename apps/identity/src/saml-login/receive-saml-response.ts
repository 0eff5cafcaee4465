import { asService, type AuditEntry, type Caller } from '@gatehouse/contracts-core';
import { KeyRing, randomToken, sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { samlClaims } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { ClaimAttempt } from '../sso-login/attempts/claim-attempt.ts';
import { LoginRefused } from '../sso-login/attempts/login-refused.ts';
import { type ClaimedAttempt, LoginSessionsRepository } from '../sso-login/attempts/login-sessions.repository.ts';
import type { VerifiedAnswer } from '../sso-login/oidc/oidc-engine.ts';
import { SamlChecks } from './saml-checks.ts';
import { samlResultContext, SamlResultsRepository } from './saml-results.repository.ts';

/** Warns the administrators while the weak key is still accepted; the entry states from when it will be refused. */
const weakKeyEntry = ({ id, name, partnerId, orgId, weakKeysUntil }: ClaimedAttempt): AuditEntry => ({
  action: 'sso.login.weak_key',
  resource: { type: 'sso_provider', id, name },
  partnerId,
  orgId,
  details: { refusedFrom: weakKeysUntil?.toISOString() ?? null },
});

/**
 * `POST /sso/saml/acs`: the browser posts the provider's form from another site, so our cookie is missing. The service
 * first looks the attempt up and verifies the response; only then does it consume the attempt, so a response that is
 * not genuine consumes nothing. Only one request can consume an attempt, so each response is good for one sign-in. The
 * result is stored under a one-time handle.
 */
@Injectable()
export class ReceiveSamlResponse {
  constructor(
    private readonly work: UnitOfWork,
    private readonly claimAttempt: ClaimAttempt,
    private readonly samlChecks: SamlChecks,
    private readonly loginSessionsRepository: LoginSessionsRepository,
    private readonly samlResultsRepository: SamlResultsRepository,
    private readonly keyRing: KeyRing,
  ) {}

  /**
   * @returns the handle with which the browser collects the result once it is back on our site
   * @throws LoginRefused session_expired, provider_changed, sso_error; ProblemError rate_limited, after which the
   * browser may post the form again
   */
  async execute(
    caller: Caller,
    { samlResponse, relayState }: { samlResponse: unknown; relayState: unknown },
  ): Promise<string> {
    if (typeof samlResponse !== 'string' || typeof relayState !== 'string') throw new LoginRefused('session_expired');
    const attempt = await this.claimAttempt.find(caller, relayState);
    const stateHash = sha256Hex(relayState);
    const { subject, byWeakKey } = await this.samlChecks.verify(caller, attempt, { response: samlResponse, stateHash });
    const handle = randomToken();
    const handleHash = sha256Hex(handle);
    const documents = [{ saml: subject }, samlClaims(subject, attempt.attributeMapping)];
    const signIn: VerifiedAnswer = {
      documents,
      amr: undefined,
      accessToken: null,
      refreshToken: null,
      tokenSeconds: null,
    };
    const sealed = this.keyRing.seal(JSON.stringify(signIn), samlResultContext(handleHash));
    await this.work.run(asService('identity', caller.origin), async (tx) => {
      if (!(await this.loginSessionsRepository.claim(tx, stateHash))) throw new LoginRefused('session_expired');
      await this.samlResultsRepository.insert(tx, { handleHash, stateHash }, attempt, sealed);
      if (byWeakKey) tx.audit(weakKeyEntry(attempt));
    });
    return handle;
  }
}
