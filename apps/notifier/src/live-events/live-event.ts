import { type EventEnvelope, seesOrg, seesSite, type UserCaller } from '@gatehouse/contracts-core';
import type { LiveTopic, Placed } from './live-topics.ts';

/** An event as the stream keeps and sends it. */
export interface LiveEvent {
  readonly id: string;
  readonly topic: LiveTopic;
  /** The service that published it: its events have the same order at every replica. */
  readonly source: string;
  readonly placed: Placed;
  readonly frame: string;
}

/**
 * Whether the caller may receive the event now: what happens within the caller's reach, and what is addressed to the
 * caller wherever the device now is. What belongs to a partner itself is not for callers of an organisation, unless it
 * concerns every organisation.
 */
export function mayReceive(
  { scope, userId, level }: UserCaller,
  { partnerId, orgId, siteId, level: concerned, userId: addressee }: Placed,
): boolean {
  if (orgId === null)
    return (
      (level !== 'organization' || concerned === 'partner') && (scope.partner === 'all' || scope.partner === partnerId)
    );
  if (!seesOrg(scope, partnerId, orgId)) return false;
  if (addressee !== undefined) return addressee === userId;
  return siteId === undefined || seesSite(scope, siteId);
}

/** The text of one server-sent event. */
export const frameOf = ({ id, subject, occurredAt, data }: EventEnvelope<Placed>): string =>
  `id: ${id}\nevent: ${subject}\ndata: ${JSON.stringify({ id, subject, occurredAt, data })}\n\n`;

/** Sets the position of a client without an event (WHATWG HTML 9.2.6: a block without data dispatches none). */
export const positionFrame = (id: string): string => `id: ${id}\n\n`;

/** The client may have missed events: it reads the state anew. */
export const RESYNC_FRAME = 'event: resync\ndata: {}\n\n';
