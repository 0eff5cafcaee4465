import type { Reader } from '@gatehouse/database';

const BE_OWNER = `SELECT set_config('app.user_id', $1, true)`;

/**
 * Lets a transaction see the subscriptions of a person, whichever membership the session is for; row security shows no
 * others.
 */
export async function asOwner(reader: Reader, userId: string): Promise<void> {
  await reader.query(BE_OWNER, [userId]);
}
