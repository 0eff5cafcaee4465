import type { Tx } from '@gatehouse/database';

const STORE = `
  INSERT INTO credentials (user_id, password_hash) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET password_hash = EXCLUDED.password_hash, failed_attempts = 0, locked_until = NULL, changed_at = now()`;
const REPLACE = `
  UPDATE credentials SET password_hash = $3, failed_attempts = 0, locked_until = NULL, changed_at = now()
   WHERE user_id = $1 AND password_hash = $2 RETURNING user_id`;

/** Sets the password and opens a locked account: whoever got here has proven more than a guesser can. */
export async function storePassword(tx: Tx, userId: string, hash: string): Promise<void> {
  await tx.query(STORE, [userId, hash]);
}

/**
 * Sets another password in the place of the one that was shown. @returns false when that one is not in force any more
 */
export async function replacePassword(
  tx: Tx,
  userId: string,
  { shown, next }: { shown: string | null; next: string },
): Promise<boolean> {
  return (await tx.one(REPLACE, [userId, shown, next])) !== null;
}
