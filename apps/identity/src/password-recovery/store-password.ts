import type { Tx } from '@gatehouse/database';

const STORE = `
  INSERT INTO credentials (user_id, password_hash) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET password_hash = EXCLUDED.password_hash, failed_attempts = 0, locked_until = NULL, changed_at = now()`;

/** Sets the password and opens a locked account: whoever got here has proven more than a guesser can. */
export async function storePassword(tx: Tx, userId: string, hash: string): Promise<void> {
  await tx.query(STORE, [userId, hash]);
}
