import { MAX_OFFLINE_RULES_BYTES, type OfflineRuleSet, type OfflineVerdict } from '@gatehouse/contracts-identity';
import { CRITERION_FIELDS, CRITERION_KEYS, type CriterionKey } from '@gatehouse/contracts-pam';
import type { Place } from '../matching/observation.ts';
import type { RulebookSource } from '../rules/rulebook.ts';
import type { Rule, SoftwarePolicy, SoftwareRule, TimeWindow } from '../rules/rule.ts';
import { policiesAt } from '../rules/software-policy.ts';

/** The criteria that a consent prompt can meet; a signer group stands in the document as its signers. */
export type OfflineCriterion =
  'signer' | 'signers' | 'hash' | 'pathGlob' | 'parentImage' | 'commandLine' | 'user' | 'adGroup';

interface OfflineRule {
  readonly ruleId: string;
  readonly verdict: OfflineVerdict;
  /** All of these must match. */
  readonly where: Readonly<Partial<Record<OfflineCriterion, string | readonly string[]>>>;
  /** The criteria of `where` that must not match; a fact that is absent matches neither way. */
  readonly not?: readonly OfflineCriterion[];
  readonly timeWindow?: TimeWindow;
  /** From this instant on it does not match. */
  readonly expiresAt?: string;
}

interface OfflinePolicy {
  readonly policyId: string;
  readonly verdict: OfflineVerdict;
  /** One member of one line must match. */
  readonly software: readonly Omit<SoftwareRule, 'name'>[];
}

export type OfflineEntry = OfflineRule | OfflinePolicy;

/** What agents can compare; a rule with another criterion decides nothing offline. */
const OFFLINE_NAME: Readonly<Partial<Record<CriterionKey, OfflineCriterion>>> = {
  signer: 'signer',
  signerGroup: 'signers',
  hash: 'hash',
  pathGlob: 'pathGlob',
  parentImage: 'parentImage',
  commandLine: 'commandLine',
  user: 'user',
  adGroup: 'adGroup',
};
const ONLINE_ONLY = CRITERION_KEYS.filter((key) => !(key in OFFLINE_NAME));

const withoutNulls = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null && part !== undefined)) as T;

const offlineLine = ({ sha256, signer, publisher, pathGlob }: SoftwareRule): Omit<SoftwareRule, 'name'> =>
  withoutNulls({ sha256, signer, publisher, pathGlob });

/** Policies in audit mode decide nothing. An allowlist grants, so it asks. */
const entriesOfPolicy = ({ id, mode, rules }: SoftwarePolicy): OfflinePolicy[] =>
  mode === 'audit'
    ? []
    : [{ policyId: id, verdict: mode === 'blocklist' ? 'deny' : 'ask', software: rules.map(offlineLine) }];

function criteriaOf(rule: Rule, signers: readonly string[] | null): OfflineRule['where'] {
  const names = Object.entries(OFFLINE_NAME) as [CriterionKey, OfflineCriterion][];
  return withoutNulls(
    Object.fromEntries(
      names.map(([key, name]) => [name, name === 'signers' ? signers : rule[CRITERION_FIELDS[key]]]),
    ) as OfflineRule['where'],
  );
}

/**
 * No prompt has a tool or a risk tier, so a rule that names one cannot match; nor can a rule of another site. A shadow
 * rule decides nothing.
 */
const mayMatch = (rule: Rule, { siteId }: Place): boolean =>
  rule.mode === 'live' &&
  ONLINE_ONLY.every((key) => rule[CRITERION_FIELDS[key]] === null) &&
  (rule.siteId === null || rule.siteId === siteId);

function entriesOfRule(rule: Rule, { signerGroups }: RulebookSource): OfflineRule[] {
  const { matchSignerGroupId: groupId, matchNegate, timeWindow, expiresAt } = rule;
  const where = criteriaOf(rule, groupId === null ? null : (signerGroups.get(groupId) ?? []));
  if (Object.keys(where).length === 0) return [];
  const not = (matchNegate ?? []).flatMap((key) => OFFLINE_NAME[key] ?? []).filter((key) => key in where);
  return [
    {
      ruleId: rule.id,
      verdict: rule.verdict === 'auto_deny' ? 'deny' : 'ask',
      where,
      ...(not.length > 0 && { not }),
      ...(timeWindow && { timeWindow: withoutNulls(timeWindow) }),
      ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    },
  ];
}

/** Counts the bytes that are left for entries. */
class Space {
  constructor(private left: number) {}

  /** The first entries that fit; after one that does not, nothing does. */
  fill(entries: readonly OfflineEntry[]): readonly OfflineEntry[] {
    const end = entries.findIndex((entry) => (this.left -= Buffer.byteLength(JSON.stringify(entry)) + 1) < 0);
    return end === -1 ? entries : entries.slice(0, end);
  }
}

/** Space for the members beside the entries. */
const FRAME_BYTES = 1024;

/** Agents look at the first entry of the floor that matches, and a denial there stands before any question. */
const denialsFirst = (entries: readonly OfflineEntry[]): OfflineEntry[] =>
  [...entries].sort((one, other) => Number(other.verdict === 'deny') - Number(one.verdict === 'deny'));

/** A rulebook with a rule whose signer group is gone cannot be evaluated. */
const isBroken = ({ rules, floor, partnerRules, signerGroups }: RulebookSource): boolean =>
  [rules, floor, partnerRules].flat().some(({ matchSignerGroupId: id }) => id !== null && !signerGroups.has(id));

/**
 * What the agent of a device at this place may decide while it is offline (PAM-97): the policies and rules in the
 * order in which they are tried, and the floor. Grants, ignores and questions stand in it as `ask`, so that a denial
 * behind one of them stays behind it. A rulebook that the product could not evaluate only asks.
 */
export function offlineRulesOf(
  source: RulebookSource,
  place: Place,
  maxBytes = MAX_OFFLINE_RULES_BYTES,
): OfflineRuleSet<OfflineEntry> {
  const broken = isBroken(source);
  const entriesOf = (rules: readonly Rule[]): OfflineEntry[] =>
    (broken ? [] : rules).filter((rule) => mayMatch(rule, place)).flatMap((rule) => entriesOfRule(rule, source));
  const policies = broken ? [] : policiesAt(place, source.policies).flatMap(entriesOfPolicy);
  const [allOfFloor, all] = [
    denialsFirst(entriesOf(source.floor)),
    [...policies, ...entriesOf([...source.rules, ...source.partnerRules])],
  ];
  const space = new Space(maxBytes - FRAME_BYTES);
  const [floor, rules] = [space.fill(allOfFloor), space.fill(all)];
  const complete = !broken && floor.length + rules.length === allOfFloor.length + all.length;
  return {
    orgId: source.orgId,
    siteId: place.siteId,
    rulebookVersion: source.version,
    floor,
    rules,
    otherwise: complete && source.defaultVerdict === 'auto_deny' ? 'deny' : 'ask',
    complete,
  };
}
