import { asPlain, asService, type EventBundle, type EventEnvelope, eventsIn } from '@gatehouse/contracts-core';
import { isUnavailable, type Tx, type UnitOfWork } from '@gatehouse/database';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { JsMsg } from 'nats';
import { requireGenuine } from '../catalogue/streams.ts';
import type { Subscription } from './consumes.ts';
import { insertDeadLetter, takeNew } from './inbox.repository.ts';

/** A message as received. */
export interface Delivery {
  readonly message: JsMsg;
  /** Null for an event version that this service does not know. */
  readonly subscription: Subscription | null;
}

/** A parsed message: one event, or a bundle. */
export interface Arrival {
  readonly id: string;
  readonly events: readonly EventEnvelope[];
  readonly subscription: Subscription;
  /** Set for a redelivered bundle: some of its events may have been applied already. */
  readonly inParts: boolean;
}

/**
 * @throws Error when the message is neither event nor bundle, has an unknown version, or has the wrong source for its
 * subject
 */
export function read({ message, subscription }: Delivery): Arrival {
  if (!subscription) throw new Error('this version of the event is not known here');
  return arrivalIn({ text: message.string(), subject: message.subject }, subscription, message.redelivered);
}

/** @param mayBePartial some events of a bundle may have been applied already */
export function arrivalIn(
  { text, subject }: { text: string; subject: string },
  subscription: Subscription,
  mayBePartial: boolean,
): Arrival {
  const content = JSON.parse(text) as EventEnvelope | EventBundle | null;
  if (typeof content?.id !== 'string') throw new Error('not an event envelope');
  const events = eventsIn(content);
  for (const event of events) requireGenuine(event, subject);
  return { id: content.id, events, subscription, inParts: 'events' in content && mayBePartial };
}

export const isBundle = ({ id, events }: Arrival): boolean => events.every((event) => event.id !== id);

/**
 * The event, with its payload as an instance of its class.
 * @throws Error when the payload is not valid
 */
function checked(event: EventEnvelope, { payload }: Subscription): EventEnvelope {
  if (typeof event.id !== 'string' || typeof event.data !== 'object') throw new Error('not an event envelope');
  if (!payload) return event;
  const plain = asPlain(payload, event.data);
  if (plain) return { ...event, data: plain };
  const data = plainToInstance(payload, event.data);
  const [fault] = validateSync(data, { forbidUnknownValues: false });
  if (fault) throw new Error(`the payload is not valid: ${fault.property}`);
  return { ...event, data };
}

const MAX_REASON = 500;
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);

// PostgreSQL's text type cannot hold NUL, and a JSON parse error quotes the text that has one.
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');

/** An event that could not be applied, and the reason. */
export interface FailedEvent {
  readonly payload: string;
  readonly reason: string;
}

interface Due {
  readonly event: EventEnvelope;
  readonly subscription: Subscription;
}

/** Applies events exactly once: in one transaction with the inbox row that records them. */
export class Inbox {
  constructor(
    private readonly service: string,
    private readonly stream: string,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Applies all of them in one transaction, or none.
   * @returns the events that had not been applied before
   */
  applyTogether(arrivals: readonly Arrival[]): Promise<EventEnvelope[]> {
    return this.run((tx) => this.apply(tx, arrivals));
  }

  /** Applies them within a transaction that does more. */
  async apply(tx: Tx, arrivals: readonly Arrival[]): Promise<EventEnvelope[]> {
    const fresh = await this.take(
      tx,
      arrivals.flatMap(({ id, events, inParts }) => [id, ...(inParts ? events.map((event) => event.id) : [])]),
    );
    const due = arrivals.flatMap(({ id, events, inParts, subscription }) =>
      fresh.delete(id)
        ? events
            .filter((event) => !inParts || fresh.delete(event.id))
            .map((event) => ({ event: checked(event, subscription), subscription }))
        : [],
    );
    for (const run of runsOfOneSubscription(due)) await run.subscription.apply(tx, run.events);
    return due.map(({ event }) => event);
  }

  /**
   * Applies each event of a bundle in a transaction of its own.
   * @returns the events that failed; the others are recorded in the inbox
   * @throws when the database is unavailable, which is not the fault of an event
   */
  async applyEach({ events, subscription }: Arrival): Promise<FailedEvent[]> {
    const failed: FailedEvent[] = [];
    for (const event of events) {
      try {
        await this.applyTogether([{ id: event.id, events: [event], subscription, inParts: false }]);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        failed.push({ payload: JSON.stringify(event), reason: reasonOf(error) });
      }
    }
    return failed;
  }

  /**
   * Stores failed events as dead letters. A bundle is recorded as done, because some of its events may have been
   * applied.
   */
  async moveToDeadLetters(bundleId: string | null, subject: string, failed: readonly FailedEvent[]): Promise<void> {
    await this.run(async (tx) => {
      if (bundleId !== null) await this.take(tx, [bundleId]);
      for (const { payload, reason } of failed)
        await insertDeadLetter(tx, {
          consumer: this.consumer,
          subject,
          payload: storable(payload),
          error: storable(reason),
        });
    });
  }

  private get consumer(): string {
    return `${this.service}.${this.stream}`;
  }

  private run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.work.background(asService(this.service), work);
  }

  private take(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
    return takeNew(tx, this.consumer, ids);
  }
}

/** Groups consecutive events of one subscription into one call of its method; the order of the stream stays. */
function runsOfOneSubscription(due: readonly Due[]): { subscription: Subscription; events: EventEnvelope[] }[] {
  const runs: { subscription: Subscription; events: EventEnvelope[] }[] = [];
  for (const { event, subscription } of due) {
    const last = runs.at(-1);
    if (last?.subscription === subscription) last.events.push(event);
    else runs.push({ subscription, events: [event] });
  }
  return runs;
}
