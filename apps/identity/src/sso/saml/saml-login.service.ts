import { asService, type AuditEntry, type Caller, ProblemError } from '@gatehouse/contracts-core';
import { KeyRing, randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { type Claims, samlAuthentication, samlClaims, type SamlSubject, StepFailure } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { X509Certificate } from 'node:crypto';
import { certificateRecordOf } from '../../providers/configuration/certificates/saml-certificates.ts';
import { ProviderTrustRepository } from '../../providers/configuration/store/provider-trust.repository.ts';
import { SsoProvidersRepository } from '../../providers/configuration/store/sso-providers.repository.ts';
import { LoginRefused } from '../login/attempts/login-refused.ts';
import {
  type ClaimedAttempt,
  type LoginOwner,
  LoginSessionsRepository,
} from '../login/attempts/login-sessions.repository.ts';
import { refusedAt, sessionExpired, SsoLoginAttemptsService } from '../login/attempts/sso-login-attempts.service.ts';
import { StateCookies } from '../login/browser/state-cookies.ts';
import { CompleteSsoLogin, type LoginResult } from '../login/complete-sso-login.ts';
import type { VerifiedAnswer } from '../login/oidc/oidc-engine.ts';
import { SamlChecks } from './saml-checks.ts';
import { SamlEngine } from './saml-engine.ts';
import { type SamlResult, samlResultContext, SamlResultsRepository } from './saml-results.repository.ts';
import { SamlSubjects } from './saml-subjects.ts';

/** Why the response of a test was refused, until the browser returns to our site and shows whose test it is. */
interface RefusedResponse {
  readonly refused: Pick<LoginRefused, 'code'> & {
    readonly step: Pick<StepFailure, 'step' | 'code' | 'message'> | null;
  };
}

const isRefusal = (answer: VerifiedAnswer | RefusedResponse): answer is RefusedResponse => 'refused' in answer;

function refusalOf({ code, cause }: LoginRefused): RefusedResponse {
  const step = cause instanceof StepFailure ? { step: cause.step, code: cause.code, message: cause.message } : null;
  return { refused: { code, step } };
}

interface SamlReturn {
  readonly handle: unknown;
  /** The value of the Cookie header. */
  readonly cookie: string | undefined;
  /** The value that identifies the browser. */
  readonly browser: string;
}

/** Warns the administrators while the weak key is still accepted; the entry states from when it will be refused. */
const weakKeyEntry = ({ id, name, partnerId, orgId, weakKeysUntil }: ClaimedAttempt): AuditEntry => ({
  action: 'sso.login.weak_key',
  resource: { type: 'sso_provider', id, name },
  partnerId,
  orgId,
  details: { refusedFrom: weakKeysUntil?.toISOString() ?? null },
});

/** @throws LoginRefused sso_error when a mapping by FriendlyName is ambiguous */
function mappedClaims(attempt: ClaimedAttempt, subject: SamlSubject): Claims {
  try {
    return samlClaims(subject, attempt.attributeMapping);
  } catch (cause) {
    const failure = new StepFailure('mapping', 'attribute_ambiguous', (cause as Error).message, { cause });
    throw new LoginRefused('sso_error', refusedAt(attempt), { cause: failure });
  }
}

@Injectable()
export class SamlLoginService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly samlResultsRepository: SamlResultsRepository,
    private readonly stateCookies: StateCookies,
    private readonly completeSsoLogin: CompleteSsoLogin,
    private readonly keyRing: KeyRing,
    private readonly samlSubjects: SamlSubjects,
    private readonly ssoLoginAttempts: SsoLoginAttemptsService,
    private readonly samlChecks: SamlChecks,
    private readonly loginSessionsRepository: LoginSessionsRepository,
    private readonly samlEngine: SamlEngine,
    private readonly providerTrustRepository: ProviderTrustRepository,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
  ) {}

  /**
   * `GET /sso/saml/complete`: the browser now sends the cookie, and the sign-in continues like any other.
   * @throws LoginRefused
   */
  complete(caller: Caller, { handle, cookie, browser }: SamlReturn): Promise<LoginResult> {
    return this.completeSsoLogin.complete(caller, {
      claim: () => this.claim(caller, handle, this.stateCookies.stateIn(cookie)),
      redeem: async (result) => this.redeem(caller, result),
      browser,
    });
  }

  private async claim(caller: Caller, handle: unknown, state: string | null): Promise<SamlResult> {
    if (typeof handle !== 'string' || state === null) throw sessionExpired(state, 'cookie_mismatch');
    const hashes = { handleHash: sha256Hex(handle), stateHash: sha256Hex(state) };
    const result = await this.work.run(asService('identity', caller.origin), async (tx) => {
      const taken = await this.samlResultsRepository.take(tx, hashes);
      // A response that was refused has not consumed the test that it ends.
      const isTaken =
        taken && (!isRefusal(this.open(taken)) || (await this.loginSessionsRepository.claim(tx, hashes.stateHash)));
      return isTaken ? taken : null;
    });
    if (!result) throw sessionExpired(state);
    return result;
  }

  /** @throws LoginRefused as the response of a test was refused */
  private redeem(caller: Caller, result: SamlResult): Promise<VerifiedAnswer> {
    const answer = this.open(result);
    if (!isRefusal(answer)) return this.samlSubjects.asLinked(caller, result, answer);
    const { code, step } = answer.refused;
    throw new LoginRefused(code, refusedAt(result), {
      cause: step && new StepFailure(step.step, step.code, step.message),
    });
  }

  private open({ handleHash, identitySealed }: SamlResult): VerifiedAnswer | RefusedResponse {
    return JSON.parse(this.keyRing.open(identitySealed, samlResultContext(handleHash))) as
      VerifiedAnswer | RefusedResponse;
  }

  /**
   * `POST /sso/saml/acs`: the browser posts the provider's form from another site, so our cookie is missing. The
   * service first looks the attempt up and verifies the response; only then does it consume the attempt, so a response
   * that is not genuine consumes nothing. Only one request can consume an attempt, so each response is good for one
   * sign-in. The result is stored under a one-time handle.
   * @returns the handle with which the browser collects the result once it is back on our site
   * @throws LoginRefused session_expired, provider_changed, sso_error; ProblemError rate_limited, after which the
   * browser may post the form again
   */
  async receiveSamlResponse(
    caller: Caller,
    { samlResponse, relayState }: { samlResponse: unknown; relayState: unknown },
  ): Promise<string> {
    if (typeof samlResponse !== 'string' || typeof relayState !== 'string') throw sessionExpired(relayState);
    try {
      return await this.accept(caller, { samlResponse, relayState });
    } catch (error) {
      const test = error instanceof LoginRefused && error.at?.test;
      if (!test) throw error;
      return this.work.run(asService('identity', caller.origin), (tx) =>
        this.keep(tx, { attempt: test, stateHash: sha256Hex(relayState) }, refusalOf(error)),
      );
    }
  }

  private async accept(
    caller: Caller,
    { samlResponse, relayState }: { samlResponse: string; relayState: string },
  ): Promise<string> {
    const attempt = await this.ssoLoginAttempts.find(caller, relayState);
    const stateHash = sha256Hex(relayState);
    const { subject, byWeakKey, certificate } = await this.samlChecks.verify(caller, attempt, {
      response: samlResponse,
      stateHash,
    });
    const documents = [{ saml: subject }, mappedClaims(attempt, subject)];
    const signIn: VerifiedAnswer = {
      documents,
      authentication: samlAuthentication(subject),
      accessToken: null,
      refreshToken: null,
      tokenSeconds: null,
    };
    return this.work.run(asService('identity', caller.origin), async (tx) => {
      if (!(await this.loginSessionsRepository.claim(tx, stateHash))) throw sessionExpired(relayState);
      if (attempt.purpose !== 'test') {
        if (byWeakKey) tx.audit(weakKeyEntry(attempt));
        await this.noteSigner(tx, attempt, certificate);
      }
      return this.keep(tx, { attempt, stateHash }, signIn);
    });
  }

  /** @returns the handle of what is kept */
  private async keep(
    tx: Tx,
    { attempt, stateHash }: { attempt: ClaimedAttempt; stateHash: string },
    content: VerifiedAnswer | RefusedResponse,
  ): Promise<string> {
    const handle = randomToken();
    const handleHash = sha256Hex(handle);
    const sealed = this.keyRing.seal(JSON.stringify(content), samlResultContext(handleHash));
    await this.samlResultsRepository.insert(tx, { handleHash, stateHash }, attempt, sealed);
    return handle;
  }

  /** The watch drops a certificate only once the other has verified a sign-in (SSO-124). */
  private async noteSigner(tx: Tx, { id, verifiedCertificates }: ClaimedAttempt, pem: string | null): Promise<void> {
    const sha256 = pem && certificateRecordOf(new X509Certificate(pem)).sha256;
    if (sha256 && !verifiedCertificates.includes(sha256))
      await this.providerTrustRepository.markVerified(tx, id, sha256);
  }

  /** `GET /sso/saml/metadata`: ours, for one provider with our certificate for what it encrypts. */
  async metadata({ origin }: Caller, provider: unknown): Promise<string> {
    if (provider === undefined) return this.samlEngine.metadata(null);
    const certificate =
      typeof provider === 'string' && isUUID(provider)
        ? await this.work.read(asService('identity', origin), (reader) =>
            this.ssoProvidersRepository.encryptionCertificate(reader, provider),
          )
        : undefined;
    if (certificate === undefined)
      throw new ProblemError('sso_provider_not_found', 'There is no such identity provider that uses SAML.');
    return this.samlEngine.metadata(certificate);
  }

  /**
   * `GET /sso/saml/login/…`: begins an attempt of SAML.
   * @returns the address of the provider, and the state that the browser's cookie binds
   */
  async start(
    caller: Caller,
    { owner, redirect }: { owner: LoginOwner; redirect: unknown },
  ): Promise<{ location: string; state: string }> {
    const { provider, state, requestId } = await this.ssoLoginAttempts.startSsoLogin(caller, {
      owner,
      protocol: 'saml',
      redirect,
    });
    return { location: await this.samlEngine.loginUrl(provider, { requestId, relayState: state }), state };
  }
}
