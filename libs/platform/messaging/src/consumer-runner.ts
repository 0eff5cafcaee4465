import { asService, type EventEnvelope } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import type { Tx, UnitOfWork } from '@gatehouse/database';
import type { Metrics } from '@gatehouse/telemetry';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { setTimeout as wait } from 'node:timers/promises';
import { AckPolicy, type ConsumerMessages, DeliverPolicy, type JsMsg } from 'nats';
import { consumerNumbers } from './consumer-numbers.ts';
import type { Subscription } from './consumes.ts';
import type { BusLog, EventBus } from './event-bus.ts';
import { streamOf } from './streams.ts';

const MAX_BATCH = 200;
const MAX_DELIVERIES = 8;
const ACK_WAIT_NANOSECONDS = 30 * 1e9;
const RETRY_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
const backoffMs = (deliveries: number): number => Math.min(50 * 2 ** deliveries, MAX_BACKOFF_MS);

const TAKE_NEW = `INSERT INTO inbox (consumer, event_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING RETURNING event_id`;
const BURY = `INSERT INTO dead_letters (id, consumer, subject, payload, error) VALUES ($1, $2, $3, $4, $5)`;

export interface ConsumerParts {
  readonly bus: EventBus;
  readonly work: UnitOfWork;
  readonly log: BusLog;
  readonly metrics: Metrics;
}

export interface ConsumerBacklog {
  readonly stream: string;
  /** Events that were not delivered yet. */
  readonly pending: number;
  /** Events that were delivered and are not settled. */
  readonly unacknowledged: number;
}

interface Delivery {
  readonly message: JsMsg;
  readonly subscription: Subscription;
}

const matches = (pattern: string, subject: string): boolean => (pattern.endsWith('>') ? subject.startsWith(pattern.slice(0, -1)) : pattern === subject);

function parse({ message, subscription }: Delivery): EventEnvelope {
  const envelope = message.json<EventEnvelope>();
  if (typeof envelope?.id !== 'string' || typeof envelope.data !== 'object') throw new Error('not an event envelope');
  if (!subscription.payload) return envelope;
  const data = plainToInstance(subscription.payload, envelope.data);
  const [fault] = validateSync(data, { forbidUnknownValues: false });
  if (fault) throw new Error(`the payload is not valid: ${fault.property}`);
  return { ...envelope, data };
}

/**
 * Durable consumption of one stream: what arrived together is applied in one transaction with its inbox rows, and
 * acknowledged after the commit. When a batch fails each event is tried alone, so one bad event delays no other;
 * after eight deliveries it is buried in `dead_letters`.
 */
export class ConsumerRunner {
  private readonly queue: Delivery[] = [];
  private messages: ConsumerMessages | null = null;
  private working: Promise<void> | null = null;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();
  private readonly numbers: ReturnType<typeof consumerNumbers>;

  constructor(
    private readonly service: string,
    private readonly stream: string,
    private readonly subscriptions: readonly Subscription[],
    private readonly parts: ConsumerParts,
  ) {
    this.numbers = consumerNumbers(parts.metrics, stream);
  }

  /** One runner for each stream that the subscriptions touch. */
  static forAll(service: string, subscriptions: readonly Subscription[], parts: ConsumerParts): ConsumerRunner[] {
    return [...groupByStream(subscriptions)].map(([stream, own]) => new ConsumerRunner(service, stream, own, parts));
  }

  start(): void {
    this.running = this.supervise();
  }

  /** What the stream still holds for this consumer. @throws when the broker is away */
  async backlog(): Promise<ConsumerBacklog> {
    const manager = await this.parts.bus.manager();
    const { num_pending: pending, num_ack_pending: unacknowledged } = await manager.consumers.info(this.stream, this.service);
    return { stream: this.stream, pending, unacknowledged };
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.messages?.stop();
    await Promise.race([this.running, wait(RETRY_MS, undefined, { ref: false })]);
    await this.working;
  }

  private async supervise(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.parts.bus.whenReady();
        await this.consume();
      } catch (error) {
        if (!this.stopped) this.parts.log.warn({ err: error, stream: this.stream }, 'consuming was interrupted; trying again');
      }
      if (!this.stopped) await wait(RETRY_MS, undefined, { ref: false });
    }
  }

  private async consume(): Promise<void> {
    const manager = await this.parts.bus.manager();
    await manager.consumers.add(this.stream, {
      durable_name: this.service,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ACK_WAIT_NANOSECONDS,
      max_ack_pending: 2_000,
    });
    const consumer = await this.parts.bus.jetstream.consumers.get(this.stream, this.service);
    const messages = await consumer.consume({ max_messages: 500, callback: (message: JsMsg) => this.receive(message) });
    this.messages = messages;
    void this.watch(messages);
    await messages.closed();
  }

  /** A consumer or stream that vanished (a wiped store) ends the subscription, and the supervisor makes it anew. */
  private async watch(messages: ConsumerMessages): Promise<void> {
    let missed = 0;
    for await (const status of await messages.status()) {
      const type = String(status.type);
      if (type === 'heartbeats_missed') missed++;
      if (type === 'consumer_deleted' || type === 'consumer_not_found' || type === 'stream_not_found' || missed > 2) return messages.stop();
    }
  }

  private receive(message: JsMsg): void {
    const subscription = this.subscriptions.find(({ subject }) => matches(subject, message.subject));
    if (!subscription) return message.ack();
    if (message.redelivered) this.numbers.redelivered();
    this.queue.push({ message, subscription });
    this.working ??= this.workOff().finally(() => (this.working = null));
  }

  private async workOff(): Promise<void> {
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, MAX_BATCH);
      if (await this.apply(batch)) continue;
      for (const delivery of batch) {
        if (batch.length === 1 || !(await this.apply([delivery]))) await this.postpone(delivery);
      }
    }
  }

  /** @returns whether the batch took effect and was acknowledged */
  private async apply(batch: readonly Delivery[]): Promise<boolean> {
    try {
      const events = batch.map((delivery) => ({ event: parse(delivery), subscription: delivery.subscription }));
      await this.parts.work.run(asService(this.service), (tx) => this.applyNew(tx, events));
    } catch (error) {
      const [first] = batch;
      this.parts.log.warn({ err: error, stream: this.stream, size: batch.length, subject: first?.message.subject }, 'events could not be applied');
      this.numbers.failed();
      return false;
    }
    for (const { message } of batch) message.ack();
    this.numbers.applied(batch.length);
    return true;
  }

  private async applyNew(tx: Tx, events: { event: EventEnvelope; subscription: Subscription }[]): Promise<void> {
    const taken = await tx.query<{ eventId: string }>(TAKE_NEW, [`${this.service}.${this.stream}`, events.map(({ event }) => event.id)]);
    const fresh = new Set(taken.map(({ eventId }) => eventId));
    for (const run of runsOfOneSubscription(events.filter(({ event }) => fresh.delete(event.id)))) {
      await run.subscription.apply(tx, run.events);
    }
  }

  private async postpone({ message }: Delivery): Promise<void> {
    const deliveries = message.info.redeliveryCount;
    if (deliveries < MAX_DELIVERIES) return message.nak(backoffMs(deliveries));
    try {
      await this.parts.work.run(asService(this.service), (tx) =>
        tx.query(BURY, [newId(), `${this.service}.${this.stream}`, message.subject, message.string(), `failed ${deliveries} times`]));
      this.parts.log.error({ subject: message.subject, stream: this.stream }, 'an event was buried as a dead letter');
      this.numbers.buried();
      message.term();
    } catch {
      message.nak(MAX_BACKOFF_MS);
    }
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

/** Neighbours of one subscription go to its handler together; the order of the stream stays. */
function runsOfOneSubscription(events: { event: EventEnvelope; subscription: Subscription }[]): { subscription: Subscription; events: EventEnvelope[] }[] {
  const runs: { subscription: Subscription; events: EventEnvelope[] }[] = [];
  for (const { event, subscription } of events) {
    const last = runs.at(-1);
    if (last?.subscription === subscription) last.events.push(event);
    else runs.push({ subscription, events: [event] });
  }
  return runs;
}
