import type { Attempt } from './attempt.ts';
import type { Draw } from './draw.ts';
import type { Place } from './places.ts';

export type Json = Readonly<Record<string, unknown>>;

/** One generated call of a route. */
export interface Request {
  readonly attempt: Attempt;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly sent: Json | undefined;
}

export function requestOf(attempt: Attempt, draw: Draw): Request {
  const [method = 'GET', template = ''] = attempt.route.split(' ');
  const params = Object.fromEntries(Object.entries(attempt.params).map(([name, kind]) => [name, draw.id(kind)]));
  const path =
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '') + (attempt.query?.(draw) ?? '');
  return { attempt, method: method as Request['method'], path, params, sent: attempt.body?.(draw) };
}

/** The narrowest resource that the body names. */
function subjectOf({ siteId, targetId, target, orgId }: Json): unknown {
  return siteId ?? targetId ?? (target as Json | undefined)?.['id'] ?? orgId;
}

/** The organisations that got a copy: a copy can be refused in an answer that is a success as a whole. */
const copiedTo = ({ copies = [] }: Json): unknown[] =>
  (copies as Json[]).filter(({ ruleId }) => ruleId !== null).map(({ orgId }) => orgId);

/** Where a route acts that names a place. */
export const actedAt = ({ keepsToSites }: Attempt, place: Place, draw: Draw): Place =>
  keepsToSites ? draw.reachedPartOf(place) : place;

/** The places in which a successful request changes something, as far as they are known. */
export function placesChanged({ attempt, params, sent = {} }: Request, answer: Json, draw: Draw): Place[] {
  const named = attempt.objectIsSource ? [] : Object.values(params);
  return [...named, subjectOf(sent), ...copiedTo(answer)]
    .map((id) => draw.pools.placeOf(id))
    .filter((place) => place !== undefined)
    .map((place) => actedAt(attempt, place, draw));
}
