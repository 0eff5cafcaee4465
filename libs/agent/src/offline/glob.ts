interface Glob {
  /** The characters to match; null for `?`, which matches any but a slash. */
  readonly characters: readonly (string | null)[];
  /** After so many characters there may be more: any but a slash (`*`), or any (`**`). */
  readonly within: ReadonlySet<number>;
  readonly across: ReadonlySet<number>;
  /** Here the next slash may be missing, because the `**` before it may be no folder at all. */
  readonly optionalSlash: ReadonlySet<number>;
}

const SEVERAL_FOLDER_STARS = /(^|\/)(?:\*{2,}\/){2,}/g;

function parsed(glob: string): Glob {
  const characters: (string | null)[] = [];
  const [within, across, optionalSlash] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const beginsFolder = (): boolean => characters.length === 0 || characters.at(-1) === '/';
  for (const run of glob.replace(SEVERAL_FOLDER_STARS, '$1**/').match(/\*+|[^*]/gu) ?? []) {
    if (run.startsWith('*')) (run === '*' ? within : across).add(characters.length);
    else {
      if (run === '/' && across.has(characters.length) && beginsFolder()) optionalSlash.add(characters.length);
      characters.push(run === '?' ? null : run);
    }
  }
  return { characters, within, across, optionalSlash };
}

const arrivedAt = (at: number, { optionalSlash }: Glob): number[] => (optionalSlash.has(at) ? [at, at + 1] : [at]);

function following(at: number, seen: string, glob: Glob): number[] {
  const { characters, within, across } = glob;
  const isSlash = seen === '/';
  const wanted = characters[at];
  const isTaken = wanted === seen || (wanted === null && !isSlash);
  const mayStay = across.has(at) || (within.has(at) && !isSlash);
  return [...(isTaken ? arrivedAt(at + 1, glob) : []), ...(mayStay ? [at] : [])];
}

/**
 * Whether a glob matches a whole path, both folded: `*` and `?` within a folder, `**` across folders. The time is at
 * most the product of both lengths.
 */
export function matchesGlob(text: string, path: string): boolean {
  const glob = parsed(text);
  let reached = new Set(arrivedAt(0, glob));
  for (const character of path) {
    reached = new Set([...reached].flatMap((at) => following(at, character, glob)));
    if (reached.size === 0) return false;
  }
  return reached.has(glob.characters.length);
}
