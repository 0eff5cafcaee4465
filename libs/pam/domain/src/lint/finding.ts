import type { FindingCode, FindingSeverity } from '@gatehouse/contracts-pam';
import { hasExpired, type Rule } from '../rules/rule.ts';
import type { SignerGroups } from '../rules/signer-group.ts';
import type { ToolCatalog } from '../tools/risk-tier.ts';

/** A rule with what the linter looks at besides its criteria. */
export interface LintRule extends Rule {
  readonly enabled: boolean;
  readonly createdAt: Date;
}

/** How rules were used. */
export interface RuleUse {
  /** By rule; a rule without an entry never matched. */
  readonly lastMatchedAt: ReadonlyMap<string, Date>;
  /** The rules that granted to one of their own editors within 30 days. */
  readonly selfServing: ReadonlySet<string>;
}

export const NO_USE: RuleUse = { lastMatchedAt: new Map(), selfServing: new Set() };

/** All that the linter looks at. */
export interface LintSource {
  /** Every rule of the organisation, whatever its state, in the order of evaluation: priority, age, id. */
  readonly rules: readonly LintRule[];
  readonly signerGroups: SignerGroups;
  /** The organisation's sites. */
  readonly siteIds: ReadonlySet<string>;
  readonly catalog: ToolCatalog;
  readonly use: RuleUse;
  readonly at: Date;
}

export interface Finding {
  readonly code: FindingCode;
  readonly severity: FindingSeverity;
  readonly ruleId: string;
  readonly otherRuleId: string | null;
  /** A sentence for people. */
  readonly detail: string;
  readonly suggestion: string | null;
}

const SEVERITY_OF: Readonly<Record<FindingCode, FindingSeverity>> = {
  unreachable: 'error',
  shadowed: 'error',
  user_writable_path: 'error',
  name_only_signer: 'error',
  duplicate: 'warning',
  interpreter: 'warning',
  broad: 'warning',
  self_serving: 'warning',
  expiring: 'warning',
  unused: 'info',
  expired: 'info',
};

/** A finding about one rule, without the members that follow from its code. */
export interface Found {
  readonly code: FindingCode;
  readonly detail: string;
  readonly suggestion?: string;
  readonly otherRuleId?: string;
}

export const findingOf = ({ id }: Pick<LintRule, 'id'>, { code, detail, suggestion, otherRuleId }: Found): Finding => ({
  code,
  severity: SEVERITY_OF[code],
  ruleId: id,
  otherRuleId: otherRuleId ?? null,
  detail,
  suggestion: suggestion ?? null,
});

/** Whether the rule takes part in decisions. */
export const isLive = (rule: LintRule, at: Date): boolean =>
  rule.enabled && rule.mode === 'live' && !hasExpired(rule, at);
