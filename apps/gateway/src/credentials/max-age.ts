/**
 * Architecture, "Revocation": within 5 s. Events drop what is remembered at once, but nothing may rest on them: the
 * broker may be away,
 * or seem to be there. Twice this, for a key and what it verified, and the second for which identity itself remembers
 * its keys, is the longest
 * that anything revoked goes on.
 */
export const MAX_AGE_MS = 2_000;

/** How long the last answer stands in for one that identity does not give (see {@link HeardEvents}). */
export const STAND_IN_MS = 30_000;
