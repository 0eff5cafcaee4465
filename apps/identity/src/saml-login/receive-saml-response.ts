import { asService, type AuditEntry, type Caller } from '@gatehouse/contracts-core';
import { KeyRing, randomToken, sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { samlClaims } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { ClaimAttempt } from '../sso-login/attempts/claim-attempt.ts';
import { CompleteSsoLogin, type LoginResult } from '../sso-login/complete-sso-login.ts';
import { LoginRefused } from '../sso-login/attempts/login-refused.ts';
import { type ClaimedAttempt, LoginSessionsRepository } from '../sso-login/attempts/login-sessions.repository.ts';
import type { OidcSignIn } from '../sso-login/oidc/oidc-engine.ts';
import { StateCookies } from '../sso-login/browser/state-cookies.ts';
import { SamlChecks } from './saml-checks.ts';
import { SamlResultsRepository } from './saml-results.repository.ts';
import { SamlSubjects } from './saml-subjects.ts';

export const samlResultContext = (handleHash: string): string => `sso_saml_result:${handleHash}`;

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
    private readonly claim: ClaimAttempt,
    private readonly checks: SamlChecks,
    private readonly attempts: LoginSessionsRepository,
    private readonly results: SamlResultsRepository,
    private readonly keys: KeyRing,
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
    const attempt = await this.claim.find(caller, relayState);
    const stateHash = sha256Hex(relayState);
    const { subject, byWeakKey } = await this.checks.verify(caller, attempt, { response: samlResponse, stateHash });
    const handle = randomToken();
    const handleHash = sha256Hex(handle);
    const documents = [{ saml: subject }, samlClaims(subject, attempt.attributeMapping)];
    const signIn: OidcSignIn = { documents, amr: undefined, accessToken: null, refreshToken: null, tokenSeconds: null };
    const sealed = this.keys.seal(JSON.stringify(signIn), samlResultContext(handleHash));
    await this.work.run(asService('identity', caller.origin), async (tx) => {
      if (!(await this.attempts.claim(tx, stateHash))) throw new LoginRefused('session_expired');
      await this.results.add(tx, { handleHash, stateHash }, attempt, sealed);
      if (byWeakKey) tx.audit(weakKeyEntry(attempt));
    });
    return handle;
  }
}

interface ReturnToComplete {
  readonly handle: unknown;
  /** The value of the Cookie header. */
  readonly cookie: string | undefined;
  readonly browser: string;
}

/** `GET /sso/saml/complete`: the browser now sends the cookie, and the sign-in continues like any other. */
@Injectable()
export class CompleteSamlLogin {
  constructor(
    private readonly work: UnitOfWork,
    private readonly results: SamlResultsRepository,
    private readonly cookies: StateCookies,
    private readonly complete: CompleteSsoLogin,
    private readonly keys: KeyRing,
    private readonly subjects: SamlSubjects,
  ) {}

  /** @throws LoginRefused */
  async execute(caller: Caller, { handle, cookie, browser }: ReturnToComplete): Promise<LoginResult> {
    const state = this.cookies.stateIn(cookie);
    if (typeof handle !== 'string' || state === null) throw new LoginRefused('session_expired');
    const handleHash = sha256Hex(handle);
    const result = await this.work.run(asService('identity', caller.origin), (tx) =>
      this.results.take(tx, { handleHash, stateHash: sha256Hex(state) }),
    );
    if (!result) throw new LoginRefused('session_expired');
    const signIn = JSON.parse(this.keys.open(result.identitySealed, samlResultContext(handleHash))) as OidcSignIn;
    const known = await this.subjects.asLinked(caller, result, signIn);
    return this.complete.execute(caller, { attempt: result, signIn: known, browser });
  }
}
