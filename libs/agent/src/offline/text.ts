const NON_ASCII = /[^\0-\x7f]/;
const ASCII_RUN = /[\0-\x7f]+/g;
/** Sorting combining marks takes quadratic time; no script needs more than 30 in a row. */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
/** A rule's text that grows further when it is folded is only folded by the case of its ASCII letters. */
const MOST_GROWTH = 4;

/** Folds the case of ASCII letters only, in every locale. */
export const foldCase = (text: string): string => text.replace(ASCII_RUN, (ascii) => ascii.toLowerCase());

function foldWidely(text: string): string {
  if (!NON_ASCII.test(text)) return text.toLowerCase();
  const composed = text.replace(TOO_MANY_MARKS, '$1').normalize('NFKC');
  return composed.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

function foldRuleWidely(text: string): string {
  const folded = foldWidely(text);
  return folded.length > MOST_GROWTH * text.length ? foldCase(text) : folded;
}

/** How texts are compared: those of the prompt, and those of a rule. */
export interface Folding {
  readonly seen: (text: string) => string;
  readonly rule: (text: string) => string;
}

export const EXACT: Folding = { seen: foldCase, rule: foldCase };
/** For denials: without regard to compatibility forms and to the case of any script. */
export const WIDE: Folding = { seen: (text) => foldWidely(foldCase(text)), rule: foldRuleWidely };

export const withSlashes = (path: string): string => path.replaceAll('\\', '/');
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
