import type { CriterionKey } from '@gatehouse/contracts-pam';
import type { Effort } from './effort.ts';
import { isWithin } from './time-window.ts';
import { PathGlob } from './path-glob.ts';
import type { RuleCriteria } from './rule.ts';
import type { SignerSets } from './signer-group.ts';
import type { Subject } from './subject.ts';
import { Substring } from './substring.ts';
import { foldCase, foldPath } from './text.ts';

export type Matcher = (subject: Subject) => boolean;
type Test<T> = (seen: T, effort: Effort) => boolean;

/** What a rule asks of one value, as a function of a subject; null when it does not ask. */
type Compile = (rule: RuleCriteria, groups: SignerSets, negated: boolean) => Matcher | null;

/** One criterion: what an observation shows (null when it lacks the value), and what a rule asks of it. */
interface Criterion<T> {
  readonly seen: (subject: Subject) => T | null;
  readonly test: (rule: RuleCriteria, groups: SignerSets) => Test<T> | null;
}

const criterion = <T>({ seen, test }: Criterion<T>): Compile => (rule, groups, negated) => {
  const compare = test(rule, groups);
  if (!compare) return null;
  return (subject) => {
    const value = seen(subject);
    // Shape rule 4: an absent value never matches, negated or not.
    return value !== null && compare(value, subject.effort) !== negated;
  };
};

const given = <V, T>(value: V | null, test: (value: V) => Test<T>): Test<T> | null => (value === null ? null : test(value));
const equals = (wanted: string | null): Test<string> | null => given(wanted, (text) => { const folded = foldCase(text); return (seen) => seen === folded; });

/** A bare name means any folder; a path means just that one. */
function namesImage(wanted: string): Test<{ path: string; name: string }> {
  const folded = foldPath(wanted);
  return folded.includes('/') ? ({ path }) => path === folded : ({ name }) => name === folded;
}

/** PAM spec, "PAM rule": one line for each key that a rule may ask for or negate. */
const CRITERIA: Readonly<Record<CriterionKey, Compile>> = {
  signer: criterion<string>({ seen: ({ signer }) => signer, test: ({ matchSigner }) => equals(matchSigner) }),
  signerGroup: criterion<string>({
    seen: ({ signer }) => signer,
    test: ({ matchSignerGroupId }, groups) => given(matchSignerGroupId, (id) => {
      const signers = groups.get(id) ?? missingGroup(id);
      return (seen) => signers.has(seen);
    }),
  }),
  hash: criterion<string>({ seen: ({ hash }) => hash, test: ({ matchHash }) => equals(matchHash) }),
  pathGlob: criterion<string>({
    seen: ({ path }) => path,
    test: ({ matchPathGlob }) => given(matchPathGlob, (text) => { const glob = new PathGlob(text); return (seen, effort) => glob.matches(seen, effort); }),
  }),
  parentImage: criterion<{ path: string; name: string }>({
    seen: ({ parentImage: path, parentName: name }) => (path === null || name === null ? null : { path, name }),
    test: ({ matchParentImage }) => given(matchParentImage, namesImage),
  }),
  commandLine: criterion<string>({
    seen: ({ commandLine }) => commandLine,
    test: ({ matchCommandLine }) => given(matchCommandLine, (text) => { const part = new Substring(foldCase(text)); return (seen, effort) => part.isIn(seen, effort); }),
  }),
  user: criterion<string>({ seen: ({ username }) => username, test: ({ matchUser }) => equals(matchUser) }),
  adGroup: criterion<ReadonlySet<string>>({
    seen: ({ adGroups }) => adGroups,
    test: ({ matchAdGroup }) => given(matchAdGroup, (text) => { const group = foldCase(text); return (seen) => seen.has(group); }),
  }),
  toolName: criterion<string>({ seen: ({ toolName }) => toolName, test: ({ matchToolName }) => equals(matchToolName) }),
  riskTier: criterion<number>({ seen: ({ riskTier }) => riskTier, test: ({ matchRiskTier }) => given(matchRiskTier, (tier) => (seen) => seen === tier) }),
};

function missingGroup(id: string): never {
  throw new Error(`the signer group ${id} is not in the rulebook`);
}

/**
 * A rule as one function of a subject: all that it asks must hold. A rule without a criterion matches nothing.
 * @throws Error when the rule names a signer group that is not there
 */
export function compileRule(rule: RuleCriteria, groups: SignerSets): Matcher {
  const negated = new Set(rule.matchNegate);
  const own = (Object.keys(CRITERIA) as CriterionKey[]).flatMap((key) => CRITERIA[key](rule, groups, negated.has(key)) ?? []);
  if (own.length === 0) return () => false;
  const inSite: Matcher[] = rule.siteId === null ? [] : [({ siteId }) => siteId === rule.siteId];
  const inTime: Matcher[] = rule.timeWindow === null ? [] : [({ at }) => isWithin(rule.timeWindow!, at)];
  const all = [...inSite, ...own, ...inTime];
  return (subject) => {
    for (const matches of all) if (!matches(subject)) return false;
    return true;
  };
}

/** One rule against one subject, for a preview. */
export const matches = (rule: RuleCriteria, subject: Subject, groups: SignerSets): boolean => compileRule(rule, groups)(subject);
