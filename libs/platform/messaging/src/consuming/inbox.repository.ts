import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';

const TAKE_NEW = `INSERT INTO inbox (consumer, event_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING
  RETURNING event_id`;
const INSERT_DEAD_LETTER = `INSERT INTO dead_letters (id, consumer, subject, payload, error)
  VALUES ($1, $2, $3, $4, $5)`;

/** Records events for a consumer. @returns the ids that it had not yet */
export async function takeNew(tx: Tx, consumer: string, ids: readonly string[]): Promise<Set<string>> {
  const taken = await tx.query<{ eventId: string }>(TAKE_NEW, [consumer, ids]);
  return new Set(taken.map(({ eventId }) => eventId));
}

export interface NewDeadLetter {
  readonly consumer: string;
  readonly subject: string;
  readonly payload: string;
  readonly error: string;
}

export async function insertDeadLetter(tx: Tx, { consumer, subject, payload, error }: NewDeadLetter): Promise<void> {
  await tx.query(INSERT_DEAD_LETTER, [newId(), consumer, subject, payload, error]);
}
