import type { CriterionKey } from '@gatehouse/contracts-pam';
import { PathGlob } from './path-glob.ts';
import type { RuleCriteria } from './rule.ts';
import type { SignerSets } from './signer-group.ts';
import type { Forms, Subject } from './subject.ts';
import { Substring } from './substring.ts';
import { EXACT, type Folding, isAscii, WIDE } from './text.ts';
import { isWithin } from './time-window.ts';

/** Whether a subject is matched; throws EffortExceeded. */
export type Matcher = (subject: Subject) => boolean;
type Test<T> = (seen: T, subject: Subject) => boolean;

/** What makes the texts of a rule comparable, and its signers, folded in the same way. */
interface Sides {
  readonly folding: Folding;
  readonly groups: SignerSets;
}

/** What a rule asks of one value, as a function of a subject; null when it does not ask. */
type Compile = (rule: RuleCriteria, sides: Sides, negated: boolean) => Matcher | null;

/** One criterion: what an observation shows (null when it lacks the value), and what a rule asks of it. */
interface Criterion<T> {
  readonly seen: (subject: Subject) => T | null;
  readonly test: (rule: RuleCriteria, sides: Sides) => Test<T> | null;
}

const criterion =
  <T>({ seen, test }: Criterion<T>): Compile =>
  (rule, sides, negated) => {
    const compare = test(rule, sides);
    if (!compare) return null;
    return (subject) => {
      const value = seen(subject);
      // Shape rule 4: an absent value never matches, negated or not.
      return value !== null && compare(value, subject) !== negated;
    };
  };

const given = <V, T>(value: V | null, test: (value: V) => Test<T>): Test<T> | null =>
  value === null ? null : test(value);

function equals(wanted: string | null, { folding }: Sides): Test<string> | null {
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

/** A bare name means any folder; a path means just that one. */
function namesImage(wanted: string, folding: Folding): Test<{ path: string; name: string }> {
  const folded = folding.path(wanted);
  return folded.includes('/') ? ({ path }) => path === folded : ({ name }) => name === folded;
}

/** PAM-62: one line for each key that a rule may ask for or negate. */
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

const criteriaOf = (rule: RuleCriteria, sides: Sides): Matcher[] => {
  const negated = new Set(rule.matchNegate);
  return (Object.keys(CRITERIA) as CriterionKey[]).flatMap((key) => CRITERIA[key](rule, sides, negated.has(key)) ?? []);
};

/** Reading the clock of a zone; that of UTC is a division. */
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

/**
 * A rule as one function of a subject: all that it asks must hold. A rule without a criterion matches nothing.
 * @throws Error when the rule names a signer group that is not there
 */
export function compileRule(rule: RuleCriteria, groups: SignerSets): Matcher {
  const own = criteriaOf(rule, { folding: EXACT, groups });
  if (own.length === 0) return () => false;
  const all = [...inSite(rule), ...own, ...inTime(rule)];
  return (subject) => {
    for (const matches of all) if (!matches(subject)) return false;
    return true;
  };
}

/** Whether a rule denies what is seen in any of these forms; throws EffortExceeded. */
export type Denial = (forms: Forms) => boolean;

export const textsOfRule = (rule: RuleCriteria): (string | null)[] => [
  rule.matchSigner,
  rule.matchPathGlob,
  rule.matchParentImage,
  rule.matchCommandLine,
  rule.matchUser,
  rule.matchAdGroup,
  rule.matchToolName,
];

/**
 * The same for a rule that denies: each criterion holds when it holds for any form, so that such a rule matches more
 * than
 * {@link compileRule} and never less.
 * @param wideGroups the signer groups, folded widely
 * @throws Error when the rule names a signer group that is not there
 */
export function compileDenial(rule: RuleCriteria, groups: SignerSets, wideGroups: SignerSets): Denial {
  const exact = criteriaOf(rule, { folding: EXACT, groups });
  if (exact.length === 0) return () => false;
  const isPlain = textsOfRule(rule).every(isAscii) && (rule.matchSignerGroupId === null || wideGroups === groups);
  const wide = isPlain ? exact : criteriaOf(rule, { folding: WIDE, groups: wideGroups });
  const [here, now] = [inSite(rule), inTime(rule)];
  return (forms) => {
    const reported = forms.exact[0]!;
    const inWide = forms.wide === forms.exact && isPlain ? [] : forms.wide;
    const holds = (_: Matcher, at: number): boolean => forms.exact.some(exact[at]!) || inWide.some(wide[at]!);
    return (
      here.every((matches) => matches(reported)) && exact.every(holds) && now.every((matches) => matches(reported))
    );
  };
}

/** One rule against one subject, for a preview. */
export const matches = (rule: RuleCriteria, subject: Subject, groups: SignerSets): boolean =>
  compileRule(rule, groups)(subject);
