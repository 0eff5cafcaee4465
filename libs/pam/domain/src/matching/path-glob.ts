import { Effort } from './effort.ts';
import { Grams, gramsOf } from './grams.ts';
import { EXACT, type Folding } from '@gatehouse/windows-paths';

const BITS = 32;
/**
 * Steps per character of a glob for building its automaton. They are charged even if the automaton is cached, so that a
 * decision always costs the same.
 */
const COMPILE_STEPS = 100;
const SLASH = 0x2f;
/** Characters beyond this code point take two UTF-16 code units. */
const LAST_OF_ONE_PLACE = 0xffff;
const placesTaken = (code: number): number => (code > LAST_OF_ONE_PLACE ? 2 : 1);

interface Token {
  /** The character that the token matches, or null for `?`, which matches any but a slash. */
  readonly code: number | null;
}

interface Parsed {
  readonly tokens: readonly Token[];
  /** State i has matched i tokens. In these states a `*` accepts any character except a slash. */
  readonly withinSegment: ReadonlySet<number>;
  /** In these states a `**` accepts any character. */
  readonly across: ReadonlySet<number>;
  /** In these states the next slash is optional: `**` between slashes also matches no folder at all. */
  readonly optionalSlash: ReadonlySet<number>;
}

const beginsSegment = (tokens: readonly Token[]): boolean => tokens.length === 0 || tokens.at(-1)?.code === SLASH;

function parse(glob: string): Parsed {
  const tokens: Token[] = [];
  const withinSegment = new Set<number>();
  const across = new Set<number>();
  const optionalSlash = new Set<number>();
  // Consecutive `**` folders are equivalent to one.
  const simplest = glob.replace(/(^|\/)(?:\*{2,}\/){2,}/g, '$1**/');
  for (const run of simplest.match(/\*+|[^*]/gu) ?? []) {
    if (run.startsWith('*')) (run === '*' ? withinSegment : across).add(tokens.length);
    else {
      if (run === '/' && across.has(tokens.length) && beginsSegment(tokens)) optionalSlash.add(tokens.length);
      tokens.push({ code: run === '?' ? null : run.codePointAt(0)! });
    }
  }
  return { tokens, withinSegment, across, optionalSlash };
}

const bitsOf = (states: Iterable<number>, words: number): Int32Array => {
  const bits = new Int32Array(words);
  for (const state of states) bits[state >> 5]! |= 1 << (state % BITS);
  return bits;
};

const placesOf = (tokens: readonly Token[], code: number | null): number[] =>
  tokens.flatMap((token, at) => (token.code === code ? [at] : []));

/**
 * A glob as a finite automaton that reads a path character by character: 32 states to a word, with a carry between
 * words.
 */
class Automaton {
  private readonly words: number;
  private readonly last: number;
  private readonly takes = new Map<number, Int32Array>();
  private readonly takesAny: Int32Array;
  private readonly nothing: Int32Array;
  private readonly stayOnSlash: Int32Array;
  private readonly stay: Int32Array;
  private readonly skips: Int32Array;

  constructor({ tokens, withinSegment, across, optionalSlash }: Parsed) {
    this.words = Math.ceil((tokens.length + 1) / BITS);
    this.last = tokens.length;
    this.takesAny = bitsOf(placesOf(tokens, null), this.words);
    this.nothing = new Int32Array(this.words);
    this.stayOnSlash = bitsOf(across, this.words);
    this.stay = bitsOf([...across, ...withinSegment], this.words);
    this.skips = bitsOf(optionalSlash, this.words);
    for (const [at, { code }] of tokens.entries()) {
      if (code === null) continue;
      const taken = this.takes.get(code) ?? (code === SLASH ? new Int32Array(this.words) : this.takesAny.slice());
      taken[at >> 5]! |= 1 << (at % BITS);
      this.takes.set(code, taken);
    }
  }

  accepts(path: string): boolean {
    let states = bitsOf(this.skips[0]! & 1 ? [0, 1] : [0], this.words);
    let next: Int32Array = new Int32Array(this.words);
    for (let at = 0, code = 0; at < path.length; at += placesTaken(code)) {
      code = path.codePointAt(at)!;
      if (!this.step(states, next, code)) return false;
      [states, next] = [next, states];
    }
    return ((states[this.last >> 5]! >>> (this.last % BITS)) & 1) === 1;
  }

  /** @returns whether any state is active */
  private step(states: Int32Array, next: Int32Array, code: number): boolean {
    const take = this.takes.get(code) ?? (code === SLASH ? this.nothing : this.takesAny);
    const stay = code === SLASH ? this.stayOnSlash : this.stay;
    const { words, skips } = this;
    let carry = 0;
    let skipCarry = 0;
    let alive = 0;
    for (let word = 0; word < words; word++) {
      const from = states[word]!;
      const moved = from & take[word]!;
      const arrived = (moved << 1) | carry;
      const skipped = arrived & skips[word]!;
      const now = arrived | (skipped << 1) | skipCarry | (from & stay[word]!);
      carry = moved >>> 31;
      skipCarry = skipped >>> 31;
      next[word] = now;
      alive |= now;
    }
    return alive !== 0;
  }
}

/** Size limit of the cache, in 32-bit words. */
const MAX_WORDS = 4_000_000;

/** Cache of automata, shared by all rulebooks: an automaton may take a hundred times the memory of its glob. */
class KnownAutomata {
  private readonly known = new Map<string, Automaton>();
  private taken = 0;

  of(glob: string): Automaton {
    return this.known.get(glob) ?? this.make(glob);
  }

  private make(glob: string): Automaton {
    const automaton = new Automaton(parse(glob));
    const size = BITS * glob.length + (glob.length * glob.length) / BITS;
    if (this.taken + size > MAX_WORDS) this.forgetAll();
    this.taken += size;
    this.known.set(glob, automaton);
    return automaton;
  }

  private forgetAll(): void {
    this.known.clear();
    this.taken = 0;
  }
}

const automata = new KnownAutomata();

function stepsOf({ length }: string, path: string): number {
  return length * COMPILE_STEPS + path.length * Math.ceil(length / BITS);
}

/** The literal text after the last wildcard, without a leading slash, since `**` may match without that slash. */
function fixedEndOf(glob: string): string {
  const end = glob.slice(Math.max(glob.lastIndexOf('*'), glob.lastIndexOf('?')) + 1);
  return end.startsWith('/') ? end.slice(1) : end;
}

/**
 * The texts that every match of a folded glob contains. A slash after stars is left out, because `**` also matches no
 * folder.
 */
export const literalsOf = (glob: string): string[] =>
  glob.split(/[*?]+/).map((text) => (text.startsWith('/') ? text.slice(1) : text));

/** One step pays for comparing this many characters; a character in an automaton costs more. */
const CHARACTERS_PER_STEP = 8;

/**
 * A path glob as an automaton whose states are bits: each character of a path costs a few operations per 32 characters
 * of the glob, however many stars there are. `*` and `?` match within a segment, `**` across segments; case and slashes
 * are folded.
 * Cheap checks come first: length, fixed beginning and end, and the texts between the wildcards.
 */
export class PathGlob {
  private readonly glob: string;
  private readonly prefix: string;
  private readonly suffix: string;
  private readonly minLength: number;
  private readonly fixedSteps: number;
  /** Built for the first path that needs it; most globs of a rulebook never do. */
  private grams: readonly number[] | null = null;

  constructor(glob: string, folding: Folding = EXACT) {
    this.glob = folding.path(glob);
    this.prefix = /^[^*?]*/.exec(this.glob)?.[0] ?? '';
    this.suffix = fixedEndOf(this.glob);
    this.minLength = this.glob.replace(/\*+\/?/g, '').length;
    this.fixedSteps = 1 + Math.ceil((this.prefix.length + this.suffix.length) / CHARACTERS_PER_STEP);
  }

  /**
   * @param path folded like the glob
   * @param grams the path's grams, for a path that is compared with several globs
   * @throws EffortExceeded
   */
  matches(path: string, effort = new Effort(), grams = new Grams(path)): boolean {
    effort.spend(this.fixedSteps);
    if (path.length < this.minLength || !path.startsWith(this.prefix) || !path.endsWith(this.suffix)) return false;
    this.grams ??= gramsOf(literalsOf(this.glob));
    if (!grams.mayHold(this.grams, effort)) return false;
    effort.spend(stepsOf(this.glob, path));
    return automata.of(this.glob).accepts(path);
  }
}

const WILD = /[*?]/;

/**
 * The leading folders that contain every match, without a slash at the end; empty when the first folder has a wildcard.
 */
export function literalFolderOf(glob: string, folding: Folding = EXACT): string {
  const folded = folding.path(glob);
  const wild = folded.search(WILD);
  const fixed = wild === -1 ? folded : folded.slice(0, wild);
  return fixed.slice(0, Math.max(0, fixed.lastIndexOf('/')));
}

/** The file name of every match, or null when it has a wildcard. */
export function literalNameOf(glob: string, folding: Folding = EXACT): string | null {
  const folded = folding.path(glob);
  const name = folded.slice(folded.lastIndexOf('/') + 1);
  return name === '' || WILD.test(name) ? null : name;
}
