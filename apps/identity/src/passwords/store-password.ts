import type { Tx } from '@gatehouse/database';

const STORE = `
  INSERT INTO credentials (user_id, password_hash) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET password_hash = EXCLUDED.password_hash, failed_attempts = 0, locked_until = NULL, changed_at = now()`;
const REPLACE = `
  UPDATE credentials SET password_hash = $3, failed_attempts = 0, locked_until = NULL, changed_at = now()
   WHERE user_id = $1 AND password_hash = $2 RETURNING user_id`;

/** Sets the password and unlocks the account: the user has proved more than an attacker who guesses passwords could. */
export async function storePassword(tx: Tx, userId: string, hash: string): Promise<void> {
  await tx.query(STORE, [userId, hash]);
}

/**
 * Replaces the proved password with a new one.
 * @returns false when the proved password is no longer the current one
 */
export async function replacePassword(
  tx: Tx,
  userId: string,
  { shown, next }: { shown: string | null; next: string },
): Promise<boolean> {
  return (await tx.one(REPLACE, [userId, shown, next])) !== null;
}
