/**
 * Architecture, "Revocation": within 5 s. Events drop cached entries at once, but the limit does not depend on them:
 * the broker may be away, or only seem to be connected. A revoked credential works for at most twice this time (once
 * for a key, once for what it verified) plus the second for which identity caches its keys.
 */
export const MAX_AGE_MS = 2_000;

/** How long the last answer is used while identity does not answer (see {@link HeardEvents}). */
export const STAND_IN_MS = 30_000;
