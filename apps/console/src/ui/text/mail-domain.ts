const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700] as const;

/** RFC 3492 6.1. */
function adapted(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / points);
  let bias = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; bias += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

const digitOf = (character: string | undefined): number => {
  const digit = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(character ?? '?');
  if (digit < 0) throw new RangeError('not punycode');
  return digit;
};

/**
 * The letters of a label after `xn--` (RFC 3492 6.2): a browser writes A-labels and does not read them.
 * @throws RangeError
 */
function decoded(label: string): string {
  const basic = label.lastIndexOf('-');
  const points = Array.from(label.slice(0, Math.max(0, basic)), (letter) => letter.charCodeAt(0));
  let [at, index, point, bias] = [basic + 1, 0, 128, 72];
  while (at < label.length) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(label[at++]);
      index += digit * weight;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = points.length + 1;
    bias = adapted(index - before, count, before === 0);
    point += Math.floor(index / count);
    index %= count;
    points.splice(index++, 0, point);
  }
  return String.fromCodePoint(...points);
}

const SCRIPTS = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Syriac', 'Thaana', 'Devanagari'],
  ...['Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao'],
  ...['Tibetan', 'Myanmar', 'Ethiopic', 'Khmer', 'Mongolian', 'Cherokee', 'Han', 'Hiragana', 'Katakana', 'Hangul'],
].map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }));
const OTHER_LETTER = new RegExp(
  `[^\\p{Script=Common}\\p{Script=Inherited}${SCRIPTS.map(({ name }) => `\\p{Script=${name}}`).join('')}]`,
  'u',
);
/** Languages that are written in several scripts at once: Japanese and Korean. */
const TOGETHER = [new Set(['Han', 'Hiragana', 'Katakana']), new Set(['Han', 'Hangul'])];

/** Letters of several scripts in one label can look like another domain, as a Cyrillic а does in a Latin name. */
function isOfOneScript(label: string): boolean {
  if (OTHER_LETTER.test(label)) return false;
  const used = SCRIPTS.filter(({ letter }) => letter.test(label)).map(({ name }) => name);
  return used.length <= 1 || TOGETHER.some((scripts) => used.every((name) => scripts.has(name)));
}

function shownLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  try {
    const read = decoded(label.slice('xn--'.length));
    return isOfOneScript(read) ? read : label;
  } catch {
    return label;
  }
}

/** A mail domain as people read it: its letters in place of `xn--…`, unless they mix scripts (IDY-151). */
export const shownDomain = (domain: string): string => domain.split('.').map(shownLabel).join('.');

/** A mail address with its domain as people read it. */
export function shownAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? address : `${address.slice(0, at)}@${shownDomain(address.slice(at + 1))}`;
}
