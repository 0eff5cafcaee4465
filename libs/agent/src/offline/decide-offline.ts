import {
  baseNameOf,
  EXACT as EXACTLY,
  foldCase,
  foldWidely,
  foldWithin,
  hasInvisible,
  hidesCharacters,
  isBareName,
  isPlainPath,
  plainFormsOf,
  visible,
  visibleCommand,
  WIDE as WIDELY,
} from '@gatehouse/windows-paths';
import type { ConsentPrompt } from '../protocol.ts';
import {
  type Criterion,
  isOpen,
  isUsable,
  type KeptRules,
  type OfflineClaims,
  type OfflinePolicy,
  type OfflineRule,
  type OfflineVerdict,
  SECOND_MS,
  type SoftwareLine,
} from './document.ts';

/** How texts are compared: those of the prompt, those that are searched for a part, and those of a rule. */
interface Folding {
  readonly seen: (text: string) => string;
  readonly searched: (text: string) => string;
  readonly rule: (text: string) => string;
}

const EXACT: Folding = { seen: foldCase, searched: foldCase, rule: EXACTLY.text };
/** For denials: see `foldWidely`. */
const WIDE: Folding = {
  seen: (text) => foldWidely(foldCase(text)),
  searched: (text) => foldWithin(foldCase(text)),
  rule: WIDELY.text,
};

const withSlashes = (path: string): string => path.replaceAll('\\', '/');

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
function matchesGlob(text: string, path: string): boolean {
  const glob = parsed(text);
  let reached = new Set(arrivedAt(0, glob));
  for (const character of path) {
    reached = new Set([...reached].flatMap((at) => following(at, character, glob)));
    if (reached.size === 0) return false;
  }
  return reached.has(glob.characters.length);
}

/** The facts of a prompt, folded; a blank one is absent. */
interface Facts {
  readonly folding: Folding;
  readonly user: string | null;
  readonly path: string | null;
  readonly hash: string | null;
  readonly signer: string | null;
  readonly publisher: string | null;
  readonly parentImage: string | null;
  readonly commandLine: string | null;
  readonly adGroups: readonly string[];
}

type Raw = Omit<Facts, 'folding'>;

const rawOf = (prompt: ConsentPrompt): Raw => ({
  user: prompt.subject_username,
  path: prompt.target_executable_path,
  hash: prompt.target_executable_hash ?? null,
  signer: prompt.target_executable_signer ?? null,
  publisher: prompt.target_executable_publisher ?? null,
  parentImage: prompt.parent_image ?? null,
  commandLine: prompt.command_line ?? null,
  adGroups: prompt.ad_groups ?? [],
});

const isPresent = (text: string | null): text is string => text !== null && text.trim() !== '';

/** Whether the prompt may be another one than it seems. */
const isSuspicious = ({ path, parentImage, user, signer, publisher, commandLine, adGroups }: Raw): boolean =>
  (isPresent(path) && !isPlainPath(path)) ||
  (isPresent(parentImage) && !isPlainPath(parentImage) && !isBareName(parentImage)) ||
  [user, signer, publisher, ...adGroups].some(hasInvisible) ||
  hidesCharacters(commandLine);

/** What the prompt may mean: without characters that hide something, and with the paths that Windows may open. */
function meaningsOf(raw: Raw): Raw[] {
  const { user, path, hash, signer, publisher, parentImage, commandLine, adGroups } = raw;
  const paths = path === null ? [null] : plainFormsOf(path);
  const parents = parentImage === null ? [null] : plainFormsOf(parentImage);
  return Array.from({ length: Math.max(paths.length, parents.length) }, (_, at) => ({
    user: user && visible(user),
    path: paths[at] ?? paths.at(-1) ?? null,
    hash,
    signer: signer && visible(signer),
    publisher: publisher && visible(publisher),
    parentImage: parents[at] ?? parents.at(-1) ?? null,
    commandLine: commandLine && visibleCommand(commandLine),
    adGroups: adGroups.map(visible),
  }));
}

function factsOf(raw: Raw, folding: Folding): Facts {
  const text = (value: string | null): string | null => (isPresent(value) ? folding.seen(value) : null);
  const path = (value: string | null): string | null => {
    const folded = text(value);
    return folded && withSlashes(folded);
  };
  return {
    folding,
    user: text(raw.user),
    path: path(raw.path),
    hash: text(raw.hash),
    signer: text(raw.signer),
    publisher: text(raw.publisher),
    parentImage: path(raw.parentImage),
    commandLine: isPresent(raw.commandLine) ? folding.searched(raw.commandLine) : null,
    adGroups: raw.adGroups.flatMap((group) => text(group) ?? []),
  };
}

function isImage(wanted: string, seen: string): boolean {
  return wanted.includes('/') ? seen === wanted : baseNameOf(seen) === wanted;
}

/** Whether the facts meet the wanted value; null when the fact is absent. */
type Test = (facts: Facts, wanted: string | readonly string[]) => boolean | null;

const given = (seen: string | null, test: (seen: string) => boolean): boolean | null =>
  seen === null ? null : test(seen);
const equals =
  (read: (facts: Facts) => string | null): Test =>
  (facts, wanted) =>
    given(read(facts), (seen) => seen === facts.folding.rule(String(wanted)));
const pathOf = ({ folding }: Facts, wanted: string | readonly string[]): string =>
  withSlashes(folding.rule(String(wanted)));

const TESTS: Readonly<Record<Criterion, Test>> = {
  signer: equals(({ signer }) => signer),
  signers: ({ signer, folding }, wanted) =>
    given(signer, (seen) => [wanted].flat().some((one) => folding.rule(one) === seen)),
  hash: equals(({ hash }) => hash),
  pathGlob: (facts, wanted) => given(facts.path, (seen) => matchesGlob(pathOf(facts, wanted), seen)),
  parentImage: (facts, wanted) => given(facts.parentImage, (seen) => isImage(pathOf(facts, wanted), seen)),
  commandLine: ({ commandLine, folding }, wanted) =>
    given(commandLine, (seen) => seen.includes(folding.rule(String(wanted)))),
  user: equals(({ user }) => user),
  adGroup: ({ adGroups, folding }, wanted) =>
    adGroups.length === 0 ? null : adGroups.includes(folding.rule(String(wanted))),
};

/** Each criterion must be met by one of the forms. */
function meetsRule(
  { where, not = [], timeWindow, expiresAt }: OfflineRule,
  forms: readonly Facts[],
  at: Date,
): boolean {
  const isMet = ([name, wanted]: [string, string | readonly string[]]): boolean => {
    const criterion = name as Criterion;
    const test = TESTS[criterion];
    return forms.some((facts) => {
      const met = test(facts, wanted);
      return met !== null && met !== not.includes(criterion);
    });
  };
  if (expiresAt !== undefined && Date.parse(expiresAt) <= at.getTime()) return false;
  return Object.entries(where).every(isMet) && (timeWindow === undefined || isOpen(timeWindow, at));
}

function meetsLine({ sha256, signer, publisher, pathGlob }: SoftwareLine, facts: Facts): boolean {
  const same = (wanted: string | undefined, seen: string | null): boolean =>
    Boolean(wanted) && seen === facts.folding.rule(wanted ?? '');
  if (same(sha256, facts.hash) || same(signer, facts.signer) || same(publisher, facts.publisher)) return true;
  return Boolean(pathGlob) && facts.path !== null && matchesGlob(pathOf(facts, pathGlob ?? ''), facts.path);
}

const meets = (entry: OfflineRule | OfflinePolicy, forms: readonly Facts[], at: Date): boolean =>
  'software' in entry
    ? forms.some((facts) => entry.software.some((line) => meetsLine(line, facts)))
    : meetsRule(entry, forms, at);

/**
 * What an agent does with a prompt while it is offline: the first rule that matches decides, unless the first of the
 * floor that matches denies. A denial looks at every form of the prompt, all else only at the prompt as it was seen.
 * After any error the answer is to ask.
 * @param at the time by the product's clock
 */
export function decideOffline(claims: OfflineClaims, prompt: ConsentPrompt, at: Date): OfflineVerdict {
  try {
    const raw = rawOf(prompt);
    const reported = [factsOf(raw, EXACT)];
    const meant = isSuspicious(raw) ? [raw, ...meaningsOf(raw)] : [raw];
    const every = meant.flatMap((one) => [factsOf(one, EXACT), factsOf(one, WIDE)]);
    const firstOf = (entries: OfflineClaims['rules']): OfflineVerdict | undefined =>
      entries.find((entry) => meets(entry, entry.verdict === 'deny' ? every : reported, at))?.verdict;
    return firstOf(claims.floor) === 'deny' ? 'deny' : (firstOf(claims.rules) ?? claims.otherwise);
  } catch {
    return 'ask';
  }
}

/** What the agent does with a prompt while it is offline; without usable rules it asks. It never grants. */
export function offlineVerdict(kept: KeptRules | null, prompt: ConsentPrompt, now: number): OfflineVerdict {
  if (kept === null || !isUsable(kept, now)) return 'ask';
  const clockIsAheadBy = kept.expiresAt - kept.claims.exp * SECOND_MS;
  return decideOffline(kept.claims, prompt, new Date(now - clockIsAheadBy));
}
