import { type Caller, ProblemError } from '@gatehouse/contracts-core';
import type { StepCode } from '@gatehouse/contracts-identity';
import { StepFailure } from '@gatehouse/identity-domain';
import { clientNetwork, RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { refusedAt } from '../login/attempts/sso-login-attempts.service.ts';
import type { ClaimedAttempt } from '../login/attempts/login-sessions.repository.ts';
import { LoginRefused } from '../login/attempts/login-refused.ts';
import { SamlEngine } from './saml-engine.ts';
import type { VerifiedResponse } from './verification/verify-response.ts';
import { PoolBusy } from './verification/worker-pool.ts';

const RETRY_AFTER_SECONDS = 5;

/** The faults of a response that an administrator can act on, by the sentence of the check. */
const FAULTS: readonly (readonly [RegExp, StepCode])[] = [
  [/reports no success/, 'provider_error'],
  [/another request/, 'request_mismatch'],
  [/is encrypted/, 'assertion_encrypted'],
  [/another provider/, 'issuer_mismatch'],
  [/another audience|another address|confirmed for us/, 'audience_mismatch'],
  [/not issued now|not valid now|session has ended/, 'token_expired'],
  [/signature|certificate/i, 'signature_invalid'],
];
/** Sentences of our own checks; those of the library may quote the response. */
const OWN = /^the (?:SAML response|provider)/;

function responseFailure(cause: unknown): StepFailure {
  const message = cause instanceof Error ? cause.message : '';
  const code = FAULTS.find(([sentence]) => sentence.test(message))?.[1] ?? 'token_invalid';
  const detail = OWN.test(message) ? message : 'the response, or its signature, cannot be verified';
  return new StepFailure(code === 'provider_error' ? 'callback' : 'signature', code, detail, { cause });
}

/**
 * Verifies posted responses. Anyone can post one, so limits keep one sender's responses from delaying those of others.
 */
@Injectable()
export class SamlChecks {
  constructor(
    private readonly samlEngine: SamlEngine,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /**
   * @throws LoginRefused sso_error; ProblemError rate_limited when too many responses are queued, or were posted for
   * this attempt
   */
  async verify(
    { origin }: Caller,
    attempt: ClaimedAttempt,
    { response, stateHash }: { response: string; stateHash: string },
  ): Promise<VerifiedResponse> {
    await this.rateLimiter.require('samlResponses', stateHash);
    const lane = `${attempt.id} ${clientNetwork(origin.ip ?? 'unknown')}`;
    try {
      return await this.samlEngine.verify(attempt, { response, requestId: attempt.requestId ?? '', lane });
    } catch (cause) {
      if (!(cause instanceof PoolBusy))
        throw new LoginRefused('sso_error', refusedAt(attempt), { cause: responseFailure(cause) });
      const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
      throw Object.assign(
        new ProblemError('rate_limited', 'Too many sign-ins are being verified; try again in a moment.', retry),
        { cause },
      );
    }
  }
}
