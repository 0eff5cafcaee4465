import type { DefaultVerdict } from '@gatehouse/contracts-pam';
import type { RulebookSource } from './rule.ts';
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

/** @throws Error for a rulebook that cannot be used, such as one with a rule whose signer group is missing */
export const compileRulebook = ({ rules, signerGroups, policies, ...rest }: RulebookSource): Rulebook => ({
  orgId: rest.orgId,
  version: rest.version,
  defaultVerdict: rest.defaultVerdict,
  defaultApprovalMinutes: rest.defaultApprovalMinutes,
  rules: new RuleIndex(rules, signerGroups),
  policies: compilePolicies(policies),
});
