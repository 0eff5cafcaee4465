import type { Effort } from './effort.ts';

const NON_ASCII = /[^\0-\x7f]/;
const ASCII_RUN = /[\0-\x7f]+/g;
/**
 * Ordering combining marks takes the square of their number; no script needs more than 30 in a row (Unicode's
 * stream-safe text format).
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
/** Steps per character, measured with the characters that take longest. */
const COMPOSE_STEPS = 8;
const FOLD_STEPS = 4;

export const isAscii = (text: string | null): boolean => text === null || !NON_ASCII.test(text);

/** ASCII letters only: a Kelvin sign is no `k`, and a dotted capital I stays itself, whatever the locale. */
export const foldCase = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.replace(ASCII_RUN, (ascii) => ascii.toLowerCase());

/** Windows takes both slashes; ours is `/`. */
export const foldPath = (path: string): string => foldCase(path).replaceAll('\\', '/');

/**
 * The form in which denials compare (decisions, "matching"): NFKC, and without regard to the case of any script, so
 * that
 * another Unicode form of a denied text is denied too.
 * @throws EffortExceeded
 */
export function foldWidely(text: string, effort?: Effort): string {
  if (isAscii(text)) return text.toLowerCase();
  effort?.spend(text.length * COMPOSE_STEPS);
  const composed = text.replace(TOO_MANY_MARKS, '$1').normalize('NFKC');
  // One character may become eighteen.
  effort?.spend(composed.length * FOLD_STEPS);
  return composed.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

export const foldPathWidely = (path: string, effort?: Effort): string => foldWidely(path, effort).replaceAll('\\', '/');

/** How the texts of rules and observations are made comparable. */
export interface Folding {
  readonly text: (text: string) => string;
  readonly path: (path: string) => string;
}
export const EXACT: Folding = { text: foldCase, path: foldPath };

/**
 * No text of a person's grows more than threefold; one made to would fill the memory as part of a rule, and stays as it
 * is.
 */
const MOST_GROWTH = 4;
function foldPattern(text: string): string {
  const folded = foldWidely(text);
  return folded.length > MOST_GROWTH * text.length ? foldCase(text) : folded;
}
export const WIDE: Folding = { text: foldPattern, path: (path) => foldPattern(path).replaceAll('\\', '/') };

/** A blank text is no value. */
export const presentOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.trim() === '' ? null : text;

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
