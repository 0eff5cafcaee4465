import { Effort } from './effort.ts';
import { Grams, gramsOf } from './grams.ts';
import { EXACT, type Folding } from './text.ts';

const BITS = 32;
/**
 * Making an automaton takes so many steps per character of its glob; they count each time, so that a decision costs the
 * same at first and later.
 */
const SMALL_COMPILE_STEPS = 40;
const WIDE_COMPILE_STEPS = 100;
const SLASH = 0x2f;
const ASCII = 128;
/** A character beyond takes two places of a text. */
const LAST_OF_ONE_PLACE = 0xffff;
const placesTaken = (code: number): number => (code > LAST_OF_ONE_PLACE ? 2 : 1);

interface Token {
  /** The character that it takes, or null for `?`: any but a slash. */
  readonly code: number | null;
}

interface Parsed {
  readonly tokens: readonly Token[];
  /** State i has taken i tokens. In these a `*` lets characters pass that are no slash … */
  readonly withinSegment: ReadonlySet<number>;
  /** … in these a `**` lets any pass … */
  readonly across: ReadonlySet<number>;
  /** … and in these the slash that follows may be left out: `**` between slashes also stands for no folder at all. */
  readonly optionalSlash: ReadonlySet<number>;
}

const beginsSegment = (tokens: readonly Token[]): boolean => tokens.length === 0 || tokens.at(-1)?.code === SLASH;

function parse(glob: string): Parsed {
  const tokens: Token[] = [];
  const withinSegment = new Set<number>();
  const across = new Set<number>();
  const optionalSlash = new Set<number>();
  // Folders any number of which may be left out are no more than one such.
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

/** The states that a glob goes through while it reads a path. */
interface Automaton {
  accepts(path: string): boolean;
}

/** Up to 31 tokens: all states fit into one number. */
class SmallAutomaton implements Automaton {
  private readonly takes = new Int32Array(ASCII);
  private readonly takesOther = new Map<number, number>();
  private readonly stay: number;
  private readonly stayOnSlash: number;
  private readonly skips: number;
  private readonly start: number;
  private readonly end: number;
  private readonly wild: number;

  constructor({ tokens, withinSegment, across, optionalSlash }: Parsed) {
    const bits = (states: Iterable<number>): number => bitsOf(states, 1)[0]! | 0;
    this.wild = bits(placesOf(tokens, null));
    this.stayOnSlash = bits(across);
    this.stay = this.stayOnSlash | bits(withinSegment);
    this.skips = bits(optionalSlash);
    this.start = this.skips & 1 ? 3 : 1;
    this.end = 1 << tokens.length;
    this.takes.fill(this.wild);
    this.takes[SLASH] = 0;
    for (const { code } of tokens) {
      if (code === null) continue;
      const taken = bits(placesOf(tokens, code)) | (code === SLASH ? 0 : this.wild);
      if (code < ASCII) this.takes[code] = taken;
      else this.takesOther.set(code, taken);
    }
  }

  accepts(path: string): boolean {
    let states = this.start;
    for (let at = 0, code = 0; at < path.length && states !== 0; at += placesTaken(code)) {
      code = path.codePointAt(at)!;
      const take = code < ASCII ? this.takes[code]! : (this.takesOther.get(code) ?? this.wild);
      const arrived = (states & take) << 1;
      states = arrived | ((arrived & this.skips) << 1) | (states & (code === SLASH ? this.stayOnSlash : this.stay));
    }
    return (states & this.end) !== 0;
  }
}

/** Any number of tokens: 32 states to a word, with a carry between them. */
class WideAutomaton implements Automaton {
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

  /** @returns whether any state is left */
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

/** What all automata that are kept may take, in numbers of 32 bits. */
const ROOM = 4_000_000;
const SMALL_ROOM = 2 * ASCII;

/** Automata that were made before, of all rulebooks together: each may take a hundred times as much as its glob. */
class KnownAutomata {
  private readonly known = new Map<string, Automaton>();
  private taken = 0;

  of(glob: string): Automaton {
    return this.known.get(glob) ?? this.make(glob);
  }

  private make(glob: string): Automaton {
    const parsed = parse(glob);
    const isSmall = parsed.tokens.length < BITS;
    const automaton = isSmall ? new SmallAutomaton(parsed) : new WideAutomaton(parsed);
    const room = isSmall ? SMALL_ROOM : BITS * glob.length + (glob.length * glob.length) / BITS;
    if (this.taken + room > ROOM) this.forgetAll();
    this.taken += room;
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
  const compiling = length * (length < BITS ? SMALL_COMPILE_STEPS : WIDE_COMPILE_STEPS);
  return compiling + path.length * Math.ceil(length / BITS);
}

/** What follows the last star or question mark, without the slash that begins it: `**` may stand in for that one. */
function fixedEndOf(glob: string): string {
  const end = glob.slice(Math.max(glob.lastIndexOf('*'), glob.lastIndexOf('?')) + 1);
  return end.startsWith('/') ? end.slice(1) : end;
}

/** What each match of a folded glob must contain. A slash after stars may stand for no folder at all. */
export const literalsOf = (glob: string): string[] =>
  glob.split(/[*?]+/).map((text) => (text.startsWith('/') ? text.slice(1) : text));

/** Comparing characters is cheaper than taking one through an automaton. */
const CHARACTERS_PER_STEP = 8;

/**
 * A path glob as an automaton whose states are bits: each character of a path costs a few operations per 32 characters
 * of
 * the glob, however many stars there are. `*` and `?` stay within a segment, `**` does not; case and slashes are
 * folded.
 * What is cheap is tried first: length, fixed beginning and end, and the parts between the wildcards.
 */
export class PathGlob {
  private readonly glob: string;
  private readonly prefix: string;
  private readonly suffix: string;
  private readonly minLength: number;
  private readonly fixedSteps: number;
  /** Made for the first path that needs it: most globs of a rulebook never meet one. */
  private grams: readonly number[] | null = null;

  constructor(glob: string, folding: Folding = EXACT) {
    this.glob = folding.path(glob);
    this.prefix = /^[^*?]*/.exec(this.glob)?.[0] ?? '';
    this.suffix = fixedEndOf(this.glob);
    this.minLength = this.glob.replace(/\*+\/?/g, '').length;
    this.fixedSteps = 1 + Math.ceil((this.prefix.length + this.suffix.length) / CHARACTERS_PER_STEP);
  }

  /**
   * @param path folded as the glob is @param grams those of the path, when it meets several globs @throws
   * EffortExceeded
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
 * The leading folders that every match must lie in, without a slash at the end; empty when the first one is wild
 * already.
 */
export function literalFolderOf(glob: string, folding: Folding = EXACT): string {
  const folded = folding.path(glob);
  const wild = folded.search(WILD);
  const fixed = wild === -1 ? folded : folded.slice(0, wild);
  return fixed.slice(0, Math.max(0, fixed.lastIndexOf('/')));
}

/** The file name that every match must have, or null when it is wild. */
export function literalNameOf(glob: string, folding: Folding = EXACT): string | null {
  const folded = folding.path(glob);
  const name = folded.slice(folded.lastIndexOf('/') + 1);
  return name === '' || WILD.test(name) ? null : name;
}
