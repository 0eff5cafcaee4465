import { type EventBundle, type EventEnvelope, eventsIn } from '@gatehouse/contracts-core';
import { commit, rollBack, type Tx } from '@gatehouse/database';
import { setTimeout as wait } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { OUTBOX } from '../consuming/dead-letters.ts';
import type { BusLog, EventBus } from '../event-bus.ts';
import type { StreamState } from '../catalogue/streams.ts';

/** Rows published per batch: single events, or bundles of up to 128 KB. */
const BATCH = 200;
const POLL_MS = 250;
/**
 * How long the relay collects commits for the next batch while one is published: under load this makes batches fewer
 * and larger, here and for every consumer.
 */
const GATHER_MS = 40;
const HOUSEKEEPING_MS = 60 * 60 * 1000;
/** A number that no other advisory lock in a service's database uses. */
const RELAY_LOCK = 4_284_284;
const RETENTION_HOURS = 72;

/** @param events parses the events on demand: the relay publishes them unparsed */
type PublishedListener = (events: () => EventEnvelope[], batch: { messages: number; since: number }) => void;

interface Row {
  readonly id: string;
  readonly subject: string;
  readonly json: string;
}

const UNPUBLISHED = 'SELECT EXISTS (SELECT FROM outbox WHERE published_at IS NULL) AS waiting';
// Does not wait for the disk: if a crash loses the mark, the rows are published again, which de-duplication makes
// harmless.
const BEGIN = 'BEGIN; SET LOCAL synchronous_commit = off';
// Only one relay publishes at a time, which keeps the order of commits; idle_in_transaction_session_timeout ends a
// frozen one.
const TAKE_TURN = `SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}) AS mine`;
// Read as text, because the relay does not parse the events.
const TAKE = {
  name: 'outbox-take',
  text: `SELECT id, subject, envelope::text AS json FROM outbox WHERE published_at IS NULL ORDER BY sequence LIMIT ${BATCH}`,
};
const MARK = {
  name: 'outbox-mark',
  text: 'UPDATE outbox o SET published_at = now() FROM unnest($1::uuid[]) AS sent (id) WHERE o.id = sent.id',
};
/** A dead letter of the publishing service; a replay puts the event back into the outbox. */
const SET_ASIDE = `
  INSERT INTO dead_letters (id, consumer, subject, payload, error)
  SELECT gen_random_uuid(), coalesce(envelope->>'source', envelope->'events'->0->>'source') || '.${OUTBOX}', subject, envelope::text, $2 FROM outbox WHERE id = ANY ($1::uuid[])`;
/**
 * Events published before the stream was created are not in it, because the broker lost its store. The extra seconds
 * allow for differing clocks.
 */
const REPUBLISH = `
  WITH lost AS (UPDATE outbox SET published_at = NULL WHERE published_at < $2::timestamptz + interval '5 seconds' AND subject LIKE ANY ($1::text[]) RETURNING id)
  SELECT count(*)::int AS events FROM lost`;
/** Bounded at both ends, so that events published again during the call are not selected twice. */
const REPUBLISH_SINCE = `
  UPDATE outbox SET published_at = NULL WHERE id IN (SELECT id FROM outbox WHERE published_at >= $1 AND published_at < $2 ORDER BY published_at LIMIT 5000)
  RETURNING id`;
const HOUSEKEEPING = [
  `DELETE FROM outbox WHERE created_at < now() - interval '${RETENTION_HOURS} hours' AND published_at < now() - interval '${RETENTION_HOURS} hours'`,
  `DELETE FROM inbox WHERE received_at < now() - interval '15 days'`,
  `DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`,
  `DELETE FROM dead_letters WHERE replayed_at < now() - interval '15 days' OR created_at < now() - interval '90 days'`,
];
const BACKLOG = `SELECT count(*)::int AS depth, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float AS age FROM outbox WHERE published_at IS NULL`;

/**
 * Publishes committed events to the broker. Each commit wakes the relay, and it also polls four times a second. The
 * event id is the message id, so the broker discards duplicates when a relay stops between publishing and marking.
 */
export class OutboxRelay {
  private stopped = false;
  private wake: () => void = () => undefined;
  private poked = false;
  private running: Promise<void> = Promise.resolve();
  private housekeeper: NodeJS.Timeout | undefined;
  private readonly published: PublishedListener[] = [];
  /** Set by a failed round until the streams were seen: one may have been lost and made anew in between. */
  private mustLook = false;

  constructor(
    private readonly database: DataSource,
    private readonly bus: EventBus,
    private readonly log: BusLog,
  ) {}

  start(): void {
    void this.bus.onStreams((streams) => this.republishLost(streams));
    this.running = this.loop();
    this.housekeeper = setInterval(() => void this.clean(), HOUSEKEEPING_MS);
    this.housekeeper.unref();
  }

  /** Calls the listener for each batch that the broker has stored. */
  onPublished(listener: PublishedListener): void {
    this.published.push(listener);
  }

  /** Wakes the relay after a commit. */
  poke(): void {
    this.poked = true;
    this.wake();
  }

  /** Publishes the remaining events, then stops. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.housekeeper);
    this.wake();
    await this.running;
  }

  /** The number of unpublished events, and the age of the oldest in seconds. */
  async backlog(): Promise<{ depth: number; age: number }> {
    const [row] = (await this.database.query(BACKLOG)) as { depth: number; age: number }[];
    return row ?? { depth: 0, age: 0 };
  }

  /**
   * Puts a batch of the events that were published between two times back into the outbox; the caller repeats it until
   * it returns 0.
   */
  async republish(tx: Tx, since: Date, until: Date): Promise<number> {
    return (await tx.query(REPUBLISH_SINCE, [since, until])).length;
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      const { poked } = this;
      this.poked = false;
      const sent = await this.drain(poked);
      if (sent < BATCH && !this.stopped) await this.rest();
    }
    await this.drain(true);
  }

  private async rest(): Promise<void> {
    if (this.poked) await wait(GATHER_MS);
    else {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** @param certain whether a commit is known, so that no check for rows is needed */
  private async drain(certain: boolean): Promise<number> {
    if (!this.bus.isConnected || !this.database.isInitialized) return 0;
    if (this.mustLook) this.mustLook = !(await this.streamsAreSeen());
    try {
      return certain || (await this.somethingWaits()) ? await this.publishBatch() : 0;
    } catch (error) {
      this.log.warn({ err: error }, 'the outbox could not be relayed; trying again');
      this.mustLook = !(await this.streamsAreSeen());
      return 0;
    }
  }

  private streamsAreSeen(): Promise<boolean> {
    return this.bus.lookAtStreams().then(
      () => true,
      () => false,
    );
  }

  private async somethingWaits(): Promise<boolean> {
    const [state] = (await this.database.query(UNPUBLISHED)) as { waiting: boolean }[];
    return state?.waiting ?? false;
  }

  private async publishBatch(): Promise<number> {
    const runner = this.database.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      return await this.inTurn(client);
    } finally {
      await runner.release();
    }
  }

  private async inTurn(client: PoolClient): Promise<number> {
    try {
      const [, turn, { rows }] = await Promise.all([
        client.query(BEGIN),
        client.query<{ mine: boolean }>(TAKE_TURN),
        client.query<Row>(TAKE),
      ]);
      // Another relay holds the lock and will publish these rows.
      const taken = turn.rows[0]?.mine ? rows : [];
      const since = Date.now();
      if (taken.length > 0) await this.bus.publish(await this.withoutRefused(client, taken));
      await commit(client, taken.length > 0 ? client.query({ ...MARK, values: [taken.map(({ id }) => id)] }) : null);
      if (taken.length > 0) this.tell(taken, since);
      return taken.length;
    } catch (error) {
      await rollBack(client);
      throw error;
    }
  }

  /**
   * Moves messages that the broker would always refuse to the dead letters, so that they do not block the rows behind
   * them.
   */
  private async withoutRefused(client: PoolClient, rows: readonly Row[]): Promise<readonly Row[]> {
    const refused = new Map(
      rows.flatMap((row) => {
        const reason = this.faultOf(row);
        return reason === null ? [] : [[row, reason] as const];
      }),
    );
    for (const [{ id, subject, json }, reason] of refused) {
      await client.query(SET_ASIDE, [[id], reason]);
      this.log.error(
        { id, subject, characters: json.length, reason },
        'a message is not for the broker: it is set aside as a dead letter',
      );
    }
    return refused.size === 0 ? rows : rows.filter((row) => !refused.has(row));
  }

  private faultOf({ subject, json }: Row): string | null {
    const most = this.bus.largestMessage;
    if (Buffer.byteLength(json) > most) return `the broker takes no message of more than ${most} bytes`;
    return this.bus.mayPublish(subject) ? null : 'the catalogue of traffic does not list this subject';
  }

  private tell(rows: readonly Row[], since: number): void {
    for (const listener of this.published)
      listener(() => rows.flatMap(({ json }) => eventsIn(JSON.parse(json) as EventEnvelope | EventBundle)), {
        messages: rows.length,
        since,
      });
  }

  private async republishLost(streams: readonly StreamState[]): Promise<void> {
    if (!this.database.isInitialized) return;
    for (const { name, subjects, created } of streams) {
      const patterns = subjects.map((subject) => subject.replace('>', '%'));
      const [lost] = (await this.database.query(REPUBLISH, [patterns, created])) as { events: number }[];
      if (lost && lost.events > 0)
        this.log.warn(
          { stream: name, events: lost.events },
          'the stream is younger than events of this service: they are published again',
        );
    }
    this.poke();
  }

  /** Deletes expired rows, once an hour. A dead letter that was not replayed within 90 days is deleted too. */
  async clean(): Promise<void> {
    for (const statement of HOUSEKEEPING) {
      await this.database
        .query(statement)
        .catch((error: unknown) => this.log.warn({ err: error }, 'housekeeping failed'));
    }
  }
}
