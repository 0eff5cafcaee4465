import type { DefaultVerdict } from '@gatehouse/contracts-pam';
import type { RuleEditor } from '../matching/accounts.ts';
import type { Former, OrganizationSafeguards } from './precautions.ts';
import type { PartnerRule, Rule, SoftwarePolicy, SoftwareRule } from './rule.ts';
import { RuleIndex } from './rule-index.ts';
import type { SignerGroups } from './signer-group.ts';
import { CompiledPolicy, compilePolicies } from './software-policy.ts';

/** The uncompiled rulebook: everything that decides an organisation's requests, at one version. */
export interface RulebookSource extends OrganizationSafeguards {
  readonly orgId: string;
  readonly version: number;
  readonly defaultVerdict: DefaultVerdict;
  readonly defaultApprovalMinutes: number;
  /** Enabled rules in the order of evaluation: priority, age, id. Shadow and expired rules are among them. */
  readonly rules: readonly Rule[];
  /** Rules of the partner that only tighten a decision, in order. */
  readonly floor: readonly Rule[];
  /** Rules of the partner that are tried after the organisation's own, in order. */
  readonly partnerRules: readonly Rule[];
  /** Rules of the partner that the organisation has left, in order; they decide nothing. */
  readonly optedOut: readonly PartnerRule[];
  readonly signerGroups: SignerGroups;
  /** Enabled policies in the order of evaluation: priority, age, id. */
  readonly policies: readonly SoftwarePolicy[];
}

/** An organisation's compiled rulebook at one version. */
export interface Rulebook extends OrganizationSafeguards {
  readonly orgId: string;
  readonly version: number;
  readonly defaultVerdict: DefaultVerdict;
  readonly defaultApprovalMinutes: number;
  /** Every enabled rule of the organisation in the order of evaluation. */
  readonly ordered: readonly Rule[];
  /** The organisation's rules that decide. */
  readonly rules: RuleIndex;
  readonly policies: readonly CompiledPolicy[];
  /** Rules of the partner that only tighten a decision. */
  readonly floor: RuleIndex;
  /** Rules of the partner that are tried after the organisation's own. */
  readonly partnerRules: RuleIndex;
  /** Rules of the partner that the organisation has left: they decide nothing, and are only explained. */
  readonly optedOut: readonly PartnerRule[];
  readonly optedOutChecks: RuleIndex;
  readonly formerRules: FormerRules;
  readonly formerPolicies: readonly FormerPolicy[];
  /** Null without shadow rules. */
  readonly shadow: ShadowRules | null;
}

/** Former states of rules, and who ended each. */
interface FormerRules {
  readonly index: RuleIndex;
  readonly endedBy: ReadonlyMap<Rule, RuleEditor>;
}
interface FormerPolicy {
  readonly policy: CompiledPolicy;
  readonly endedBy: RuleEditor;
}

/** Rules without effect, and the position of every rule, by which a deciding rule hides the shadow rules behind it. */
export interface ShadowRules {
  readonly rules: RuleIndex;
  readonly positions: ReadonlyMap<string, number>;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The size of a rulebook; `lines` counts the lines of signer groups and policies. */
export interface RulebookSize {
  readonly rules: number;
  readonly lines: number;
  /** Characters in the texts of policies, which are limited only by the size of a request. */
  readonly characters: number;
}

export function sizeOf({
  rules,
  floor,
  partnerRules,
  optedOut,
  signerGroups,
  policies,
  former,
}: RulebookSource): RulebookSize {
  const lines =
    sum([...signerGroups.values()].map(({ length }) => length)) + sum(policies.map((policy) => policy.rules.length));
  const textsOf = ({ name, signer, publisher, pathGlob }: SoftwareRule): number =>
    sum([name, signer, publisher, pathGlob].map((text) => text?.length ?? 0));
  return {
    rules: rules.length + floor.length + partnerRules.length + optedOut.length + former.rules.length,
    lines,
    characters: sum(policies.flatMap((policy) => policy.rules.map(textsOf))),
  };
}

const RULE_STEPS = 2500;
const LINE_STEPS = 250;

/** The cost of loading and compiling a rulebook, in the same steps as matching. */
export const stepsToCompile = ({ rules, lines, characters }: RulebookSize): number =>
  rules * RULE_STEPS + lines * LINE_STEPS + characters;

const isLive = ({ mode }: Rule): boolean => mode === 'live';

function shadowRulesOf({ rules, signerGroups }: RulebookSource): ShadowRules | null {
  const shadow = rules.filter((rule) => !isLive(rule));
  if (shadow.length === 0) return null;
  return {
    rules: new RuleIndex(shadow, signerGroups),
    positions: new Map(rules.map(({ id }, position) => [id, position])),
  };
}

/** So many rules with former signer groups, by the newest states, count: a rulebook must not grow by its changes. */
const MAX_REGROUPED = 1_000;
const isStrict = ({ verdict }: Rule): boolean => verdict === 'auto_deny' || verdict === 'require_approval';

/** Rules that deny or ask, as they were with the former signers of their group. @param groups takes up these states */
function regrouped(source: RulebookSource, groups: Map<string, readonly string[]>): Former<Rule>[] {
  const { former, rules, floor, partnerRules } = source;
  const strict = [...rules, ...floor, ...partnerRules].filter((rule) => isLive(rule) && isStrict(rule));
  return former.groups
    .flatMap(({ state: { id, signers }, endedBy }, at): Former<Rule>[] => {
      const matchSignerGroupId = `${id} ${at}`;
      groups.set(matchSignerGroupId, signers);
      const named = strict.filter((rule) => rule.matchSignerGroupId === id);
      return named.map((rule) => ({ state: { ...rule, matchSignerGroupId }, endedBy }));
    })
    .slice(0, MAX_REGROUPED);
}

/** A former rule whose signer group is gone as well is compared with the last signers of that group. */
function formerRulesOf(source: RulebookSource): FormerRules {
  const { former, signerGroups } = source;
  const last = [...former.groups].reverse().map(({ state: { id, signers } }) => [id, signers] as const);
  const groups = new Map([...last, ...signerGroups]);
  const usable = former.rules.filter(({ state: { matchSignerGroupId: id } }) => id === null || groups.has(id));
  usable.push(...regrouped(source, groups));
  const states = usable.map(({ state }) => state);
  return {
    index: new RuleIndex(states, groups),
    endedBy: new Map(usable.map(({ state, endedBy }) => [state, endedBy])),
  };
}

/** @throws Error for an unusable rulebook, for example when a rule's signer group is missing */
export function compileRulebook(source: RulebookSource): Rulebook {
  const { rules, floor, partnerRules, optedOut, signerGroups, policies, ...rest } = source;
  const indexOf = (list: readonly Rule[]): RuleIndex => new RuleIndex(list.filter(isLive), signerGroups);
  return {
    ...rest,
    ordered: rules,
    rules: indexOf(rules),
    policies: compilePolicies(policies),
    floor: indexOf(floor),
    partnerRules: indexOf(partnerRules),
    optedOut,
    optedOutChecks: indexOf(optedOut),
    formerRules: formerRulesOf(source),
    formerPolicies: rest.former.policies.map(({ state, endedBy }) => ({ policy: new CompiledPolicy(state), endedBy })),
    shadow: shadowRulesOf(source),
  };
}
