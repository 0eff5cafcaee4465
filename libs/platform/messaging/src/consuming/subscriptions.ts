import type { Subscription } from './consumes.ts';
import { hasVersion, kindOf, matchesSubject } from '../catalogue/subjects.ts';

export const subscriptionOf = (subscriptions: readonly Subscription[], subject: string): Subscription | null =>
  subscriptions.find((candidate) => matchesSubject(candidate.subject, subject)) ?? null;

/**
 * Whether the subject is another version of a subscribed event, which a newer service publishes and which must not be
 * lost.
 */
export const isOtherVersion = (subscriptions: readonly Subscription[], subject: string): boolean =>
  hasVersion(subject) && subscriptions.some((known) => kindOf(known.subject) === kindOf(subject));
