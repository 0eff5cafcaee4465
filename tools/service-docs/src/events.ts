import type { ServiceName } from '@gatehouse/contracts-core';
import { auditSubject, TRAFFIC } from '@gatehouse/messaging';
import { code, tableOf } from './table.ts';

/** What a service publishes, receives and asks at the broker. */
export function eventsOf(service: ServiceName): string {
  const traffic = TRAFFIC[service];
  if (!traffic) throw new Error(`${service} is not in the catalogue of traffic`);
  const audit = traffic.database === null ? [] : [auditSubject(service)];
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['out', [...traffic.states, ...audit]],
    ['in, each once', traffic.consumes],
    ['in, at every replica', traffic.listens],
    ['requests', traffic.asks],
    ['replies to', traffic.answers],
  ];
  const rows = kinds.flatMap(([kind, subjects]) => subjects.map((subject) => [kind, code(subject)]));
  return tableOf(['direction', 'subject'], rows, 'None.');
}
