/** Counts the steps of folding. */
export interface StepCount {
  spend(steps: number): void;
}

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
const JOIN_STEPS = 2;

export const isAscii = (text: string | null): boolean => text === null || !NON_ASCII.test(text);

/**
 * Folds the case of ASCII letters only: a Kelvin sign is not a `k`, and a dotted capital I stays as it is, in every
 * locale.
 */
export const foldCase = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.replace(ASCII_RUN, (ascii) => ascii.toLowerCase());

/** Folds case and turns backslashes into slashes: Windows accepts both. */
export const foldPath = (path: string): string => foldCase(path).replaceAll('\\', '/');

const BLANKS = /[\s\u2800]+/g;
const SEVERAL_BLANKS = /[\t-\r]|  /;
const OUTER = new Set(' "\'\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a');

// A loop, because a regular expression would restart at every quote.
function withoutOuter(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && OUTER.has(text[from]!)) from++;
  while (to > from && OUTER.has(text[to - 1]!)) to--;
  return text.slice(from, to);
}

/** Drops outer blanks and quotes, unless nothing else is left. */
export const unquoted = (text: string): string => withoutOuter(text) || text;

/** Whether folding a text widely changes no more than the case of its ASCII letters, but for its outer blanks and quotes. */
export const foldsAlikeWithin = (text: string | null): boolean =>
  text === null || (!NON_ASCII.test(text) && !SEVERAL_BLANKS.test(text));

/** Whether folding a text widely changes no more than the case of its ASCII letters. */
export const foldsAlike = (text: string | null): boolean =>
  text === null || text === '' || (!OUTER.has(text[0]!) && !OUTER.has(text.at(-1)!) && foldsAlikeWithin(text));

/**
 * Folds a text widely and keeps its outer blanks and quotes, which do not matter to a text that is searched for parts.
 * @throws EffortExceeded
 */
export function foldWithin(text: string, effort?: StepCount): string {
  if (foldsAlikeWithin(text)) return text.toLowerCase();
  if (isAscii(text)) {
    effort?.spend(text.length * JOIN_STEPS);
    return text.replace(BLANKS, ' ').toLowerCase();
  }
  effort?.spend(text.length * COMPOSE_STEPS);
  const composed = text.replace(TOO_MANY_MARKS, '$1').normalize('NFKC');
  // NFKC may turn one character into eighteen.
  effort?.spend(composed.length * FOLD_STEPS);
  return composed.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC').replace(BLANKS, ' ');
}

/**
 * Folds a text for denials (decisions, "denials fold widely"): NFKC, without regard to the case of any script, runs of
 * blanks joined, outer blanks and quotes dropped, so that other forms of a denied text are denied too.
 * @throws EffortExceeded
 */
export const foldWidely = (text: string, effort?: StepCount): string => unquoted(foldWithin(text, effort));

export const foldPathWidely = (path: string, effort?: StepCount): string =>
  foldWidely(path, effort).replaceAll('\\', '/');

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
const MAX_GROWTH = 4;
function foldPattern(text: string): string {
  const folded = foldWidely(text);
  return folded.length > MAX_GROWTH * text.length ? foldCase(text) : folded;
}
export const WIDE: Folding = { text: foldPattern, path: (path) => foldPattern(path).replaceAll('\\', '/') };

/** Turns a blank text into null. */
export const presentOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.trim() === '' ? null : text;

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
