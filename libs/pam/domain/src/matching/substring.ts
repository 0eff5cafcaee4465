import type { Effort } from './effort.ts';
import { Grams, gramsOf } from './grams.ts';

/** Up to this product of lengths the built-in search is faster, even in its worst case. */
const SMALL = 65_536;
const CHARACTERS_PER_STEP = 4;

/**
 * A text to search for in other texts. The built-in search may take time proportional to the product of both lengths,
 * which an attacker can provoke; this one (Knuth, Morris, Pratt) is proportional to their sum.
 */
export class Substring {
  /** Built for the first search; most texts of a rulebook are never searched for. */
  private grams: readonly number[] | null = null;

  constructor(private readonly part: string) {}

  /** @param grams the text's grams, when it is searched several times @throws EffortExceeded */
  isIn(text: string, effort: Effort, grams = new Grams(text)): boolean {
    effort.spend(1);
    if (text.length < this.part.length) return false;
    this.grams ??= gramsOf([this.part]);
    if (!grams.mayHold(this.grams, effort)) return false;
    const length = text.length + this.part.length;
    const isSmall = text.length * this.part.length <= SMALL;
    effort.spend(isSmall ? Math.ceil(length / CHARACTERS_PER_STEP) : length);
    return isSmall ? text.includes(this.part) : this.search(text);
  }

  private search(text: string): boolean {
    // Not cached: the tables of thousands of long texts would exhaust the memory.
    const borders = this.findBorders();
    for (let at = 0, found = 0; at < text.length; at++) {
      found = this.advance(borders, found, text.charCodeAt(at));
      if (found === this.part.length) return true;
    }
    return false;
  }

  /** For each prefix of the text, the length of its longest border (a proper prefix that is also a suffix). */
  private findBorders(): Int32Array {
    const borders = new Int32Array(this.part.length);
    for (let at = 1; at < this.part.length; at++)
      borders[at] = this.advance(borders, borders[at - 1]!, this.part.charCodeAt(at));
    return borders;
  }

  /** @param found length of the prefix matched so far @returns the length after one more character */
  private advance(borders: Int32Array, found: number, code: number): number {
    let length = found;
    while (length > 0 && this.part.charCodeAt(length) !== code) length = borders[length - 1]!;
    return this.part.charCodeAt(length) === code ? length + 1 : length;
  }
}
