import { asService, type EventEnvelope } from '@gatehouse/contracts-core';
import { isUnavailable, type Tx, type UnitOfWork } from '@gatehouse/database';
import type { Subscription } from './consumes.ts';
import { type Arrival, checked } from './delivery.ts';
import { insertDeadLetter, takeNew } from './inbox.repository.ts';

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

  /** Applies all of them in one transaction, or none. */
  async applyTogether(arrivals: readonly Arrival[]): Promise<void> {
    await this.run((tx) => this.apply(tx, arrivals));
  }

  /** Applies them within a transaction that does more. */
  async apply(tx: Tx, arrivals: readonly Arrival[]): Promise<void> {
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

  private run(work: (tx: Tx) => Promise<void>): Promise<void> {
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
