import { newId } from '@gatehouse/crypto';
import type { Reader, Tx } from '@gatehouse/database';

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

const MAX_LISTED = 1_000;
const OF_SERVICE = `split_part(consumer, '.', 1) = $1`;
const LIST = `SELECT id, consumer, subject, error, created_at FROM dead_letters WHERE ${OF_SERVICE}
  AND replayed_at IS NULL ORDER BY created_at, id LIMIT ${MAX_LISTED}`;
const LOCK = `SELECT consumer, subject, payload FROM dead_letters WHERE id = $2 AND ${OF_SERVICE}
  AND replayed_at IS NULL FOR UPDATE`;
const PUT_INTO_OUTBOX = 'INSERT INTO outbox (id, subject, envelope) VALUES ($1, $2, $3)';
const MARK = 'UPDATE dead_letters SET replayed_at = now() WHERE id = $1';

export interface DeadLetter {
  readonly id: string;
  readonly consumer: string;
  readonly subject: string;
  readonly error: string;
  readonly createdAt: Date;
}

/** A dead letter as it is replayed. */
export interface StoredLetter {
  readonly consumer: string;
  readonly subject: string;
  readonly payload: string;
}

/** The dead letters of one service. */
export class DeadLettersRepository {
  constructor(private readonly service: string) {}

  /** Those that were not replayed yet, oldest first. */
  waiting(reader: Reader): Promise<DeadLetter[]> {
    return reader.query<DeadLetter>(LIST, [this.service]);
  }

  lock(tx: Tx, id: string): Promise<StoredLetter | null> {
    return tx.one<StoredLetter>(LOCK, [this.service, id]);
  }

  async markReplayed(tx: Tx, id: string): Promise<void> {
    await tx.query(MARK, [id]);
  }

  /** Lets the relay publish the event again. */
  async putIntoOutbox(tx: Tx, { subject, payload }: StoredLetter): Promise<void> {
    await tx.query(PUT_INTO_OUTBOX, [newId(), subject, payload]);
  }
}
