/**
 * The rules that change places when one moves, in their new order. Only these are sent, so that an order that another
 * person gives to others stays.
 */
export function displaced(ids: readonly string[], id: string, to: number): string[] {
  const from = ids.indexOf(id);
  const place = Math.min(Math.max(to, 0), ids.length - 1);
  if (from === -1 || from === place) return [];
  const between = ids.slice(Math.min(from, place), Math.max(from, place) + 1).filter((one) => one !== id);
  return place < from ? [id, ...between] : [...between, id];
}

/** The place right behind another rule, counted from 0, once the moved rule has left its own. */
export function placeAfter(ids: readonly string[], id: string, other: string): number {
  const [from, before] = [ids.indexOf(id), ids.indexOf(other)];
  return from !== -1 && from < before ? before : before + 1;
}

/** How far apart the server sets priorities. */
const STEP = 10;

interface Placed {
  readonly id: string;
  readonly priority: number;
}

/** A priority of its own right behind another rule; null where the next rule leaves no room for one. */
export function priorityAfter(rules: readonly Placed[], other: string): number | null {
  const at = rules.findIndex(({ id }) => id === other);
  const [before, next] = [rules[at], rules[at + 1]];
  if (!before) return null;
  if (!next) return before.priority + STEP;
  const room = next.priority - before.priority;
  return room > 1 ? before.priority + Math.floor(room / 2) : null;
}
