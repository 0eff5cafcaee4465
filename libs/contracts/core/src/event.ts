type Lower = Lowercase<string>;
/** `<service>.<aggregate>.<fact>.v<N>`, lower case, past tense: a subject without a version does not compile. */
export type Subject = `${Lower}.${Lower}.${Lower}.v${number}`;

export type PayloadClass<T extends object> = new () => T;

/** An event: its subject and the class of its payload, defined once and used by producer and consumer alike. */
export interface EventType<T extends object> {
  readonly subject: Subject;
  readonly payload: PayloadClass<T>;
}

export const defineEvent = <T extends object>(subject: Subject, payload: PayloadClass<T>): EventType<T> => ({
  subject,
  payload,
});

/** Who acted; for an API key `id` and `label` are the key's, and `name` is that of the person who owns it. */
export interface EventActor {
  readonly type: 'user' | 'api_key' | 'agent' | 'setup_link' | 'system';
  readonly id: string | null;
  readonly name: string | null;
  /** The name of the API key; `operator` for a person who works as the operator. */
  readonly label?: string;
}

/**
 * An event as it is published. `id` is the key of the consumer's inbox; for an event outside a bundle it is also the
 * outbox row's id and the Nats-Msg-Id.
 */
export interface EventEnvelope<T extends object = object> {
  readonly id: string;
  readonly subject: string;
  readonly occurredAt: string;
  readonly source: string;
  /** The aggregate of the event: events of one aggregate are published in the order of their commits. */
  readonly aggregateId: string;
  readonly actor: EventActor;
  readonly traceparent: string | null;
  readonly data: T;
}

/** Events of one subject from one transaction, in order: one row of the outbox, one message of the broker. */
export interface EventBundle {
  readonly id: string;
  readonly events: readonly EventEnvelope[];
}

/** The events that a message contains. */
export const eventsIn = (message: EventEnvelope | EventBundle): readonly EventEnvelope[] =>
  'events' in message ? message.events : [message];
