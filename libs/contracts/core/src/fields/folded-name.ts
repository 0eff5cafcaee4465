/** White space as JavaScript trims it, and the control character NEL. */
const BLANKS = /[\s\u0085]+/gu;
/** Most names: printable ASCII with single blanks inside. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Simple case folding gives the dotted capital I no lower case, and the dotless i none in common with `I`. The two
 * ligatures differ only in the spelling of `st`.
 */
const IRREGULAR = new Map([
  ['\u0130', 'i\u0307'],
  ['\u0131', '\u0131'],
  ['\uFB05', '\uFB06'],
]);

const unlessLonger = (changed: string, character: string): string => ([...changed].length === 1 ? changed : character);

/** Unicode simple case folding of one character: final sigma becomes sigma, and the sharp s stays one letter. */
export function foldCharacter(character: string): string {
  const upper = unlessLonger(character.toUpperCase(), character);
  return IRREGULAR.get(character) ?? unlessLonger(upper.toLowerCase(), upper);
}

/**
 * The form in which names are compared: of organisations, sites, contacts, devices and scripts, in imports, values and
 * searches (TEN-100). Names themselves are kept as they were sent. The database computes the same by a function that
 * `createFoldedName` makes of it.
 */
export function foldName(name: string): string {
  if (PLAIN_NAME.test(name)) return name.toLowerCase();
  const joined = name.normalize('NFC').replace(BLANKS, ' ').trim();
  return Array.from(joined, foldCharacter).join('').normalize('NFC');
}
