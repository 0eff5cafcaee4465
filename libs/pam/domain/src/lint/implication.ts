import { CRITERION_FIELDS, CRITERION_KEYS, type CriterionKey } from '@gatehouse/contracts-pam';
import { baseNameOf, EXACT, foldCase, isAscii } from '@gatehouse/windows-paths';
import type { SignerSets } from '../rules/signer-group.ts';
import { textsOfRule } from '../rules/rule-match.ts';
import type { LintRule } from './finding.ts';

/** Criteria about the same fact of an observation. */
type Family = Exclude<CriterionKey, 'signerGroup'>;

/** What one criterion asks of its fact, before negation. */
interface Predicate {
  readonly key: CriterionKey;
  readonly value: string;
}

interface Term extends Predicate {
  readonly family: Family;
  readonly negated: boolean;
}

/** A rule as the conjunction of its terms. */
export interface Conjunction {
  readonly rule: LintRule;
  readonly terms: readonly Term[];
  /** The families of the terms as bits, to pass over most pairs at once. */
  readonly families: number;
  readonly window: string | null;
  readonly isPlain: boolean;
}

const FAMILIES: readonly CriterionKey[] = CRITERION_KEYS.filter((key) => key !== 'signerGroup');

const familyOf = (key: CriterionKey): Family => (key === 'signerGroup' ? 'signer' : key);

const PATHS: ReadonlySet<CriterionKey> = new Set(['pathGlob', 'parentImage']);

/** What the rule asks by a criterion, as observations are folded. */
function valueOf(rule: LintRule, key: CriterionKey): string | null {
  const asked = rule[CRITERION_FIELDS[key]];
  if (asked === null || asked === '' || key === 'signerGroup') return asked as string | null;
  if (typeof asked === 'number') return String(asked);
  return PATHS.has(key) ? EXACT.path(asked) : foldCase(asked);
}

const windowOf = ({ timeWindow }: LintRule): string | null =>
  timeWindow &&
  JSON.stringify([
    timeWindow.start,
    timeWindow.end,
    [...new Set(timeWindow.days ?? [])].sort(),
    foldCase(timeWindow.timezone ?? 'UTC'),
  ]);

/** @param groups the signer groups, folded as observations are */
export function conjunctionOf(rule: LintRule, groups: SignerSets): Conjunction {
  const terms = CRITERION_KEYS.flatMap((key) => {
    const value = valueOf(rule, key);
    return value === null
      ? []
      : [{ key, value, family: familyOf(key), negated: rule.matchNegate?.includes(key) ?? false }];
  });
  const families = terms.reduce((bits, { family }) => bits | (1 << FAMILIES.indexOf(family)), 0);
  const signers = rule.matchSignerGroupId === null ? [] : [...(groups.get(rule.matchSignerGroupId) ?? [])];
  const isPlain = [...textsOfRule(rule), ...signers].every(isAscii);
  return { rule, terms, families, window: windowOf(rule), isPlain };
}

const WILD = /[*?]/;
const NO_SIGNERS: ReadonlySet<string> = new Set();
const signersOf = (groups: SignerSets, { value }: Predicate): ReadonlySet<string> => groups.get(value) ?? NO_SIGNERS;

const PARTS = '**';

/** The folder of a glob that matches whatever lies below it, with the slash; null for every other glob. */
function folderOf(glob: string): string | null {
  const folder = glob.endsWith(`/${PARTS}`) ? glob.slice(0, -PARTS.length) : null;
  return folder !== null && !WILD.test(folder) ? folder : null;
}

/** The file name of a glob that matches it in every folder; null for every other glob. */
function nameOf(glob: string): string | null {
  const name = glob.startsWith(`${PARTS}/`) ? glob.slice(PARTS.length + 1) : '';
  return name !== '' && !name.includes('/') && !WILD.test(name) ? name : null;
}

/**
 * Only by equality, a folder in front or `**`: whatever else a glob may imply is left aside, so there is no false
 * alarm.
 */
function isGlobWithin(narrow: string, wide: string): boolean {
  if (narrow === wide || wide === PARTS) return true;
  const folder = folderOf(wide);
  if (folder !== null) return narrow.startsWith(folder);
  const name = nameOf(wide);
  return name !== null && narrow.endsWith(`/${name}`);
}

function isSignerWithin(narrow: Predicate, wide: Predicate, groups: SignerSets): boolean {
  if (narrow.key === wide.key && narrow.value === wide.value) return true;
  if (wide.key === 'signer') return false;
  const all = signersOf(groups, wide);
  return narrow.key === 'signer' ? all.has(narrow.value) : [...signersOf(groups, narrow)].every((one) => all.has(one));
}

/** Whether each value that meets one predicate certainly meets the other. */
function implies(narrow: Predicate, wide: Predicate, groups: SignerSets): boolean {
  const [one, other] = [narrow.value, wide.value];
  switch (familyOf(wide.key)) {
    case 'signer':
      return isSignerWithin(narrow, wide, groups);
    case 'pathGlob':
      return isGlobWithin(one, other);
    case 'commandLine':
      return one.includes(other);
    case 'parentImage':
      return one === other || (!other.includes('/') && baseNameOf(one) === other);
    default:
      return one === other;
  }
}

/** The families whose fact has one value, so that asking for one excludes each other. */
const SINGLE: ReadonlySet<Family> = new Set(['hash', 'user', 'toolName', 'riskTier']);

/** Whether no value certainly meets both predicates. */
function excludes(one: Predicate, other: Predicate, groups: SignerSets): boolean {
  if (SINGLE.has(familyOf(one.key))) return one.value !== other.value;
  if (familyOf(one.key) !== 'signer') return false;
  const [some, others] = [one, other].map((each) =>
    each.key === 'signer' ? new Set([each.value]) : signersOf(groups, each),
  );
  return [...some!].every((signer) => !others!.has(signer));
}

function impliesTerm(narrow: Term, wide: Term, groups: SignerSets): boolean {
  if (narrow.family !== wide.family) return false;
  if (narrow.negated) return wide.negated && implies(wide, narrow, groups);
  return wide.negated ? excludes(narrow, wide, groups) : implies(narrow, wide, groups);
}

const outlives = ({ rule: earlier }: Conjunction, { rule: later }: Conjunction): boolean =>
  earlier.expiresAt === null || (later.expiresAt !== null && earlier.expiresAt >= later.expiresAt);

/** A denial also matches forms of an observation that no other verdict looks at. */
const sameForms = (earlier: Conjunction, later: Conjunction): boolean =>
  later.rule.verdict !== 'auto_deny' || (earlier.rule.verdict === 'auto_deny' && earlier.isPlain && later.isPlain);

const asksSamePlace = ({ rule: { siteId }, window }: Conjunction, later: Conjunction): boolean =>
  (siteId === null || siteId === later.rule.siteId) && (window === null || window === later.window);

/** Whether the earlier rule certainly matches whatever the later one matches, as long as the later one can. */
export function covers(earlier: Conjunction, later: Conjunction, groups: SignerSets): boolean {
  return (
    (earlier.families & ~later.families) === 0 &&
    earlier.terms.length > 0 &&
    asksSamePlace(earlier, later) &&
    outlives(earlier, later) &&
    sameForms(earlier, later) &&
    earlier.terms.every((wide) => later.terms.some((narrow) => impliesTerm(narrow, wide, groups)))
  );
}

const EXACT_KEYS: ReadonlySet<CriterionKey> = new Set(['hash', 'signer', 'toolName', 'user', 'adGroup', 'riskTier']);

/**
 * What a term asks, as a text that each rule which implies it has among its {@link featuresOf}; null if there is none.
 */
function anchorOf({ key, value, negated }: Term): string | null {
  if (negated) return null;
  if (EXACT_KEYS.has(key) || key === 'parentImage') return `${key}=${value}`;
  if (key !== 'pathGlob' || value === PARTS) return null;
  const [folder, name] = [folderOf(value), nameOf(value)];
  return folder !== null ? `folder=${folder}` : name !== null ? `name=${name}` : `${key}=${value}`;
}

/** A rule can only cover rules that have all of these features. */
export const anchorsOf = ({ terms }: Conjunction): string[] => terms.flatMap((term) => anchorOf(term) ?? []);

function foldersAbove(glob: string): string[] {
  const wild = glob.search(WILD);
  const literal = wild === -1 ? glob : glob.slice(0, wild);
  return [...literal.matchAll(/\//g)].map(({ index }) => `folder=${literal.slice(0, index + 1)}`);
}

function featuresOfTerm({ key, value, negated }: Term): string[] {
  if (negated) return [];
  const own = `${key}=${value}`;
  if (key === 'parentImage') return [own, `${key}=${baseNameOf(value)}`];
  if (key !== 'pathGlob') return [own];
  return [own, `name=${baseNameOf(value)}`, ...foldersAbove(value)];
}

export const featuresOf = ({ terms }: Conjunction): Set<string> => new Set(terms.flatMap(featuresOfTerm));

/** Rules with the same key ask for the same. */
export const criteriaKeyOf = ({ rule, terms, window }: Conjunction): string =>
  JSON.stringify([rule.siteId, window, terms.map(({ key, value, negated }) => [key, value, negated])]);
