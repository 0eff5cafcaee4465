import type { DefaultVerdict } from '@gatehouse/contracts-pam';
import type { RulebookSource, SoftwareRule } from './rule.ts';
import { RuleIndex } from './rule-index.ts';
import { compilePolicies, type CompiledPolicy } from './software-policy.ts';

/** An organisation's compiled rulebook at one version. */
export interface Rulebook {
  readonly orgId: string;
  readonly version: number;
  readonly defaultVerdict: DefaultVerdict;
  readonly defaultApprovalMinutes: number;
  readonly rules: RuleIndex;
  readonly policies: readonly CompiledPolicy[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The size of a rulebook; `lines` counts the lines of signer groups and policies. */
export interface RulebookSize {
  readonly rules: number;
  readonly lines: number;
  /** Characters in the texts of policies, which are limited only by the size of a request. */
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

/** The cost of loading and compiling a rulebook, in the same steps as matching. */
export const stepsToCompile = ({ rules, lines, characters }: RulebookSize): number =>
  rules * RULE_STEPS + lines * LINE_STEPS + characters;

/** @throws Error for an unusable rulebook, for example when a rule's signer group is missing */
export const compileRulebook = ({ rules, signerGroups, policies, ...rest }: RulebookSource): Rulebook => ({
  orgId: rest.orgId,
  version: rest.version,
  defaultVerdict: rest.defaultVerdict,
  defaultApprovalMinutes: rest.defaultApprovalMinutes,
  rules: new RuleIndex(rules, signerGroups),
  policies: compilePolicies(policies),
});
