import type { PushKind } from '../push-subscriptions/push-subscription.entity.ts';

/** A push on its way, with what is needed to send it. */
export interface Delivery {
  readonly id: string;
  readonly subscriptionId: string;
  readonly userId: string;
  readonly kind: PushKind;
  readonly endpoint: string;
  readonly sealedKeys: string;
  readonly approvalId: string;
  readonly title: string;
  readonly expiresAt: Date;
  readonly attempts: number;
}

/** All that a push says: anybody may read a lock screen or stand between us and an endpoint. */
export const payloadOf = ({ approvalId, title }: Delivery): string => JSON.stringify({ approvalId, title });

export type Outcome = 'delivered' | 'gone' | 'failed';

const GONE = new Set([404, 410]);

/** RFC 8030 7.3: 404 and 410 say that the subscription is dead. */
export const outcomeOf = (status: number): Outcome => (status >= 200 && status < 300 ? 'delivered' : GONE.has(status) ? 'gone' : 'failed');

const FIRST_RETRY_SECONDS = 2;
const LONGEST_RETRY_SECONDS = 120;

/** Seconds until the next try, doubling. */
export const retryAfterSeconds = (attempts: number): number => Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LONGEST_RETRY_SECONDS);
