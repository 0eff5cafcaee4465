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

/** A place in the order of events: an event, or the moment at which a caller's stream was opened. */
type Position = { readonly event: LiveEvent } | { readonly openedBy: string };
type Dated = Position & { readonly at: number };

/** How long a client may be away and still get what it missed. */
export const KEPT_MS = 5 * 60 * 1000;
const MAX_KEPT = 20_000;
/** How far the orders of two services' events may differ between replicas. */
const DISORDER_MS = 1_000;

/** The events of the last five minutes, in the order of their arrival, for clients that reconnect. */
export class RecentEvents {
  private readonly positions = new Map<string, Dated>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  add(event: LiveEvent): void {
    this.keep(event.id, { event, at: this.now() });
  }

  /** Marks the present position, to which the caller may come back. */
  mark(id: string, callerId: string): void {
    this.keep(id, { openedBy: callerId, at: this.now() });
  }

  clear(): void {
    this.positions.clear();
  }

  /**
   * The events after a position. Another replica may have had events of other services in another order: those of the
   * second before the position are repeated.
   * @param isKnownTo whether the caller could have got the event of that position
   * @returns null for a position that is unknown, too old, or another caller's
   */
  after(id: string, callerId: string, isKnownTo: (event: LiveEvent) => boolean): LiveEvent[] | null {
    this.forgetOld();
    const position = this.positions.get(id);
    if (!position) return null;
    if ('openedBy' in position ? position.openedBy !== callerId : !isKnownTo(position.event)) return null;
    const source = 'event' in position ? position.event.source : null;
    const later: LiveEvent[] = [];
    let isPast = false;
    for (const [each, candidate] of this.positions) {
      if (each === id) isPast = true;
      else if ('event' in candidate && (isPast || mayBeLater(candidate, candidate.event.source)))
        later.push(candidate.event);
    }
    return later;

    function mayBeLater({ at }: Dated, other: string): boolean {
      return source !== null && other !== source && position !== undefined && position.at - at < DISORDER_MS;
    }
  }

  private keep(id: string, position: Dated): void {
    this.positions.set(id, position);
    this.forgetOld();
  }

  private forgetOld(): void {
    const oldest = this.now() - KEPT_MS;
    for (const [id, { at }] of this.positions) {
      if (at >= oldest && this.positions.size <= MAX_KEPT) return;
      this.positions.delete(id);
    }
  }
}
