import { createHash } from 'node:crypto';

/** A reproducible random generator: the same seed gives the same choices. */
export class Dice {
  private state: number;

  constructor(readonly seed: string) {
    this.state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  }

  /** From 0 up to 1, without 1 (mulberry32). */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  one<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('nothing to choose from');
    return choices[this.below(choices.length)] as T;
  }

  /** A random subset with at least `least` choices; each choice is equally likely. */
  several<T>(choices: readonly T[], least = 0): T[] {
    const mixed = this.shuffled(choices);
    return mixed.slice(0, least + this.below(mixed.length - least + 1));
  }

  shuffled<T>(choices: readonly T[]): T[] {
    return choices
      .map((choice) => ({ choice, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ choice }) => choice);
  }

  /** A random subset of an object's members. */
  members(of: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(this.several(Object.entries(of), 1));
  }

  word(prefix: string): string {
    return `${prefix}-${this.below(2 ** 32).toString(36)}`;
  }
}
