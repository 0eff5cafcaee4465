import type { Effort } from './effort.ts';

/** Up to here the search of the language is faster, even when it is at its slowest. */
const SMALL = 65_536;

/**
 * A part to look for in texts. The search of the language may take the product of both lengths, which a text made for it
 * does; this one takes their sum (Knuth, Morris, Pratt).
 */
export class Substring {
  /** For each beginning of the part, how much of its end is also the part's beginning. */
  private borders: Int32Array | null = null;

  constructor(private readonly part: string) {}

  /** @throws EffortExceeded */
  isIn(text: string, effort: Effort): boolean {
    effort.spend(text.length + this.part.length);
    if (text.length * this.part.length <= SMALL) return text.includes(this.part);
    this.borders ??= this.findBorders();
    for (let at = 0, found = 0; at < text.length; at++) {
      found = this.advance(this.borders, found, text.charCodeAt(at));
      if (found === this.part.length) return true;
    }
    return false;
  }

  private findBorders(): Int32Array {
    const borders = new Int32Array(this.part.length);
    for (let at = 1; at < this.part.length; at++) borders[at] = this.advance(borders, borders[at - 1]!, this.part.charCodeAt(at));
    return borders;
  }

  /** @param found how much of the part's beginning ends here @returns the same, one character later */
  private advance(borders: Int32Array, found: number, code: number): number {
    let length = found;
    while (length > 0 && this.part.charCodeAt(length) !== code) length = borders[length - 1]!;
    return this.part.charCodeAt(length) === code ? length + 1 : length;
  }
}
