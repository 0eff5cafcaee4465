import type { Outcome } from './queries.ts';

/** What becomes of a request. */
export const OUTCOMES: readonly Outcome[] = ['auto_approved', 'pending', 'denied', 'ignored'];
