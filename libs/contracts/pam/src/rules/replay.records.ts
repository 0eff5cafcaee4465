import {
  Choice,
  ChoiceList,
  Flag,
  Instant,
  JobRecord,
  Nested,
  NestedList,
  Text,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import {
  DECISION_OUTCOMES,
  type DecisionOutcome,
  DECISION_SOURCES,
  type DecisionSource,
  ELEVATION_STATUSES,
  type ElevationStatus,
  FINDING_CODES,
  FINDING_SEVERITIES,
  type FindingCode,
  type FindingSeverity,
  FLOW_TYPES,
  type FlowType,
} from '../vocabulary.ts';
import { PaginationDto } from '../requests/elevation-request.dto.ts';
import { PamRuleRecord } from './pam-rule.dto.ts';

export const REPLAY_CAVEATS = [
  'ignored_not_recorded',
  'places_are_current',
  'freezes_left_out',
  'groups_unknown',
  'truncated',
] as const;
export type ReplayCaveat = (typeof REPLAY_CAVEATS)[number];

/** The most rules that `perRule` names: those whose number of requests changes most. */
export const MAX_COUNTED_RULES = 500;
const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };
const REF = { max: 64, nullable: true };

export class TransitionRecord {
  @Choice(DECISION_OUTCOMES) from!: DecisionOutcome;
  @Choice(DECISION_OUTCOMES) to!: DecisionOutcome;
  @Whole(COUNT) count!: number;
}

export class RuleCountRecord {
  @Uuid({ nullable: true, description: 'Null for a rule that the changes add.' }) ruleId!: string | null;
  @Text({ ...REF, description: 'The name of an added rule; null for all others.' }) ref!: string | null;
  @Whole({ ...COUNT, description: 'Requests that it decides under the current rules.' }) before!: number;
  @Whole({ ...COUNT, description: 'Requests that it decides under the candidate.' }) after!: number;
}

export class RuleFindingRecord {
  @Choice(FINDING_CODES) code!: FindingCode;
  @Choice(FINDING_SEVERITIES) severity!: FindingSeverity;
  @Text({ max: 64, description: 'The rule, or the `ref` of an added one.' }) ruleId!: string;
  @Text({ max: 64, nullable: true }) otherRuleId!: string | null;
  @Text({ max: 1000, description: 'The finding, as a sentence.' }) detail!: string;
  @Text({ max: 1000, nullable: true }) suggestion!: string | null;
}

export class ReplaySummaryRecord {
  @Whole(COUNT) totalScanned!: number;
  @Flag({ description: 'Whether the period has more requests than were replayed.' }) truncated!: boolean;
  @Whole({ ...COUNT, description: 'Requests whose outcome or `held` differs.' }) changed!: number;
  @NestedList(() => TransitionRecord, { maxItems: 12 }) transitions!: TransitionRecord[];
  @Whole(COUNT) newlyAutoApproved!: number;
  @Whole(COUNT) newlyDenied!: number;
  @Whole(COUNT) newlyIgnored!: number;
  @Whole(COUNT) newlyPending!: number;
  @Whole({ ...COUNT, description: 'Devices with a changed request.' }) devicesAffected!: number;
  @NestedList(() => RuleCountRecord, { maxItems: MAX_COUNTED_RULES }) perRule!: RuleCountRecord[];
  @NestedList(() => RuleFindingRecord, { maxItems: 1000, description: 'What the linter finds in the candidate.' })
  lint!: RuleFindingRecord[];
  @ChoiceList(REPLAY_CAVEATS, { maxItems: REPLAY_CAVEATS.length, description: 'The limits of this replay.' })
  caveats!: ReplayCaveat[];
}

export class OutcomeRecord {
  @Choice(DECISION_OUTCOMES) outcome!: DecisionOutcome;
  @Choice(DECISION_SOURCES, { nullable: true, description: 'What decided; null while pending.' })
  source!: DecisionSource | null;
  @Uuid({ nullable: true, description: 'Null without a rule, and for a rule that the changes add.' }) ruleId!:
    string | null;
  @Text({ ...REF, description: 'The name of an added rule; null for all others.' }) ref!: string | null;
  @Uuid({ nullable: true }) policyId!: string | null;
  @Text({ max: 50, nullable: true, description: 'Why a grant or ignore was withheld.' }) held!: string | null;
}

export class RecordedDecisionRecord {
  @Choice(ELEVATION_STATUSES) status!: ElevationStatus;
  @Choice(DECISION_SOURCES, { nullable: true, description: 'What decided; null while pending.' })
  source!: DecisionSource | null;
}

/** One request that the candidate would have decided otherwise. */
export class ReplayChangeRecord {
  @Uuid({ description: 'The elevation request.' }) requestId!: string;
  @Instant() requestedAt!: string;
  @Uuid() deviceId!: string;
  @Text({ max: 255 }) deviceHostname!: string;
  @Choice(FLOW_TYPES) flowType!: FlowType;
  @Nested(() => OutcomeRecord) before!: OutcomeRecord;
  @Nested(() => OutcomeRecord) after!: OutcomeRecord;
  @Nested(() => RecordedDecisionRecord, { description: 'What was recorded at the time.' })
  recorded!: RecordedDecisionRecord;
}

export class ReplayRecord extends JobRecord {
  @Text({ max: 255, nullable: true }) name!: string | null;
  @Instant() createdAt!: string;
  @Nested(() => ReplaySummaryRecord, { nullable: true, description: 'Null until the replay is completed.' })
  summary!: ReplaySummaryRecord | null;
}

export class ReplayStartedResponse {
  @Flag() success!: true;
  @Uuid({ description: 'The id of the replay.' }) jobId!: string;
}

export class ReplaysResponse {
  @Flag() success!: true;
  @NestedList(() => ReplayRecord, { maxItems: 50 }) replays!: ReplayRecord[];
}

export class ReplayResponse extends ReplayRecord {
  @Flag() success!: true;
}

export class ReplayChangesResponse {
  @Flag() success!: true;
  @NestedList(() => ReplayChangeRecord, { maxItems: 100 }) changes!: ReplayChangeRecord[];
  @Nested(() => PaginationDto) pagination!: PaginationDto;
}

export class AppliedReplayResponse {
  @Flag() success!: true;
  @NestedList(() => PamRuleRecord, { maxItems: 10_000 }) rules!: PamRuleRecord[];
  @Whole(COUNT) rulebookVersion!: number;
}
