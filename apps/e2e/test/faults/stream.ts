import { type EventBundle, type EventEnvelope, eventsIn } from '@gatehouse/contracts-core';
import { connect, type ConsumerInfo, JSONCodec, type NatsConnection, type StoredMsg } from 'nats';
import type { World } from '../world.ts';

export interface Stored {
  readonly sequence: number;
  readonly subject: string;
  readonly messageId: string | undefined;
  /** The whole message: this event, or the bundle that contains it. */
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

const AT_ONCE = 100;

function eventsOf(message: StoredMsg): Stored[] {
  const content = message.json<EventEnvelope | EventBundle>();
  return eventsIn(content).map((event) => ({
    sequence: message.seq,
    subject: message.subject,
    messageId: message.header.get('Nats-Msg-Id'),
    content,
    envelope: event as Stored['envelope'],
  }));
}

/** All events that a stream holds, in its order. */
export const stored = (world: World, stream: string): Promise<Stored[]> =>
  connected(world, async (connection) => {
    const { streams } = await connection.jetstreamManager();
    const { state } = await streams.info(stream);
    const found: Stored[] = [];
    for (let from = state.first_seq; from <= state.last_seq; from += AT_ONCE) {
      const sequences = Array.from({ length: Math.min(AT_ONCE, state.last_seq - from + 1) }, (_, at) => from + at);
      const messages = await Promise.all(sequences.map((seq) => streams.getMessage(stream, { seq })));
      for (const message of messages) found.push(...eventsOf(message));
    }
    return found;
  });

/** Publishes events again under new message ids, as a publisher does after the de-duplication window. */
export const publishAgain = (
  world: World,
  events: readonly { subject: string; envelope: object; messageId: string }[],
): Promise<void> =>
  connected(world, async (connection) => {
    for (const { subject, envelope, messageId } of events)
      await connection.jetstream().publish(subject, JSONCodec().encode(envelope), { msgID: messageId });
  });

export const consumerOf = (world: World, stream: string, durable: string): Promise<ConsumerInfo> =>
  connected(world, async (connection) => (await connection.jetstreamManager()).consumers.info(stream, durable));
