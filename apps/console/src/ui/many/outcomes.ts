import { useState } from 'react';
import { inParallel, type Outcome } from '../../api/many.ts';
import { codeOf, wordsFor } from '../../api/problem.ts';

/** How many things are decided at once; the rest waits for the next press. */
export const MAX_AT_ONCE = 50;

/**
 * `vote`: this person's approval is given, and others are needed. `faster`: another person acted first, or the time was
 * over. `ticket`: it needs a ticket of its own. `leftOut` and `later` were not tried.
 */
export type Ending = 'done' | 'vote' | 'faster' | 'ticket' | 'refused' | 'leftOut' | 'later';

/** One thing of many, and what became of it. */
export interface Result {
  readonly id: string;
  readonly ending: Ending;
  /** Why it was refused, in words. */
  readonly why?: string;
}

const FASTER = ['not_pending', 'already_decided', 'not_active', 'race_lost'];
const NEED_TICKET = ['ticket_required', 'ticket_invalid'];
const stillWaits = (data: unknown): boolean => (data as { readonly status?: string } | undefined)?.status === 'pending';

function resultOf({ id, error, data }: Outcome): Result {
  if (error === undefined) return { id, ending: stillWaits(data) ? 'vote' : 'done' };
  const code = codeOf(error);
  if (NEED_TICKET.includes(code)) return { id, ending: 'ticket' };
  return FASTER.includes(code) ? { id, ending: 'faster' } : { id, ending: 'refused', why: wordsFor(error) };
}

interface Plan {
  /** What is tried, at most {@link MAX_AT_ONCE}. */
  readonly tried: readonly string[];
  readonly untried: readonly Result[];
}

/** What of a selection is tried now. @param isLeftOut what has to be decided by itself */
export function planOf(ids: readonly string[], isLeftOut: (id: string) => boolean): Plan {
  const fit = ids.filter((id) => !isLeftOut(id));
  const leftOut = ids.filter(isLeftOut).map((id): Result => ({ id, ending: 'leftOut' }));
  const later = fit.slice(MAX_AT_ONCE).map((id): Result => ({ id, ending: 'later' }));
  return { tried: fit.slice(0, MAX_AT_ONCE), untried: [...leftOut, ...later] };
}

/** The results with those of another try in their places. */
export function withTried(results: readonly Result[], outcomes: readonly Outcome[]): readonly Result[] {
  const fresh = new Map(outcomes.map((outcome) => [outcome.id, resultOf(outcome)]));
  const kept = results.filter(({ id }) => !fresh.has(id));
  return [...fresh.values(), ...kept];
}

const ORDER: readonly Ending[] = ['refused', 'faster', 'ticket', 'leftOut', 'later', 'vote', 'done'];

/** What asks for its reader's attention stands first. */
export const inOrder = (results: readonly Result[]): readonly Result[] =>
  [...results].sort((one, other) => ORDER.indexOf(one.ending) - ORDER.indexOf(other.ending));

const idsOf = (results: readonly Result[], endings: readonly Ending[]): readonly string[] =>
  results.filter(({ ending }) => endings.includes(ending)).map(({ id }) => id);

/** What another try may bring to an end. */
export const retriable = (results: readonly Result[]): readonly string[] => idsOf(results, ['refused']);

/** What stays selected: all that could still be done together. */
export const stillSelected = (results: readonly Result[]): ReadonlySet<string> =>
  new Set(idsOf(results, ['refused', 'later']));

export const countOf = (results: readonly Result[], ...endings: readonly Ending[]): number =>
  idsOf(results, endings).length;

interface Act {
  readonly run: (id: string) => Promise<unknown>;
  readonly isLeftOut?: (id: string) => boolean;
}

/** Acts on many things; keeps the act and what became of each, so that those that failed can be tried again. */
export function useMany(onSettled: (results: readonly Result[]) => void) {
  const [act, setAct] = useState<Act | null>(null);
  const [results, setResults] = useState<readonly Result[]>([]);
  const [running, setRunning] = useState(false);
  const attempt = async (ids: readonly string[], { run }: Act, before: readonly Result[]) => {
    setRunning(true);
    const after = withTried(before, await inParallel(ids, run));
    setRunning(false);
    setResults(after);
    onSettled(after);
  };
  const start = (ids: readonly string[], next: Act) => {
    const { tried, untried } = planOf(ids, next.isLeftOut ?? (() => false));
    setAct(next);
    return attempt(tried, next, untried);
  };
  const retry = () => act && attempt(retriable(results), act, results);
  return { results, running, start, retry, dismiss: () => setResults([]) };
}
