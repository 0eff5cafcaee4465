import type { ElevationRequest, RequestDetail } from '../../ui/elevation/request.ts';

/** One row of the queue: it waits, or another act has settled it and it is about to leave. */
export interface QueueRow {
  readonly request: ElevationRequest;
  /** When the queue saw that the request no longer waits, in milliseconds; null while it waits. */
  readonly settledAt: number | null;
}

export interface Queue {
  readonly rows: readonly QueueRow[];
  /** Requests that have arrived since and are shown on demand, so that no row moves under the pointer. */
  readonly arrived: readonly ElevationRequest[];
}

export const EMPTY: Queue = { rows: [], arrived: [] };

/** How long a settled row stays, greyed, in milliseconds. */
export const SETTLED_STAYS_MS = 5000;

const waiting = (request: ElevationRequest): QueueRow => ({ request, settledAt: null });

interface Reading {
  readonly fresh: ReadonlyMap<string, ElevationRequest>;
  /** The oldest id of a list that has more than was read: what is older may still wait. Ids follow time. */
  readonly unreadBefore: string | null;
  readonly now: number;
}

function refreshed(row: QueueRow, { fresh, unreadBefore, now }: Reading): QueueRow {
  const request = fresh.get(row.request.id);
  if (request) return waiting(request);
  const isUnread = unreadBefore !== null && row.request.id < unreadBefore;
  return isUnread ? row : { ...row, settledAt: row.settledAt ?? now };
}

const isShown = (now: number) => (row: QueueRow) => row.settledAt === null || now - row.settledAt < SETTLED_STAYS_MS;

/**
 * The queue after the list was read anew. Rows keep their places; what no longer waits greys and leaves after
 * {@link SETTLED_STAYS_MS}; new requests gather apart, unless nothing is on screen that they could move.
 * @param total how many wait in all; the list holds the newest of them
 */
export function afterReading(queue: Queue, list: readonly ElevationRequest[], now: number, total = list.length): Queue {
  const fresh = new Map(list.map((request) => [request.id, request]));
  const unreadBefore = total > list.length ? (list.at(-1)?.id ?? null) : null;
  const rows = queue.rows.map((row) => refreshed(row, { fresh, unreadBefore, now })).filter(isShown(now));
  const known = new Set(rows.map((row) => row.request.id));
  const arrived = list.filter(({ id }) => !known.has(id));
  return rows.length === 0 ? { rows: arrived.map(waiting), arrived: [] } : { rows, arrived };
}

/** Shows what has arrived, on top. */
export const withArrived = ({ rows, arrived }: Queue): Queue => ({
  rows: [...arrived.map(waiting), ...rows],
  arrived: [],
});

/** Marks a request as settled by this user's own act. */
export const afterDeciding = (queue: Queue, id: string, now: number): Queue => ({
  ...queue,
  rows: queue.rows.map((row) => (row.request.id === id ? { ...row, settledAt: row.settledAt ?? now } : row)),
});

type Ended = Pick<
  RequestDetail,
  'status' | 'approvedByName' | 'deniedByName' | 'revokedByName' | 'durationMinutes' | 'decidedAt' | 'endedAt'
>;

/** Who settled a request, for how many minutes (0 where it is not in force), and when. */
export function endingOf(request: Ended) {
  const { status, approvedByName, deniedByName, revokedByName, decidedAt, endedAt } = request;
  const granted = status === 'approved' || status === 'auto_approved' || status === 'actuating';
  const name = (granted ? approvedByName : status === 'denied' ? deniedByName : revokedByName) ?? null;
  return { name, minutes: granted ? (request.durationMinutes ?? 0) : 0, at: granted ? decidedAt : endedAt };
}
