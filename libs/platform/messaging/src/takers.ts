import type { Subscription } from './consumes.ts';

const VERSION = /\.v\d+$/;

const matches = (pattern: string, subject: string): boolean => (pattern.endsWith('>') ? subject.startsWith(pattern.slice(0, -1)) : pattern === subject);

export const takerOf = (subscriptions: readonly Subscription[], subject: string): Subscription | null => subscriptions.find((candidate) => matches(candidate.subject, subject)) ?? null;

/** Whether the subject is another version of one that is taken: a newer service states it, and it must not be lost. */
export const isOtherVersion = (subscriptions: readonly Subscription[], subject: string): boolean =>
  VERSION.test(subject) && subscriptions.some((known) => known.subject.replace(VERSION, '') === subject.replace(VERSION, ''));
