import type { DefaultVerdict } from '@gatehouse/contracts-pam';
import type { RulebookSource, SoftwareRule } from './rule.ts';
import { RuleIndex } from './rule-index.ts';
import { compilePolicies, type CompiledPolicy } from './software-policy.ts';

/** An organisation's rulebook at one version, ready to decide. */
export interface Rulebook {
  readonly orgId: string;
  readonly version: number;
  readonly defaultVerdict: DefaultVerdict;
  readonly defaultApprovalMinutes: number;
  readonly rules: RuleIndex;
  readonly policies: readonly CompiledPolicy[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** How large a rulebook is: its lines are those of signer groups and policies. */
export interface RulebookSize {
  readonly rules: number;
  readonly lines: number;
  /** Of the texts of policies, which have no other bound than that of a request. */
  readonly characters: number;
}

export function sizeOf({ rules, signerGroups, policies }: RulebookSource): RulebookSize {
  const lines =
    sum([...signerGroups.values()].map(({ length }) => length)) + sum(policies.map((policy) => policy.rules.length));
  const textsOf = ({ name, signer, publisher, pathGlob }: SoftwareRule): number =>
    sum([name, signer, publisher, pathGlob].map((text) => text?.length ?? 0));
  return { rules: rules.length, lines, characters: sum(policies.flatMap((policy) => policy.rules.map(textsOf))) };
}

const RULE_STEPS = 2500;
const LINE_STEPS = 250;

/** What reading a rulebook and making it ready takes, in steps as those of matching. */
export const stepsToCompile = ({ rules, lines, characters }: RulebookSize): number =>
  rules * RULE_STEPS + lines * LINE_STEPS + characters;

/** @throws Error for a rulebook that cannot be used, such as one with a rule whose signer group is missing */
export const compileRulebook = ({ rules, signerGroups, policies, ...rest }: RulebookSource): Rulebook => ({
  orgId: rest.orgId,
  version: rest.version,
  defaultVerdict: rest.defaultVerdict,
  defaultApprovalMinutes: rest.defaultApprovalMinutes,
  rules: new RuleIndex(rules, signerGroups),
  policies: compilePolicies(policies),
});
