import type { Tx } from '@gatehouse/database';

const DELETE = `DELETE FROM password_resets WHERE user_id = $1`;

/**
 * Revokes the reset links that were mailed to a user. Call it in every unit of work that changes a password or a
 * factor: a link that an attacker requested earlier must not undo the change.
 */
export async function revokeResetLinks(tx: Tx, userId: string): Promise<void> {
  await tx.query(DELETE, [userId]);
}
