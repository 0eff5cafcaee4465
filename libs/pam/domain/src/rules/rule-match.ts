import type { CriterionKey } from '@gatehouse/contracts-pam';
import { PathGlob } from '../matching/path-glob.ts';
import { type RuleCriteria, TEXT_FIELDS } from './rule.ts';
import type { SignerSets } from './signer-group.ts';
import type { Forms, Subject } from '../matching/subject.ts';
import { Substring } from '../matching/substring.ts';
import { EXACT, type Folding, foldsAlike, WIDE } from '@gatehouse/windows-paths';
import { isWithin } from './time-window.ts';

/** Returns whether the subject matches; throws EffortExceeded. */
export type Matcher = (subject: Subject) => boolean;
type Test<T> = (seen: T, subject: Subject) => boolean;

/** The folding of a rule's texts, and the signer groups folded in the same way. */
interface CompareOptions {
  readonly folding: Folding;
  readonly groups: SignerSets;
}

/** Compiles one criterion of a rule into a matcher; null when the rule does not have the criterion. */
type Compile = (rule: RuleCriteria, sides: CompareOptions, negated: boolean) => Matcher | null;

/** One criterion: reads the value from the observation (null when absent), and compares it with the rule. */
interface Criterion<T> {
  readonly seen: (subject: Subject) => T | null;
  readonly test: (rule: RuleCriteria, sides: CompareOptions) => Test<T> | null;
}

const criterion =
  <T>({ seen, test }: Criterion<T>): Compile =>
  (rule, sides, negated) => {
    const compare = test(rule, sides);
    if (!compare) return null;
    return (subject) => {
      const value = seen(subject);
      // Shape rule 4: a criterion never matches an absent value, even if negated.
      return value !== null && compare(value, subject) !== negated;
    };
  };

const given = <V, T>(value: V | null, test: (value: V) => Test<T>): Test<T> | null =>
  value === null ? null : test(value);

function equals(wanted: string | null, { folding }: CompareOptions): Test<string> | null {
  if (wanted === null) return null;
  const folded = folding.text(wanted);
  return (seen) => seen === folded;
}

function isSignedBy(groupId: string, groups: SignerSets): Test<string> {
  const signers = groups.get(groupId) ?? missingGroup(groupId);
  return (seen) => signers.has(seen);
}

function liesAt(wanted: string, folding: Folding): Test<string> {
  const glob = new PathGlob(wanted, folding);
  return (seen, { effort, pathGrams }) => glob.matches(seen, effort, pathGrams);
}

function contains(wanted: string, folding: Folding): Test<string> {
  const part = new Substring(folding.text(wanted));
  return (seen, { effort, commandGrams }) => part.isIn(seen, effort, commandGrams);
}

function isMember(wanted: string, folding: Folding): Test<ReadonlySet<string>> {
  const group = folding.text(wanted);
  return (seen) => seen.has(group);
}

/** A name without a folder matches in every folder; a path matches only itself. */
function namesImage(wanted: string, folding: Folding): Test<{ path: string; name: string }> {
  const folded = folding.path(wanted);
  return folded.includes('/') ? ({ path }) => path === folded : ({ name }) => name === folded;
}

/** One entry for each criterion that a rule may have or negate (PAM-62). */
const CRITERIA: Readonly<Record<CriterionKey, Compile>> = {
  signer: criterion<string>({
    seen: ({ signer }) => signer,
    test: ({ matchSigner }, sides) => equals(matchSigner, sides),
  }),
  signerGroup: criterion<string>({
    seen: ({ signer }) => signer,
    test: ({ matchSignerGroupId }, { groups }) => given(matchSignerGroupId, (id) => isSignedBy(id, groups)),
  }),
  hash: criterion<string>({ seen: ({ hash }) => hash, test: ({ matchHash }, sides) => equals(matchHash, sides) }),
  pathGlob: criterion<string>({
    seen: ({ path }) => path,
    test: ({ matchPathGlob }, { folding }) => given(matchPathGlob, (text) => liesAt(text, folding)),
  }),
  parentImage: criterion<{ path: string; name: string }>({
    seen: ({ parentImage: path, parentName: name }) => (path === null || name === null ? null : { path, name }),
    test: ({ matchParentImage }, { folding }) => given(matchParentImage, (text) => namesImage(text, folding)),
  }),
  commandLine: criterion<string>({
    seen: ({ commandLine }) => commandLine,
    test: ({ matchCommandLine }, { folding }) => given(matchCommandLine, (text) => contains(text, folding)),
  }),
  user: criterion<string>({
    seen: ({ username }) => username,
    test: ({ matchUser }, sides) => equals(matchUser, sides),
  }),
  adGroup: criterion<ReadonlySet<string>>({
    seen: ({ adGroups }) => adGroups,
    test: ({ matchAdGroup }, { folding }) => given(matchAdGroup, (text) => isMember(text, folding)),
  }),
  toolName: criterion<string>({
    seen: ({ toolName }) => toolName,
    test: ({ matchToolName }, sides) => equals(matchToolName, sides),
  }),
  riskTier: criterion<number>({
    seen: ({ riskTier }) => riskTier,
    test: ({ matchRiskTier }) => given(matchRiskTier, (tier) => (seen) => seen === tier),
  }),
};

function missingGroup(id: string): never {
  throw new Error(`the signer group ${id} is not in the rulebook`);
}

interface NamedMatcher {
  readonly criterion: CriterionKey;
  readonly matches: Matcher;
}

const namedCriteriaOf = (rule: RuleCriteria, sides: CompareOptions): NamedMatcher[] => {
  const negated = new Set(rule.matchNegate);
  return (Object.keys(CRITERIA) as CriterionKey[]).flatMap((criterion) => {
    const matches = CRITERIA[criterion](rule, sides, negated.has(criterion));
    return matches ? [{ criterion, matches }] : [];
  });
};

const criteriaOf = (rule: RuleCriteria, sides: CompareOptions): Matcher[] =>
  namedCriteriaOf(rule, sides).map(({ matches }) => matches);

/** Steps for the local time of a zone; UTC needs only a division. */
const ZONE_STEPS = 256;

const inSite = ({ siteId: wanted }: RuleCriteria): Matcher[] =>
  wanted === null ? [] : [({ siteId }) => siteId === wanted];
const inTime = ({ timeWindow }: RuleCriteria): Matcher[] => {
  if (timeWindow === null) return [];
  const steps = (timeWindow.timezone ?? 'UTC') === 'UTC' ? 1 : ZONE_STEPS;
  return [
    ({ at, effort }) => {
      effort.spend(steps);
      return isWithin(timeWindow, at);
    },
  ];
};

/** Returns whether a rule denies any of these forms of the observation; throws EffortExceeded. */
export type Denial = (forms: Forms) => boolean;

/** A criterion of a rule, or its site or time window, as a test of its own; throws EffortExceeded. */
export interface RuleCheck {
  readonly criterion: CriterionKey | 'site' | 'timeWindow';
  readonly holds: Denial;
}

/** A compiled rule, and its tests one by one in the order of evaluation, of the same compiled criteria. */
interface Checkable<T> {
  readonly test: T;
  readonly checks: () => RuleCheck[];
}

const ofReported =
  (matches: Matcher): Denial =>
  ({ exact }) =>
    matches(exact[0]!);

const checksAround = (rule: RuleCriteria, own: readonly RuleCheck[]): RuleCheck[] => [
  ...inSite(rule).map((matches) => ({ criterion: 'site' as const, holds: ofReported(matches) })),
  ...own,
  ...inTime(rule).map((matches) => ({ criterion: 'timeWindow' as const, holds: ofReported(matches) })),
];

/** As {@link compileRule}. */
export function checkableRule(rule: RuleCriteria, groups: SignerSets): Checkable<Matcher> {
  const named = namedCriteriaOf(rule, { folding: EXACT, groups });
  const checks = (): RuleCheck[] =>
    checksAround(
      rule,
      named.map(({ criterion: key, matches }) => ({ criterion: key, holds: ofReported(matches) })),
    );
  if (named.length === 0) return { test: () => false, checks };
  const all = [...inSite(rule), ...named.map(({ matches }) => matches), ...inTime(rule)];
  const test = (subject: Subject): boolean => {
    for (const matches of all) if (!matches(subject)) return false;
    return true;
  };
  return { test, checks };
}

/**
 * Compiles a rule into one matcher: all criteria must match. A rule without criteria matches nothing.
 * @throws Error when the rule refers to a signer group that does not exist
 */
export const compileRule = (rule: RuleCriteria, groups: SignerSets): Matcher => checkableRule(rule, groups).test;

export const textsOfRule = (rule: RuleCriteria): (string | null)[] => TEXT_FIELDS.map((field) => rule[field]);

/**
 * Compiles a rule that denies: a criterion matches if any form of the value does, so the rule matches at least all that
 * {@link compileRule} matches.
 * @param wideGroups the signer groups, folded widely
 * @throws Error when the rule refers to a signer group that does not exist
 */
export function checkableDenial(rule: RuleCriteria, groups: SignerSets, wideGroups: SignerSets): Checkable<Denial> {
  const exact = namedCriteriaOf(rule, { folding: EXACT, groups });
  const isPlain = textsOfRule(rule).every(foldsAlike) && (rule.matchSignerGroupId === null || wideGroups === groups);
  const wide = isPlain ? exact.map(({ matches }) => matches) : criteriaOf(rule, { folding: WIDE, groups: wideGroups });
  const own = exact.map(({ criterion: key, matches }, at) => ({
    criterion: key,
    holds: (forms: Forms): boolean =>
      forms.exact.some(matches) || ((forms.wide !== forms.exact || !isPlain) && forms.wide.some(wide[at]!)),
  }));
  const checks = checksAround(rule, own);
  return {
    test: exact.length === 0 ? () => false : (forms) => checks.every(({ holds }) => holds(forms)),
    checks: () => checks,
  };
}

/** Matches one rule against one subject, for a preview. */
export const matches = (rule: RuleCriteria, subject: Subject, groups: SignerSets): boolean =>
  compileRule(rule, groups)(subject);
