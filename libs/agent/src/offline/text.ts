import { foldCase, foldWidely, foldWithin, EXACT as EXACTLY, WIDE as WIDELY } from '@gatehouse/windows-paths';

/** How texts are compared: those of the prompt, those that are searched for a part, and those of a rule. */
export interface Folding {
  readonly seen: (text: string) => string;
  readonly searched: (text: string) => string;
  readonly rule: (text: string) => string;
}

export const EXACT: Folding = { seen: foldCase, searched: foldCase, rule: EXACTLY.text };
/** For denials: see `foldWidely`. */
export const WIDE: Folding = {
  seen: (text) => foldWidely(foldCase(text)),
  searched: (text) => foldWithin(foldCase(text)),
  rule: WIDELY.text,
};

export const withSlashes = (path: string): string => path.replaceAll('\\', '/');
