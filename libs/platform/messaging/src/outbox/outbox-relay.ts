import { type EventBundle, type EventEnvelope, eventsIn } from '@gatehouse/contracts-core';
import { commit, discardAfter, rollBack, type Tx } from '@gatehouse/database';
import { setTimeout as wait } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { BusLog, EventBus } from '../event-bus.ts';
import { BATCH, type Message, outboxRows } from './outbox.repository.ts';
import type { StreamState } from '../catalogue/streams.ts';

const POLL_MS = 250;
/**
 * How long the relay collects commits for the next batch while one is published: under load this makes batches fewer
 * and larger, here and for every consumer.
 */
const GATHER_MS = 40;
const HOUSEKEEPING_MS = 60 * 60 * 1000;

/** @param events parses the events on demand: the relay publishes them unparsed */
type PublishedListener = (events: () => EventEnvelope[], batch: { messages: number; since: number }) => void;

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
  /**
   * At first and after a failed round, until the streams were seen: one may have been lost and made anew. What it lost
   * goes before what was never published, as it did.
   */
  private mustLook = true;

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
  backlog(): Promise<{ depth: number; age: number }> {
    return outboxRows.backlog(this.database);
  }

  /**
   * Puts a batch of the events that were published between two times back into the outbox; the caller repeats it until
   * it returns 0.
   */
  republish(tx: Tx, since: Date, until: Date): Promise<number> {
    return outboxRows.republish(tx, since, until);
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
    if (this.mustLook) return 0;
    try {
      return certain || (await outboxRows.someWait(this.database)) ? await this.publishBatch() : 0;
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
      const taken = await outboxRows.take(client, this.database);
      const since = Date.now();
      if (taken.length > 0) await this.bus.publish(await this.withoutRefused(client, taken));
      await commit(client, taken.length > 0 ? outboxRows.mark(client, taken) : null);
      if (taken.length > 0) this.tell(taken, since);
      return taken.length;
    } catch (error) {
      await rollBack(client);
      discardAfter(error, this.database, client);
      throw error;
    }
  }

  /**
   * Moves messages that the broker would always refuse to the dead letters, so that they do not block the rows behind
   * them.
   */
  private async withoutRefused(client: PoolClient, rows: readonly Message[]): Promise<readonly Message[]> {
    const refused = new Map(
      rows.flatMap((row) => {
        const reason = this.faultOf(row);
        return reason === null ? [] : [[row, reason] as const];
      }),
    );
    for (const [message, reason] of refused) {
      const { id, subject, json } = message;
      await outboxRows.setAside(client, message, reason);
      this.log.error(
        { id, subject, characters: json.length, reason },
        'a message is not for the broker: it is set aside as a dead letter',
      );
    }
    return refused.size === 0 ? rows : rows.filter((row) => !refused.has(row));
  }

  private faultOf({ subject, json }: Message): string | null {
    const most = this.bus.largestMessage;
    if (Buffer.byteLength(json) > most) return `the broker takes no message of more than ${most} bytes`;
    return this.bus.mayPublish(subject) ? null : 'the catalogue of traffic does not list this subject';
  }

  private tell(rows: readonly Message[], since: number): void {
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
      const events = await outboxRows.republishLost(this.database, patterns, created);
      if (events > 0)
        this.log.warn(
          { stream: name, events },
          'the stream is younger than events of this service: they are published again',
        );
    }
    this.poke();
  }

  /** Deletes expired rows, once an hour. A dead letter that was not replayed within 90 days is deleted too. */
  async clean(): Promise<void> {
    await outboxRows.deleteExpired(this.database, (error) => this.log.warn({ err: error }, 'housekeeping failed'));
  }
}
