import type { Reader } from '@gatehouse/database';

const BE_OWNER = `SELECT set_config('app.user_id', $1, true)`;

/**
 * Lets a transaction read the subscriptions of a user, whichever membership the session is for; row security hides
 * all others.
 */
export async function asOwner(reader: Reader, userId: string): Promise<void> {
  await reader.query(BE_OWNER, [userId]);
}
