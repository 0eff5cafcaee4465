import 'reflect-metadata';
import type { EventEnvelope, EventType, PayloadClass } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';

export type EventHandler<T extends object = object> = (tx: Tx, event: EventEnvelope<T>) => Promise<void>;
export type BatchHandler<T extends object = object> = (tx: Tx, events: EventEnvelope<T>[]) => Promise<void>;

interface Consumption {
  readonly subject: string;
  readonly method: string;
  readonly payload: PayloadClass<object> | null;
  readonly batch: boolean;
}

const CONSUMPTIONS = Symbol('consumptions');

const note = (prototype: object, consumption: Consumption): void => {
  const known = (Reflect.getMetadata(CONSUMPTIONS, prototype) as Consumption[] | undefined) ?? [];
  Reflect.defineMetadata(CONSUMPTIONS, [...known, consumption], prototype);
};

/**
 * The method runs in the transaction that also writes the inbox row, so its effect happens once despite redeliveries.
 * @example @Consumes(OrganizationChanged) async apply(tx: Tx, event: EventEnvelope<OrganizationState>) { … }
 */
export const Consumes =
  <T extends object>(event: EventType<T>) =>
  (prototype: object, method: string, _: TypedPropertyDescriptor<EventHandler<T>>): void =>
    note(prototype, { subject: event.subject, method, payload: event.payload, batch: false });

/** Like {@link Consumes}, for a method that receives all events of its type in a batch, in their order. */
export const ConsumesTogether =
  <T extends object>(event: EventType<T>) =>
  (prototype: object, method: string, _: TypedPropertyDescriptor<BatchHandler<T>>): void =>
    note(prototype, { subject: event.subject, method, payload: event.payload, batch: true });

/** The method receives all events of a batch that match a subject pattern (`audit.>`), in their order. */
export const ConsumesAll =
  (subject: string) =>
  <T extends object>(prototype: object, method: string, _: TypedPropertyDescriptor<BatchHandler<T>>): void =>
    note(prototype, { subject, method, payload: null, batch: true });

export interface Subscription {
  readonly subject: string;
  readonly payload: PayloadClass<object> | null;
  readonly apply: BatchHandler;
}

/** The subscriptions that the methods of an instance declare. */
export function subscriptionsOf(instance: object): Subscription[] {
  const noted =
    (Reflect.getMetadata(CONSUMPTIONS, Object.getPrototypeOf(instance) as object) as Consumption[] | undefined) ?? [];
  return noted.map(({ subject, method, payload, batch }) => {
    const bound = (Reflect.get(instance, method) as BatchHandler & EventHandler).bind(instance);
    const single: BatchHandler = async (tx, events) => {
      for (const event of events) await (bound as EventHandler)(tx, event);
    };
    return { subject, payload, apply: batch ? (bound as BatchHandler) : single };
  });
}

/** Merges subscriptions for one subject: their methods run one after the other in the same transaction. */
export function onePerSubject(subscriptions: readonly Subscription[]): Subscription[] {
  const bySubject = new Map<string, Subscription>();
  for (const subscription of subscriptions) {
    const first = bySubject.get(subscription.subject);
    bySubject.set(
      subscription.subject,
      first
        ? {
            ...first,
            apply: async (tx, events) => {
              await first.apply(tx, events);
              await subscription.apply(tx, events);
            },
          }
        : subscription,
    );
  }
  return [...bySubject.values()];
}
