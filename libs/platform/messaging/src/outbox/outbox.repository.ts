import { beginWith, type Settings, transactionSettingsOf, type Tx } from '@gatehouse/database';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { OUTBOX } from '../consuming/dead-letters.ts';

/** Rows published per batch: single events, or bundles of up to 128 KB. */
export const BATCH = 200;
/** A number that no other advisory lock in a service's database uses. */
const RELAY_LOCK = 4_284_284;
const RETENTION_HOURS = 72;

/** A message that waits to be published. */
export interface Message {
  readonly id: string;
  readonly subject: string;
  readonly json: string;
}

const UNPUBLISHED = 'SELECT EXISTS (SELECT FROM outbox WHERE published_at IS NULL) AS waiting';
// Does not wait for the disk: if a crash loses the mark, the rows are published again, which de-duplication makes
// harmless.
const ASYNC_COMMIT: Settings = { synchronous_commit: 'off' };
// Only one relay publishes at a time, which keeps the order of commits; idle_in_transaction_session_timeout ends a
// frozen one.
const TAKE_TURN = `SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}) AS mine`;
// Read as text, because the relay does not parse the events.
const TAKE = {
  name: 'outbox-take',
  text: `SELECT id, subject, envelope::text AS json FROM outbox WHERE published_at IS NULL ORDER BY sequence
    LIMIT ${BATCH}`,
};
const MARK = {
  name: 'outbox-mark',
  text: 'UPDATE outbox o SET published_at = now() FROM unnest($1::uuid[]) AS sent (id) WHERE o.id = sent.id',
};
/** A dead letter of the publishing service; a replay puts the event back into the outbox. */
const SET_ASIDE = `
  INSERT INTO dead_letters (id, consumer, subject, payload, error)
  SELECT gen_random_uuid(), coalesce(envelope->>'source', envelope->'events'->0->>'source') || '.${OUTBOX}', subject,
    envelope::text, $2 FROM outbox WHERE id = ANY ($1::uuid[])`;
/**
 * Events published before the stream was created are not in it, because the broker lost its store. The extra seconds
 * allow for differing clocks.
 */
const REPUBLISH = `
  WITH lost AS (UPDATE outbox SET published_at = NULL WHERE published_at < $2::timestamptz + interval '5 seconds'
    AND subject LIKE ANY ($1::text[]) RETURNING id)
  SELECT count(*)::int AS events FROM lost`;
/** Bounded at both ends, so that events published again during the call are not selected twice. */
const REPUBLISH_SINCE = `
  UPDATE outbox SET published_at = NULL WHERE id IN (SELECT id FROM outbox WHERE published_at >= $1
    AND published_at < $2 ORDER BY published_at LIMIT 5000)
  RETURNING id`;
const HOUSEKEEPING = [
  `DELETE FROM outbox WHERE created_at < now() - interval '${RETENTION_HOURS} hours'
    AND published_at < now() - interval '${RETENTION_HOURS} hours'`,
  `DELETE FROM inbox WHERE received_at < now() - interval '15 days'`,
  `DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`,
  `DELETE FROM dead_letters WHERE replayed_at < now() - interval '15 days' OR created_at < now() - interval '90 days'`,
];
const BACKLOG = `SELECT count(*)::int AS depth, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float AS age
  FROM outbox WHERE published_at IS NULL`;

/** The rows of the outbox, for the relay. */
export const outboxRows = {
  async someWait(database: DataSource): Promise<boolean> {
    const [state] = (await database.query(UNPUBLISHED)) as { waiting: boolean }[];
    return state?.waiting ?? false;
  },

  /** The number of unpublished events, and the age of the oldest in seconds. */
  async backlog(database: DataSource): Promise<{ depth: number; age: number }> {
    const [row] = (await database.query(BACKLOG)) as { depth: number; age: number }[];
    return row ?? { depth: 0, age: 0 };
  },

  /** Begins a transaction and takes the next messages: none while another relay publishes. */
  async take(client: PoolClient, database: DataSource): Promise<readonly Message[]> {
    const begin = beginWith('READ WRITE', { ...transactionSettingsOf(database), ...ASYNC_COMMIT });
    const [, turn, { rows }] = await Promise.all([
      client.query(begin),
      client.query<{ mine: boolean }>(TAKE_TURN),
      client.query<Message>(TAKE),
    ]);
    return turn.rows[0]?.mine ? rows : [];
  },

  mark: (client: PoolClient, messages: readonly Message[]): Promise<unknown> =>
    client.query({ ...MARK, values: [messages.map(({ id }) => id)] }),

  setAside: (client: PoolClient, { id }: Message, reason: string): Promise<unknown> =>
    client.query(SET_ASIDE, [[id], reason]),

  /** @returns the number of events of a stream that are to be published again */
  async republishLost(database: DataSource, patterns: readonly string[], created: Date): Promise<number> {
    const [lost] = (await database.query(REPUBLISH, [patterns, created])) as { events: number }[];
    return lost?.events ?? 0;
  },

  /** @returns the number of events put back; at most a batch */
  republish: async (tx: Tx, since: Date, until: Date): Promise<number> =>
    (await tx.query(REPUBLISH_SINCE, [since, until])).length,

  /** Deletes expired rows of the platform's tables, one table after the other. */
  async deleteExpired(database: DataSource, onError: (error: unknown) => void): Promise<void> {
    for (const statement of HOUSEKEEPING) await database.query(statement).catch(onError);
  },
};
