import { Choice, Nested, NestedList, PageQuery, Text, TextList, Uuid, Whole } from '@gatehouse/contracts-core';
import {
  DECISION_OUTCOMES,
  type DecisionOutcome,
  DEFAULT_VERDICTS,
  type DefaultVerdict,
  FLOW_TYPES,
  type FlowType,
} from '../vocabulary.ts';
import { CreateRuleDto, UpdateRuleDto } from './pam-rule.dto.ts';

export const RULE_CHANGES = ['add', 'update', 'remove', 'reorder'] as const;
export type RuleChangeKind = (typeof RULE_CHANGES)[number];

export const MAX_RULE_CHANGES = 200;
const REF = { min: 1, max: 64 };
/** Every rule of an organisation, and all that the changes add. */
const MAX_ORDERED = 5000 + MAX_RULE_CHANGES;

/** One change of a rule set: `op` says which of the other members it has. */
export class RuleChangeDto {
  @Choice(RULE_CHANGES, { description: 'What the change does.' }) op!: RuleChangeKind;
  @Text({ ...REF, optional: true, description: 'A name for the added rule within this replay.' }) ref?: string;
  @Nested(() => CreateRuleDto, { optional: true, description: 'The rule to add.' }) rule?: CreateRuleDto;
  @Uuid({ optional: true, description: 'The rule to update or remove.' }) ruleId?: string;
  @Nested(() => UpdateRuleDto, { optional: true, description: 'The fields to change.' }) patch?: UpdateRuleDto;
  @TextList({
    ...REF,
    optional: true,
    maxItems: MAX_ORDERED,
    description: 'All rules in their new order; an added rule by its `ref`.',
  })
  ruleIds?: string[];
}

/** PAM-240. */
export class CreateReplayDto {
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
  @Text({ max: 255, optional: true, nullable: true }) name?: string | null;
  @Whole({ min: 1, max: 90, optional: true }) windowDays: number = 30;
  @Choice(FLOW_TYPES, { optional: true }) flowType?: FlowType;
  @NestedList(() => RuleChangeDto, { optional: true, maxItems: MAX_RULE_CHANGES }) changes: RuleChangeDto[] = [];
  @Choice(DEFAULT_VERDICTS, { optional: true }) defaultUnmatchedVerdict?: DefaultVerdict;
}

export class ReplayChangesQuery extends PageQuery {
  @Choice(DECISION_OUTCOMES, { optional: true, description: 'The outcome under the current rules.' })
  from?: DecisionOutcome;
  @Choice(DECISION_OUTCOMES, { optional: true, description: 'The outcome under the candidate.' }) to?: DecisionOutcome;
  @Uuid({ optional: true }) deviceId?: string;
  @Uuid({ optional: true }) orgId?: string;
}

export class ApplyReplayDto {
  @Whole({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'The number of newly granted requests, as reported by the replay.',
  })
  acceptNewlyApproved!: number;
}
