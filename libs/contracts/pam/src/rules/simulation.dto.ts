import { Choice, Flag, Nested, NestedList, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import {
  FLOW_TYPES,
  type FlowType,
  PROPOSAL_LEVELS,
  type ProposalLevel,
  type Verdict,
  VERDICTS,
} from '../vocabulary.ts';
import { CreateRuleDto } from './pam-rule.dto.ts';
import { ReplayChangeRecord, ReplaySummaryRecord, RuleFindingRecord } from './replay.records.ts';

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };
const MAX_DAYS = 91;

/** PAM-244. */
export class SimulateRuleDto {
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
  @Uuid({ optional: true, nullable: true, description: 'The rule that the draft replaces; absent for a new one.' })
  ruleId?: string | null;
  @Nested(() => CreateRuleDto) rule!: CreateRuleDto;
  @Whole({ min: 1, max: 90, optional: true }) windowDays: number = 30;
  @Choice(FLOW_TYPES, { optional: true }) flowType?: FlowType;
}

export class SimulatedDayRecord {
  @Text({ max: 10, description: 'A day of UTC, as `YYYY-MM-DD`.' }) day!: string;
  @Whole({ ...COUNT, description: 'Requests of that day.' }) scanned!: number;
  @Whole({ ...COUNT, description: 'Those that would be decided differently.' }) changed!: number;
}

/** A rule or policy that decides requests which the draft matches too. */
export class TakenByRecord {
  @Uuid({ nullable: true }) ruleId!: string | null;
  @Uuid({ nullable: true }) policyId!: string | null;
  @Text({ max: 255 }) name!: string;
  @Whole({ ...COUNT, description: 'Requests that match the draft but are decided earlier by this.' }) count!: number;
}

export class SimulatedChangeRecord extends ReplayChangeRecord {
  @Text({ max: 255, nullable: true }) subjectUsername!: string | null;
  @Text({ max: 32_768, nullable: true }) targetExecutablePath!: string | null;
}

export class SimulationResponse {
  @Flag() success!: true;
  @Nested(() => ReplaySummaryRecord) summary!: ReplaySummaryRecord;
  @NestedList(() => SimulatedDayRecord, { maxItems: MAX_DAYS, description: 'Days with requests, oldest first.' })
  perDay!: SimulatedDayRecord[];
  @NestedList(() => TakenByRecord, { maxItems: 50 }) takenBy!: TakenByRecord[];
  @NestedList(() => SimulatedChangeRecord, { maxItems: 10, description: 'The newest requests that change.' })
  sample!: SimulatedChangeRecord[];
}

/** PAM-249. */
export class RuleProposalsQuery {
  @Choice(VERDICTS, { optional: true, description: 'The verdict of the rule; default: the outcome of the request.' })
  verdict?: Verdict;
}

export class RuleProposalRecord {
  @Choice(PROPOSAL_LEVELS, { description: 'How broadly the rule matches.' }) level!: ProposalLevel;
  @Nested(() => CreateRuleDto, { nullable: true, description: 'The draft of a rule; null when none is proposed.' })
  rule!: CreateRuleDto | null;
  @Text({ max: 500, nullable: true, description: 'What the rule requires; null without a rule.' }) why!: string | null;
  @Text({ max: 500, nullable: true, description: 'Why no rule is proposed; null when one is.' })
  whyNot!: string | null;
  @Whole({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'How many requests of the last 30 days the rule would have matched.',
  })
  matched30d!: number;
  @NestedList(() => RuleFindingRecord, {
    maxItems: 20,
    description: 'What the linter finds in the draft, which is named by its level.',
  })
  findings!: RuleFindingRecord[];
}

export class RuleProposalsResponse {
  @Flag() success!: true;
  @NestedList(() => RuleProposalRecord, { maxItems: 3, description: 'The narrowest first.' })
  proposals!: RuleProposalRecord[];
}
