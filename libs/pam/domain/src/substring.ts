import type { Effort } from './effort.ts';
import { Grams, gramsOf } from './grams.ts';

/** Up to here the search of the language is faster, even when it is at its slowest. */
const SMALL = 65_536;
const CHARACTERS_PER_STEP = 4;

/**
 * A part to look for in texts. The search of the language may take the product of both lengths, which a text made for
 * it
 * does; this one takes their sum (Knuth, Morris, Pratt).
 */
export class Substring {
  /** Made for the first text: most parts of a rulebook never meet one. */
  private grams: readonly number[] | null = null;

  constructor(private readonly part: string) {}

  /** @param grams those of the text, when several parts are looked for in it @throws EffortExceeded */
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
    // Not kept: those of thousands of long parts would fill the memory.
    const borders = this.findBorders();
    for (let at = 0, found = 0; at < text.length; at++) {
      found = this.advance(borders, found, text.charCodeAt(at));
      if (found === this.part.length) return true;
    }
    return false;
  }

  /** For each beginning of the part, how much of its end is also the part's beginning. */
  private findBorders(): Int32Array {
    const borders = new Int32Array(this.part.length);
    for (let at = 1; at < this.part.length; at++)
      borders[at] = this.advance(borders, borders[at - 1]!, this.part.charCodeAt(at));
    return borders;
  }

  /** @param found how much of the part's beginning ends here @returns the same, one character later */
  private advance(borders: Int32Array, found: number, code: number): number {
    let length = found;
    while (length > 0 && this.part.charCodeAt(length) !== code) length = borders[length - 1]!;
    return this.part.charCodeAt(length) === code ? length + 1 : length;
  }
}
