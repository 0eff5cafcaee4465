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
  /** What was read last, in the order that was asked for. */
  readonly list: readonly ElevationRequest[];
}

export const EMPTY: Queue = { rows: [], arrived: [], list: [] };

/** How long a settled row stays, greyed, in milliseconds. */
export const SETTLED_STAYS_MS = 5000;

const waiting = (request: ElevationRequest): QueueRow => ({ request, settledAt: null });

/** Whether the page that was read begins or ends the whole list. */
export interface Edges {
  readonly first: boolean;
  readonly last: boolean;
}

const isShown = (now: number) => (row: QueueRow) => row.settledAt === null || now - row.settledAt < SETTLED_STAYS_MS;

/**
 * The queue after a page of the list was read anew. Rows keep their places; what no longer waits greys and leaves after
 * {@link SETTLED_STAYS_MS}; new requests gather apart, unless nothing is on screen that they could move. A row that the
 * page lacks has been settled if the page has rows on both sides of it; else it may have moved to another page.
 */
export function afterReading(
  { rows: before }: Queue,
  list: readonly ElevationRequest[],
  now: number,
  { first, last }: Edges = { first: true, last: true },
): Queue {
  const fresh = new Map(list.map((request) => [request.id, request]));
  const has = ({ request }: QueueRow) => fresh.has(request.id);
  const [begin, end] = [first ? 0 : before.findIndex(has), last ? before.length : before.findLastIndex(has)];
  const rows = before
    .map((row, at) => {
      const request = fresh.get(row.request.id);
      if (request) return waiting(request);
      return begin !== -1 && at >= begin && at < end ? { ...row, settledAt: row.settledAt ?? now } : row;
    })
    .filter(isShown(now));
  const known = new Set(rows.map((row) => row.request.id));
  const arrived = list.filter(({ id }) => !known.has(id));
  return rows.length === 0 ? { rows: arrived.map(waiting), arrived: [], list } : { rows, arrived, list };
}

/** Shows what has arrived, in the order of the list. */
export const withArrived = ({ list }: Queue): Queue => ({ rows: list.map(waiting), arrived: [], list });

/** Marks a request as settled by this user's own act. */
export const afterDeciding = (queue: Queue, id: string, now: number): Queue => ({
  ...queue,
  rows: queue.rows.map((row) => (row.request.id === id ? { ...row, settledAt: row.settledAt ?? now } : row)),
});

/** What a request shares with those that one decision may cover; its own id where it is like no other. */
function likenessOf(request: ElevationRequest): string {
  const { id, orgId, flowType, toolName, action, actionDigest, commandLine, commandLineLength } = request;
  const { targetExecutableHash: hash, targetExecutablePath: path, targetExecutableSigner: signer } = request;
  const file = hash ?? (path && [path.toLowerCase(), signer]);
  const subject = flowType === 'ai_tool_action' ? actionDigest && [toolName, action, actionDigest] : file;
  if (!subject) return id;
  // One file does different things by its command line, of which some readers know the length alone.
  const started = commandLine ?? commandLineLength;
  return JSON.stringify([orgId, flowType, subject, started, request.pamRuleId, request.matchedPolicyName]);
}

/** Requests that one decision may cover stand together, in the place of the first; each other stands alone. */
export function identicalRows(rows: readonly QueueRow[]): readonly (readonly [QueueRow, ...QueueRow[]])[] {
  const groups = new Map<string, [QueueRow, ...QueueRow[]]>();
  for (const row of rows) {
    const key = likenessOf(row.request);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

type Ended = Pick<
  RequestDetail,
  | 'status'
  | 'approvedByName'
  | 'deniedByName'
  | 'revokedByName'
  | 'durationMinutes'
  | 'decidedAt'
  | 'endedAt'
  | 'decisionReason'
  | 'revokeReason'
>;

/** Who settled a request, for how many minutes (0 where it is not in force), when and why. */
export function endingOf(request: Ended) {
  const { status, approvedByName, deniedByName, revokedByName, decidedAt, endedAt } = request;
  const granted = status === 'approved' || status === 'auto_approved' || status === 'actuating';
  const name = (granted ? approvedByName : status === 'denied' ? deniedByName : revokedByName) ?? null;
  const reason = status === 'revoked' ? request.revokeReason : request.decisionReason;
  return { name, minutes: granted ? (request.durationMinutes ?? 0) : 0, at: granted ? decidedAt : endedAt, reason };
}
