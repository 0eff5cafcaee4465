import { Choice, Flag, Instant, Nested, NestedList, Text, Uuid, Whole, WholeInQuery } from '@gatehouse/contracts-core';
import { FINDING_CODES, FINDING_SEVERITIES, type FindingCode, type FindingSeverity } from '../vocabulary.ts';
import { PamRuleRecord } from './pam-rule.dto.ts';

/** PAM-190. */
export class FindingRecord {
  @Choice(FINDING_CODES, { description: 'The finding.' }) code!: FindingCode;
  @Choice(FINDING_SEVERITIES, { description: 'The severity.' }) severity!: FindingSeverity;
  @Uuid({ description: 'The rule that the finding is about.' }) ruleId!: string;
  @Uuid({ nullable: true, description: 'The other rule of the finding; null when there is none.' })
  otherRuleId!: string | null;
  @Text({ max: 500, description: 'The finding, as a sentence.' }) detail!: string;
  @Text({ max: 500, nullable: true, description: 'A suggested fix; null if there is none.' })
  suggestion!: string | null;
}

export class LintResponse {
  @Flag() success!: true;
  @NestedList(() => FindingRecord, { maxItems: 1000, description: 'The most severe first.' })
  findings!: FindingRecord[];
  @Instant({ description: 'The instant that the findings are about.' }) checkedAt!: string;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'The version of the rulebook that was checked.' })
  rulebookVersion!: number;
}

/** A written rule with what the linter says about it. */
export class RuleResponse {
  @Flag() success!: true;
  @Nested(() => PamRuleRecord) rule!: PamRuleRecord;
  @NestedList(() => FindingRecord, { maxItems: 20, description: 'What the linter finds in this rule.' })
  findings!: FindingRecord[];
  @Whole({
    min: 0,
    max: 1_000_000,
    optional: true,
    description: 'Only for a changed partner rule: opt-outs that ended because of the change.',
  })
  endedOptOuts?: number;
}

/** PAM-197. */
export class RuleUsageQuery {
  @Uuid({ optional: true }) orgId?: string;
  @WholeInQuery()
  @Whole({ min: 1, max: 90, optional: true, description: 'Days up to today; default: 30.' })
  windowDays: number = 30;
}

export class RuleUsageRecord {
  @Uuid() ruleId!: string;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'How often the rule decided.' }) matches!: number;
  @Instant({ nullable: true, description: 'The last match within the period; null if there is none.' })
  lastMatchedAt!: string | null;
}

export class RuleUsageResponse {
  @Flag() success!: true;
  @Whole({ min: 1, max: 90 }) windowDays!: number;
  @NestedList(() => RuleUsageRecord, { maxItems: 10_000, description: 'Every rule, in the order of evaluation.' })
  usage!: RuleUsageRecord[];
}
