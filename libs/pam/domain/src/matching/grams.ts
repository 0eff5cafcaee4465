import type { Effort } from './effort.ts';

const LENGTH = 3;
/** The most grams tested for one pattern: enough to distinguish most texts. */
const MAX_TESTED = 6;
const MIN_BITS = 8;
const MAX_BITS = 18;
const WORD = 32;
const PRIME = 31;
/**
 * 2^32 divided by the golden ratio, rounded to an odd number: spreads neighbouring values over all bits (Fibonacci
 * hashing).
 */
const SPREAD = 0x9e3779b1;

/** @returns a hash of the three characters at that position; different characters may have the same hash */
const gramAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * PRIME + text.charCodeAt(at + 1)) * PRIME + text.charCodeAt(at + 2);

const countOf = (text: string): number => Math.max(0, text.length - LENGTH + 1);

/** The n-th gram of all texts together. */
function nthGram(texts: readonly string[], n: number): number {
  let before = n;
  for (const text of texts) {
    if (before < countOf(text)) return gramAt(text, before);
    before -= countOf(text);
  }
  throw new RangeError(`there is no part ${n}`);
}

/**
 * Chooses some of the grams (parts of three characters) that every match of a pattern contains.
 * @param literals texts that every match contains
 */
export function gramsOf(literals: readonly string[]): readonly number[] {
  const count = literals.reduce((sum, text) => sum + countOf(text), 0);
  const tested = Math.min(count, MAX_TESTED);
  return Array.from({ length: tested }, (_, at) => nthGram(literals, Math.floor((at * count) / tested)));
}

/**
 * A Bloom filter of a text's grams: looking up a few bits rules out most patterns that do not match, without reading
 * the text. Several grams share a bit, so a hit proves nothing.
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
    const size = Math.min(MAX_BITS, Math.max(MIN_BITS, WORD - Math.clz32(this.text.length * 8)));
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
  /**
   * The last look-up that found the entry, so that it is reported once although a text may contain the same gram
   * thousands of times.
   */
  query: number;
}

/** Steps for looking up one gram of a text. */
const LOOK_UP_STEPS = 3;

/** Indexes the positions of rules by a gram that their text must contain, for rules without a better anchor. */
export class GramIndex {
  private readonly buckets = new Map<number, Bucket>();
  private query = 0;

  /** @param literals texts that every match contains @returns false when they are too short for a gram */
  file(position: number, literals: readonly string[]): boolean {
    const [gram] = [...gramsOf(literals)].sort((one, other) => this.sizeOf(one) - this.sizeOf(other));
    if (gram === undefined) return false;
    const bucket = this.buckets.get(gram) ?? { positions: [], query: 0 };
    this.buckets.set(gram, bucket);
    bucket.positions.push(position);
    return true;
  }

  /** Passes the positions of rules that may match the text to `found`. @throws EffortExceeded */
  lookUp(text: string | null, effort: Effort, found: (positions: readonly number[]) => void): void {
    if (text === null || this.buckets.size === 0) return;
    effort.spend(text.length * LOOK_UP_STEPS);
    const query = ++this.query;
    for (let at = 0; at + LENGTH <= text.length; at++) {
      const bucket = this.buckets.get(gramAt(text, at));
      if (!bucket || bucket.query === query) continue;
      bucket.query = query;
      found(bucket.positions);
    }
  }

  private sizeOf(gram: number): number {
    return this.buckets.get(gram)?.positions.length ?? 0;
  }
}
