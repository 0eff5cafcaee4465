import type { PoolClient } from 'pg';
import { outboxParameters, type OutboxRow } from './outbox.ts';

/** One INSERT for all events of a transaction; its parameters come from {@link outboxParameters}. */
export const OUTBOX_INSERT = `INSERT INTO outbox (id, subject, envelope) SELECT id, subject, envelope::json
    FROM unnest($1::uuid[], $2::text[], $3::text[]) AS fact(id, subject, envelope)`;

/** @throws ProblemError validation_failed; Error when an event is too large to publish */
export const insertOutbox = (client: PoolClient, rows: readonly OutboxRow[]): Promise<unknown> =>
  client.query({ name: 'outbox-insert', text: OUTBOX_INSERT, values: outboxParameters(rows) });
