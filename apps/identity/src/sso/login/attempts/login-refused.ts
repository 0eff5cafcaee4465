import type { AttemptCode } from '@gatehouse/contracts-identity';
import type { Evidence } from '@gatehouse/identity-domain';
import type { AttemptProvider } from '../../../providers/attempt-log/attempts.service.ts';
import type { ClaimedAttempt } from './login-sessions.repository.ts';

/** The provider and user of the refused sign-in, as far as they are known. */
export interface RefusedAt {
  readonly provider: AttemptProvider;
  readonly linkingUserId: string | null;
  /** The round trip, if it was a test. */
  readonly test?: ClaimedAttempt | undefined;
}

interface Refusal extends ErrorOptions {
  /** The state of a return that claimed no attempt: it may be that of one which has expired. */
  readonly state?: unknown;
}

/**
 * A refused sign-in or linking: the browser is redirected to one of our pages with an error code, and nothing is
 * stored but the record of the attempt.
 */
export class LoginRefused extends Error {
  /** What the sign-in had seen when it was refused. */
  evidence: Evidence = {};
  readonly state: unknown;

  constructor(
    readonly code: AttemptCode,
    readonly at: RefusedAt | null = null,
    options?: Refusal,
  ) {
    super(`sign-in refused: ${code}`, options);
    this.name = 'LoginRefused';
    this.state = options?.state;
  }
}
