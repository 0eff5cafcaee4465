import { asPlain, type EventBundle, type EventEnvelope, eventsIn } from '@gatehouse/contracts-core';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { JsMsg } from 'nats';
import type { Subscription } from './consumes.ts';
import { requireGenuine } from '../catalogue/genuine.ts';

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
export function checked(event: EventEnvelope, { payload }: Subscription): EventEnvelope {
  if (typeof event.id !== 'string' || typeof event.data !== 'object') throw new Error('not an event envelope');
  if (!payload) return event;
  const plain = asPlain(payload, event.data);
  if (plain) return { ...event, data: plain };
  const data = plainToInstance(payload, event.data);
  const [fault] = validateSync(data, { forbidUnknownValues: false });
  if (fault) throw new Error(`the payload is not valid: ${fault.property}`);
  return { ...event, data };
}
