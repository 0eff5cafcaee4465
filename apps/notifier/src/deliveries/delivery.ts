import type { PushKind } from '../push-subscriptions/push-subscription.entity.ts';

/** A push to send, with everything needed to send it. */
export interface Delivery {
  readonly id: string;
  readonly subscriptionId: string;
  readonly userId: string;
  readonly partnerId: string;
  readonly kind: PushKind;
  readonly endpoint: string;
  readonly sealedKeys: string;
  readonly approvalId: string;
  readonly title: string;
  readonly expiresAt: Date;
  readonly attempts: number;
}

/** A push contains only this, because others may see a lock screen or intercept the way to an endpoint. */
export const payloadOf = ({ approvalId, title }: Delivery): string => JSON.stringify({ approvalId, title });

/** `refused`: a retry would get the same answer from the endpoint. */
export type Outcome = 'delivered' | 'gone' | 'refused' | 'failed';

const GONE = new Set([404, 410]);
/** RFC 9110 15.5.9, RFC 8470 5.2, RFC 6585 4: the client errors that are temporary. */
const PASSING = new Set([408, 425, 429]);
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && !PASSING.has(status);

/** RFC 8030 7.3: 404 and 410 mean that the subscription no longer exists. */
export function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'delivered';
  if (GONE.has(status)) return 'gone';
  return isRefusal(status) ? 'refused' : 'failed';
}

const FIRST_RETRY_SECONDS = 2;
const LONGEST_RETRY_SECONDS = 120;

/** Exponential backoff: seconds until the next attempt. */
export const retryAfterSeconds = (attempts: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LONGEST_RETRY_SECONDS);
