/** Tells these advisory locks from any other of the database. */
const SEED = 4_284_285;

/**
 * SQL for the key of the lock between those who change an organisation's rulebook (exclusive) and reports decided by it
 * (shared). Its queue is fair, which that of row locks is not: reports would keep a change waiting for ever.
 */
export const RULEBOOK_LOCK_OF = (orgId: string): string => `hashtextextended(${orgId}::text, ${SEED})`;
