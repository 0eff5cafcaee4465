import type { EgressResponse } from '@gatehouse/egress';
import type { PushFailure, PushKind } from '../push-subscriptions/push-subscriptions.repository.ts';

/** A push with everything needed to send it. */
export interface Push {
  readonly subscriptionId: string;
  readonly kind: PushKind;
  readonly endpoint: string;
  readonly sealedKeys: string;
  /** Null for a test. */
  readonly approvalId: string | null;
  /** The request whose end the push is about; null for all others. */
  readonly elevationRequestId: string | null;
  readonly title: string;
  readonly expiresAt: Date;
}

/** A push that is due. */
export interface Delivery extends Push {
  readonly id: string;
  readonly userId: string;
  readonly partnerId: string;
  readonly attempts: number;
}

/** A push contains only this, because others may see a lock screen or intercept the way to an endpoint. */
export function payloadOf({ approvalId, elevationRequestId, title }: Push): string {
  if (elevationRequestId !== null) return JSON.stringify({ elevationRequestId, title });
  return JSON.stringify(approvalId === null ? { test: true, title } : { approvalId, title });
}

/** `refused`: a retry would get the same answer from the endpoint. */
export type Outcome = 'delivered' | 'gone' | 'refused' | 'failed';

/** What became of one attempt to send a push. */
export interface Attempt {
  readonly outcome: Outcome;
  /** What its user is told; null when it was delivered. */
  readonly failure: PushFailure | null;
  /** For operators. */
  readonly reason: string;
  /** For how long the endpoint asked to be left alone. */
  readonly retryAfterSeconds: number;
}

const FAILURES: Readonly<Record<Outcome, PushFailure | null>> = {
  delivered: null,
  gone: 'gone',
  refused: 'refused',
  failed: 'error',
};

export function attemptOf({ status, retryAfter }: Pick<EgressResponse, 'status' | 'retryAfter'>): Attempt {
  const outcome = outcomeOf(status);
  return {
    outcome,
    failure: FAILURES[outcome],
    reason: 'the endpoint answered with an error',
    retryAfterSeconds: secondsOf(retryAfter),
  };
}

/** All causes are alike to users: separate ones for private addresses would let them map the internal network. */
export const unreachable = (error: unknown): Attempt => ({
  outcome: 'failed',
  failure: 'unreachable',
  reason: error instanceof Error ? error.message : String(error),
  retryAfterSeconds: 0,
});

const GONE = new Set([404, 410]);
/** RFC 9110 15.5.9, RFC 8470 5.2, RFC 6585 4: the client errors that are temporary. */
const PASSING = new Set([408, 425, 429]);
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && !PASSING.has(status);

/** RFC 8030 7.3: 404 and 410 mean that the subscription no longer exists. */
function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'delivered';
  if (GONE.has(status)) return 'gone';
  return isRefusal(status) ? 'refused' : 'failed';
}

const FIRST_RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 120;
/** No approval waits longer, so that no delivery does. */
const MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60;

/** RFC 9110 10.2.3: a number of seconds, or a date. */
function secondsOf(retryAfter: string): number {
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Math.min(Math.max(0, Math.ceil(seconds)) || 0, MAX_RETRY_AFTER_SECONDS);
}

/** Seconds until the next attempt: exponential backoff, and no sooner than the endpoint asked for. */
export const secondsUntilRetry = (attempts: number, { retryAfterSeconds }: Attempt): number =>
  Math.max(Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), MAX_RETRY_SECONDS), retryAfterSeconds);
