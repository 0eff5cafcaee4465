/** Seed of the hash, so that these advisory locks do not collide with others. */
const SEED = 4_284_285;

/**
 * SQL for the key of an organisation's rulebook lock: changes take it exclusively, reports that it decides take it
 * shared. An advisory lock has a fair queue; with row locks, a stream of reports could starve a change.
 */
export const RULEBOOK_LOCK_OF = (orgId: string): string => `hashtextextended(${orgId}::text, ${SEED})`;
