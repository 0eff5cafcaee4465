import type { Effort } from './effort.ts';

const NON_ASCII = /[^\0-\x7f]/;
const ASCII_RUN = /[\0-\x7f]+/g;
/**
 * Sorting combining marks takes quadratic time in their number; no script needs more than 30 in a row (Unicode's
 * stream-safe text format).
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
/** Steps per character, measured with the most expensive characters. */
const COMPOSE_STEPS = 8;
const FOLD_STEPS = 4;

export const isAscii = (text: string | null): boolean => text === null || !NON_ASCII.test(text);

/**
 * Folds the case of ASCII letters only: a Kelvin sign is not a `k`, and a dotted capital I stays as it is, in every
 * locale.
 */
export const foldCase = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.replace(ASCII_RUN, (ascii) => ascii.toLowerCase());

/** Folds case and turns backslashes into slashes: Windows accepts both. */
export const foldPath = (path: string): string => foldCase(path).replaceAll('\\', '/');

/**
 * Folds a text for denials (decisions, "matching"): NFKC, and without regard to the case of any script, so that other
 * Unicode forms of a denied text are denied too.
 * @throws EffortExceeded
 */
export function foldWidely(text: string, effort?: Effort): string {
  if (isAscii(text)) return text.toLowerCase();
  effort?.spend(text.length * COMPOSE_STEPS);
  const composed = text.replace(TOO_MANY_MARKS, '$1').normalize('NFKC');
  // NFKC may turn one character into eighteen.
  effort?.spend(composed.length * FOLD_STEPS);
  return composed.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

export const foldPathWidely = (path: string, effort?: Effort): string => foldWidely(path, effort).replaceAll('\\', '/');

/** A way to fold the texts of rules and observations for comparison. */
export interface Folding {
  readonly text: (text: string) => string;
  readonly path: (path: string) => string;
}
export const EXACT: Folding = { text: foldCase, path: foldPath };

/**
 * Ordinary texts grow threefold at most. A rule text crafted to grow further would exhaust the memory, so only the case
 * of its ASCII letters is folded.
 */
const MOST_GROWTH = 4;
function foldPattern(text: string): string {
  const folded = foldWidely(text);
  return folded.length > MOST_GROWTH * text.length ? foldCase(text) : folded;
}
export const WIDE: Folding = { text: foldPattern, path: (path) => foldPattern(path).replaceAll('\\', '/') };

/** Turns a blank text into null. */
export const presentOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.trim() === '' ? null : text;

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
