import { type EventBundle, type EventEnvelope, eventsIn } from '@gatehouse/contracts-core';
import { AckPolicy, connect, type ConsumerInfo, JSONCodec, type NatsConnection } from 'nats';
import type { World } from '../world.ts';

export interface Stored {
  readonly sequence: number;
  readonly subject: string;
  readonly messageId: string | undefined;
  /** The whole message: this event, or a bundle with it. */
  readonly content: EventEnvelope | EventBundle;
  readonly envelope: EventEnvelope<Record<string, unknown>>;
}

async function connected<T>({ backing }: World, work: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const { host, username, password } = new URL(backing.nats.url);
  const connection = await connect({ servers: host, user: username, pass: password });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** All events that a stream holds, in its order. */
export const stored = (world: World, stream: string): Promise<Stored[]> =>
  connected(world, async (connection) => {
    const manager = await connection.jetstreamManager();
    const { name } = await manager.consumers.add(stream, { ack_policy: AckPolicy.None, inactive_threshold: 5e9 });
    const consumer = await connection.jetstream().consumers.get(stream, name);
    const found: Stored[] = [];
    for (let left = (await consumer.info()).num_pending; left > 0; ) {
      for await (const message of await consumer.fetch({ max_messages: Math.min(left, 500), expires: 5_000 })) {
        const content = message.json<EventEnvelope | EventBundle>();
        const of = { sequence: message.seq, subject: message.subject, messageId: message.headers?.get('Nats-Msg-Id'), content };
        found.push(...eventsIn(content).map((event) => ({ ...of, envelope: event as Stored['envelope'] })));
      }
      left = (await consumer.info()).num_pending;
    }
    return found;
  });

/** Puts events into their streams again, under message ids of their own: what a publisher does after the window of de-duplication. */
export const publishAgain = (world: World, events: readonly { subject: string; envelope: object; messageId: string }[]): Promise<void> =>
  connected(world, async (connection) => {
    for (const { subject, envelope, messageId } of events) await connection.jetstream().publish(subject, JSONCodec().encode(envelope), { msgID: messageId });
  });

export const consumerOf = (world: World, stream: string, durable: string): Promise<ConsumerInfo> => connected(world, async (connection) => (await connection.jetstreamManager()).consumers.info(stream, durable));
