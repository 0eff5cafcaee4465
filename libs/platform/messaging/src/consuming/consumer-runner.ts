import type { EventEnvelope } from '@gatehouse/contracts-core';
import { isUnavailable, type UnitOfWork } from '@gatehouse/database';
import { type Metrics, Objective } from '@gatehouse/telemetry';
import type { ConsumerMessages, JsMsg } from 'nats';
import { setTimeout as wait } from 'node:timers/promises';
import { streamOf } from '../catalogue/streams.ts';
import { requireListed } from '../catalogue/traffic.ts';
import type { BusLog, EventBus } from '../event-bus.ts';
import { onePerSubject, type Subscription } from './consumes.ts';
import { type Arrival, type Delivery, type FailedEvent, Inbox, isBundle, read, reasonOf } from './inbox.ts';

import { isOtherVersion, subscriptionOf } from './dead-letters.ts';

/** How long after it happened an event is to have its effect, by the objective. */
const MAX_LAG_MS = 30_000;

/** Metrics of the consumer of one stream. */
function consumerMetrics(metrics: Metrics, stream: string) {
  const counter = (what: string, help: string): ((by?: number) => void) => {
    const own = metrics.counter(`gatehouse_consumer_${what}_total`, help, { stream: [stream] });
    return (by = 1) => own.inc({ stream }, by);
  };
  const objective = new Objective(metrics, 'event');
  return {
    kept: (events: readonly EventEnvelope[]): void => {
      const now = Date.now();
      for (const { occurredAt } of events) objective.note(now - Date.parse(occurredAt) <= MAX_LAG_MS);
    },
    applied: counter('events', 'Events whose effect was committed'),
    failed: counter('failures', 'Batches of events that could not be applied, and are tried again'),
    redelivered: counter('redeliveries', 'Events that came more than once'),
    deadLettered: counter('dead_letters', 'Events that were given up after their last delivery'),
  };
}

/** Messages: single events, or bundles of up to 200. */
const MAX_BATCH = 200;
const MAX_WAITING = 400;
/**
 * Messages that were published together arrive one after the other within milliseconds; the runner waits this long to
 * apply them in one batch.
 */
const GATHER_MS = 5;
const MAX_DELIVERIES = 8;
/**
 * How long the broker may deliver messages to a connection that broke unnoticed, before a new connection requests them.
 */
const PULL_MS = 10_000;
const RETRY_MS = 1_000;
/** How often the runner checks that a silent consumer still exists. */
const LOOK_MS = 15_000;
/**
 * The broker keeps about a kilobyte for each fetch through an imported subject until the subscription ends, so the
 * runner renews its subscription when it has no work.
 */
const RENEW_MS = 3_600_000;
const MAX_BACKOFF_MS = 30_000;
const backoffMs = (deliveries: number): number => Math.min(50 * 2 ** deliveries, MAX_BACKOFF_MS);

export interface ConsumerParts {
  readonly bus: EventBus;
  readonly work: UnitOfWork;
  readonly log: BusLog;
  readonly metrics: Metrics;
}

export interface ConsumerBacklog {
  readonly stream: string;
  /** Events not delivered yet. */
  readonly pending: number;
  /** Events delivered but not acknowledged yet. */
  readonly unacknowledged: number;
}

/** `unavailable`: the database is unavailable, so no event is at fault. */
type Outcome = 'applied' | 'unavailable' | { readonly failed: string };

/**
 * Consumes one stream durably. A batch of messages is applied in one transaction with its inbox rows and acknowledged
 * after the commit. When a batch fails, the runner applies each message alone, and then each event of it, so that one
 * bad event does not delay others. After eight deliveries the event is moved to `dead_letters`.
 */
export class ConsumerRunner {
  private readonly queue: Delivery[] = [];
  private readonly inbox: Inbox;
  private messages: ConsumerMessages | null = null;
  private working: Promise<void> | null = null;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();
  private readonly metrics: ReturnType<typeof consumerMetrics>;

  constructor(
    private readonly service: string,
    private readonly stream: string,
    private readonly subscriptions: readonly Subscription[],
    private readonly parts: ConsumerParts,
  ) {
    this.inbox = new Inbox(service, stream, parts.work);
    this.metrics = consumerMetrics(parts.metrics, stream);
  }

  /**
   * Creates one runner for each stream that the subscriptions use.
   * @throws Error when the catalogue does not list a subscription of the service
   */
  static forAll(service: string, subscriptions: readonly Subscription[], parts: ConsumerParts): ConsumerRunner[] {
    requireListed(
      service,
      'consumes',
      subscriptions.map(({ subject }) => subject),
    );
    return [...groupByStream(onePerSubject(subscriptions))].map(
      ([stream, own]) => new ConsumerRunner(service, stream, own, parts),
    );
  }

  start(): void {
    this.running = this.supervise();
  }

  /**
   * What the stream still holds for this consumer.
   * @throws when the broker is unavailable
   */
  async backlog(): Promise<ConsumerBacklog> {
    const manager = await this.parts.bus.manager();
    const { num_pending: pending, num_ack_pending: unacknowledged } = await manager.consumers.info(
      this.stream,
      this.service,
    );
    return { stream: this.stream, pending, unacknowledged };
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.messages?.stop();
    // Without a broker the supervisor waits for one and holds nothing.
    if (this.parts.bus.isConnected) await Promise.race([this.running, wait(RETRY_MS, undefined, { ref: false })]);
    await this.working;
  }

  private async supervise(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.parts.bus.whenReady();
        if (!this.stopped) await this.consume();
      } catch (error) {
        if (!this.stopped)
          this.parts.log.warn({ err: error, stream: this.stream }, 'consuming was interrupted; trying again');
      }
      if (!this.stopped) await wait(RETRY_MS, undefined, { ref: false });
    }
  }

  private async consume(): Promise<void> {
    const { jetstream, lost } = this.parts.bus;
    const consumer = await jetstream.consumers.get(this.stream, this.service);
    const messages = await consumer.consume({
      max_messages: MAX_WAITING,
      expires: PULL_MS,
      callback: (message: JsMsg) => this.receive(message),
    });
    this.messages = messages;
    void lost.then(() => messages.stop());
    void this.watch(messages);
    void this.lookAfter(messages);
    await messages.closed();
  }

  /**
   * Polls for the consumer: the client's own check pauses while it reconnects, so it would miss a consumer that was
   * deleted with its stream.
   */
  private async lookAfter(messages: ConsumerMessages): Promise<void> {
    let open = true;
    const renewAt = Date.now() + RENEW_MS;
    void messages.closed().then(() => (open = false));
    while (open && !this.stopped) {
      await wait(LOOK_MS, undefined, { ref: false });
      const isDue = Date.now() > renewAt && this.working === null;
      if (open && (isDue || (await this.isGone()))) messages.stop();
    }
  }

  private async isGone(): Promise<boolean> {
    return this.backlog().then(
      () => false,
      (error: unknown) => error instanceof Error && error.message.includes('not found'),
    );
  }

  /**
   * Ends the subscription when its consumer or stream is gone (a wiped store); the supervisor waits until it has been
   * created again.
   */
  private async watch(messages: ConsumerMessages): Promise<void> {
    let missed = 0;
    for await (const status of await messages.status()) {
      const type = String(status.type);
      if (type === 'heartbeats_missed') missed++;
      if (type === 'consumer_deleted' || type === 'consumer_not_found' || type === 'stream_not_found' || missed > 2)
        return messages.stop();
    }
  }

  private receive(message: JsMsg): void {
    const subscription = subscriptionOf(this.subscriptions, message.subject);
    if (!subscription && !isOtherVersion(this.subscriptions, message.subject)) return message.ack();
    if (message.redelivered) this.metrics.redelivered();
    this.queue.push({ message, subscription });
    this.working ??= this.workOff().finally(() => (this.working = null));
  }

  private async workOff(): Promise<void> {
    await wait(GATHER_MS);
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, MAX_BATCH);
      const outcome = await this.apply(batch);
      for (const delivery of batch)
        await this.settle(
          delivery,
          typeof outcome === 'object' && batch.length > 1 ? await this.apply([delivery]) : outcome,
        );
    }
  }

  private async apply(batch: readonly Delivery[]): Promise<Outcome> {
    try {
      const arrivals = batch.map(read);
      this.metrics.kept(await this.inbox.applyTogether(arrivals));
      this.metrics.applied(arrivals.reduce((sum, { events }) => sum + events.length, 0));
      return 'applied';
    } catch (error) {
      const [first] = batch;
      this.parts.log.warn(
        { err: error, stream: this.stream, size: batch.length, subject: first?.message.subject },
        'events could not be applied',
      );
      this.metrics.failed();
      return isUnavailable(error) ? 'unavailable' : { failed: reasonOf(error) };
    }
  }

  private async settle(delivery: Delivery, outcome: Outcome): Promise<void> {
    const { message } = delivery;
    if (outcome === 'applied') return message.ack();
    try {
      if (typeof outcome === 'object') return await this.isolate(delivery, outcome.failed);
    } catch (error) {
      this.parts.log.warn(
        { err: error, stream: this.stream, subject: message.subject },
        'a message could not be settled; it will come again',
      );
    }
    message.nak(backoffMs(message.info.redeliveryCount));
  }

  /**
   * Applies each event of a bundle alone. Failed events are delivered again or, after the last delivery, moved to the
   * dead letters.
   */
  private async isolate(delivery: Delivery, reason: string): Promise<void> {
    const { message } = delivery;
    const arrival = readable(delivery);
    const failed =
      arrival === null ? [{ payload: message.string(), reason }] : await this.failedEventsOf(arrival, reason);
    if (failed.length > 0 && message.info.redeliveryCount < MAX_DELIVERIES)
      return message.nak(backoffMs(message.info.redeliveryCount));
    await this.inbox.moveToDeadLetters(arrival && isBundle(arrival) ? arrival.id : null, message.subject, failed);
    if (failed.length === 0) return message.ack();
    this.parts.log.error(
      { subject: message.subject, stream: this.stream, events: failed.length, reason },
      'events were moved to the dead letters',
    );
    this.metrics.deadLettered(failed.length);
    message.term();
  }

  private async failedEventsOf(arrival: Arrival, reason: string): Promise<readonly FailedEvent[]> {
    return arrival.events.length > 1
      ? this.inbox.applyEach(arrival)
      : arrival.events.map((event) => ({ payload: JSON.stringify(event), reason }));
  }
}

function readable(delivery: Delivery): Arrival | null {
  try {
    return read(delivery);
  } catch {
    return null;
  }
}

function groupByStream(subscriptions: readonly Subscription[]): Map<string, Subscription[]> {
  const groups = new Map<string, Subscription[]>();
  for (const subscription of subscriptions) {
    const { name } = streamOf(subscription.subject);
    groups.set(name, [...(groups.get(name) ?? []), subscription]);
  }
  return groups;
}
