/** Seeds of the hashes, so that these advisory locks do not collide with others. */
const SEED = 4_284_285;
const PARTNER_SEED = 4_284_286;

/**
 * SQL for the key of an organisation's rulebook lock: changes take it exclusively, reports that it decides take it
 * shared. An advisory lock has a fair queue; with row locks, a stream of reports could starve a change.
 */
export const RULEBOOK_LOCK_OF = (orgId: string): string => `hashtextextended(${orgId}::text, ${SEED})`;

/**
 * SQL for the key of a partner's lock: a change of all its rulebooks takes it exclusively, before theirs; a change of
 * one, and whatever may begin one, takes it shared. Other partners are not delayed.
 */
export const PARTNER_LOCK_OF = (partnerId: string): string => `hashtextextended(${partnerId}::text, ${PARTNER_SEED})`;
