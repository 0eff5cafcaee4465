import type { Effort } from './effort.ts';

const LENGTH = 3;
/** Grams that one pattern is tested for: enough to tell most texts apart. */
const MOST_TESTED = 6;
const LEAST_BITS = 8;
const MOST_BITS = 18;
const WORD = 32;
const PRIME = 31;
/** 2^32 divided by the golden ratio, as an odd number: spreads neighbouring values over all bits. */
const SPREAD = 0x9e3779b1;

/** @returns a number for the three characters there; others may have the same one */
const gramAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * PRIME + text.charCodeAt(at + 1)) * PRIME + text.charCodeAt(at + 2);

const countOf = (text: string): number => Math.max(0, text.length - LENGTH + 1);

/** The n-th of the parts of all texts together. */
function nthGram(texts: readonly string[], n: number): number {
  let before = n;
  for (const text of texts) {
    if (before < countOf(text)) return gramAt(text, before);
    before -= countOf(text);
  }
  throw new RangeError(`there is no part ${n}`);
}

/**
 * Some of the three-character parts that each match of a pattern must contain. @param literals texts that it must
 * contain
 */
export function gramsOf(literals: readonly string[]): readonly number[] {
  const count = literals.reduce((sum, text) => sum + countOf(text), 0);
  const tested = Math.min(count, MOST_TESTED);
  return Array.from({ length: tested }, (_, at) => nthGram(literals, Math.floor((at * count) / tested)));
}

/**
 * The three-character parts of a text, as bits: most patterns that do not match are ruled out by looking up a few bits
 * instead of reading the text. A bit may be set by another part, so a hit proves nothing.
 */
export class Grams {
  private bits: Int32Array | null = null;
  private shift = 0;

  constructor(private readonly text: string) {}

  /** @throws EffortExceeded */
  mayHold(grams: readonly number[], effort: Effort): boolean {
    if (grams.length === 0) return true;
    const bits = (this.bits ??= this.read(effort));
    effort.spend(grams.length);
    for (const gram of grams) {
      const bit = Math.imul(gram, SPREAD) >>> this.shift;
      if ((bits[bit >>> 5]! & (1 << (bit % WORD))) === 0) return false;
    }
    return true;
  }

  private read(effort: Effort): Int32Array {
    effort.spend(this.text.length);
    const size = Math.min(MOST_BITS, Math.max(LEAST_BITS, WORD - Math.clz32(this.text.length * 8)));
    this.shift = WORD - size;
    const bits = new Int32Array((1 << size) / WORD);
    for (let at = 0; at + LENGTH <= this.text.length; at++) {
      const bit = Math.imul(gramAt(this.text, at), SPREAD) >>> this.shift;
      bits[bit >>> 5]! |= 1 << (bit % WORD);
    }
    return bits;
  }
}

interface Bucket {
  readonly positions: number[];
  /** The last look-up that found it: a text may hold the same part thousands of times. */
  turn: number;
}

/** Looking up one part of a text. */
const LOOK_UP_STEPS = 3;

/** Positions of rules by a part that their text must hold, for those that have nothing else to be found by. */
export class GramIndex {
  private readonly buckets = new Map<number, Bucket>();
  private turn = 0;

  /** @param literals texts of which each match holds all @returns false when they are too short to be found by */
  file(position: number, literals: readonly string[]): boolean {
    const [gram] = [...gramsOf(literals)].sort((one, other) => this.sizeOf(one) - this.sizeOf(other));
    if (gram === undefined) return false;
    const bucket = this.buckets.get(gram) ?? { positions: [], turn: 0 };
    this.buckets.set(gram, bucket);
    bucket.positions.push(position);
    return true;
  }

  /** Hands over the positions of rules that the text could match. @throws EffortExceeded */
  lookUp(text: string | null, effort: Effort, found: (positions: readonly number[]) => void): void {
    if (text === null || this.buckets.size === 0) return;
    effort.spend(text.length * LOOK_UP_STEPS);
    const turn = ++this.turn;
    for (let at = 0; at + LENGTH <= text.length; at++) {
      const bucket = this.buckets.get(gramAt(text, at));
      if (!bucket || bucket.turn === turn) continue;
      bucket.turn = turn;
      found(bucket.positions);
    }
  }

  private sizeOf(gram: number): number {
    return this.buckets.get(gram)?.positions.length ?? 0;
  }
}
