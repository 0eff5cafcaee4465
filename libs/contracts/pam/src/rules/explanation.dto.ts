import {
  Choice,
  Flag,
  Instant,
  JsonObject,
  Nested,
  NestedList,
  Text,
  TextList,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import {
  CRITERION_KEYS,
  type CriterionKey,
  DECISION_OUTCOMES,
  DECISION_SOURCES,
  type DecisionOutcome,
  type DecisionSource,
  DEFAULT_VERDICTS,
  type DefaultVerdict,
  FLOW_TYPES,
  type FlowType,
  FREEZE_LEVELS,
  FREEZE_MODES,
  type FreezeLevel,
  type FreezeMode,
  HIERARCHY_LEVELS,
  type HierarchyLevel,
  MAX_AD_GROUPS,
  MAX_PATH,
  MAX_REASON,
  MAX_REPORTED_NAME,
  MAX_TICKET,
  POLICY_MODES,
  type PolicyMode,
  RULE_ORIGINS,
  type Verdict,
  VERDICTS,
} from '../vocabulary.ts';
import { ShadowHitRecord } from '../requests/elevation-request.record.ts';

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };
const ABSENT = { optional: true, nullable: true };
const NAME = { max: 255 };

export const EXPLAINED_CRITERIA = [...CRITERION_KEYS, 'site', 'timeWindow', 'expiry', 'optOut'] as const;
export const FAILURE_REASONS = ['differs', 'absent', 'negated', 'outside'] as const;
export const EXPLANATION_NOTES = [
  'places_are_current',
  'groups_unknown',
  'recorded_differs',
  'rulebook_unusable',
  'effort_exceeded',
  'evaluator_error',
] as const;
export type ExplanationNoteCode = (typeof EXPLANATION_NOTES)[number];
/** The most characters of an observed value that an explanation shows. */
export const MAX_SEEN = 200;

/** What might be observed of a request of its `flowType`, to ask what would be decided about it. */
export class ExplainDecisionDto {
  @Uuid() deviceId!: string;
  @Choice(FLOW_TYPES) flowType!: FlowType;
  @Text({ max: MAX_REPORTED_NAME, ...ABSENT }) subjectUsername?: string | null;
  @Text({ max: MAX_PATH, ...ABSENT }) targetExecutablePath?: string | null;
  @Text({
    ...ABSENT,
    max: 64,
    pattern: /^[0-9a-fA-F]{64}$/,
    patternHint: 'must be a SHA-256 in 64 hexadecimal digits',
    description: 'The SHA-256 of the program.',
  })
  targetExecutableHash?: string | null;
  @Text({ max: MAX_REPORTED_NAME, ...ABSENT }) targetExecutableSigner?: string | null;
  @Text({ max: MAX_REPORTED_NAME, ...ABSENT, description: 'Not evaluated by rules.' })
  targetExecutableSignerThumbprint?: string | null;
  @Text({ max: MAX_REPORTED_NAME, ...ABSENT }) targetExecutablePublisher?: string | null;
  @Text({ max: MAX_PATH, ...ABSENT }) parentImage?: string | null;
  @Text({ max: MAX_PATH, ...ABSENT }) commandLine?: string | null;
  @TextList({ max: 255, maxItems: MAX_AD_GROUPS, ...ABSENT, description: 'The directory groups of the user.' })
  adGroups?: string[] | null;
  @Text({ max: MAX_REASON, ...ABSENT }) reason?: string | null;
  @Text({ max: MAX_TICKET, ...ABSENT }) ticket?: string | null;
  @Text({ ...NAME, ...ABSENT, min: 1, description: 'The catalogue gives the risk tier.' }) toolName?: string | null;
  @Text({ ...NAME, ...ABSENT, min: 1 }) action?: string | null;
  @JsonObject({ optional: true, description: 'Not evaluated by rules.' }) input?: Record<string, unknown>;
  @Instant({ optional: true, description: 'At most 366 days from now; default: now.' }) at?: string;
}

export class ExplainedPolicyRecord {
  @Uuid() id!: string;
  @Text(NAME) name!: string;
  @Choice(POLICY_MODES) mode!: PolicyMode;
  @Choice(HIERARCHY_LEVELS) level!: HierarchyLevel;
  @Flag({ description: 'Whether it applies to the device.' }) covers!: boolean;
  @Flag({ description: 'One of its lines matches.' }) matched!: boolean;
  @Flag({ description: 'Whether it decided.' }) decided!: boolean;
}

/** A rule at its place in the effective order. */
export class PlacedRuleRecord {
  @Uuid() ruleId!: string;
  @Text(NAME) name!: string;
  @Choice(RULE_ORIGINS, { description: 'Whose rule it is, and whether it is tried before or after the others.' })
  origin!: (typeof RULE_ORIGINS)[number];
  @Whole({ min: 1, max: COUNT.max, description: 'Its place in the effective order, from 1.' }) position!: number;
  @Choice(VERDICTS) verdict!: Verdict;
}

export class EditorRecord {
  @Uuid() userId!: string;
  @Text(NAME) name!: string;
}

export class MatchedRuleRecord extends PlacedRuleRecord {
  @NestedList(() => EditorRecord, {
    maxItems: 1000,
    description: 'Its author, and who changed it or its signer group during the 30 days before.',
  })
  editors!: EditorRecord[];
}

export class FailedCriterionRecord {
  @Choice(EXPLAINED_CRITERIA, { description: 'The criterion.' }) criterion!:
    CriterionKey | 'site' | 'timeWindow' | 'expiry' | 'optOut';
  @Text({ max: 4000, description: 'The expected value.' }) asked!: string;
  @Text({ max: MAX_SEEN, nullable: true, description: 'The observed value, at most 200 characters.' })
  seen!: string | null;
  @Whole({ ...COUNT, nullable: true, description: 'Its full length; null when nothing was observed.' })
  seenLength!: number | null;
  @Choice(FAILURE_REASONS) reason!: (typeof FAILURE_REASONS)[number];
}

export class NearMissRecord extends PlacedRuleRecord {
  @Whole({ ...COUNT, description: 'How many criteria matched.' }) met!: number;
  @Whole({ ...COUNT, description: 'How many criteria it has.' }) of!: number;
  @Nested(() => FailedCriterionRecord, { description: 'The first criterion that did not match.' })
  failed!: FailedCriterionRecord;
}

export class DefaultVerdictRecord {
  @Choice(DEFAULT_VERDICTS) verdict!: DefaultVerdict;
  @Flag({ description: 'No policy and no rule decided.' }) used!: boolean;
}

export class ExplainedDemandRecord {
  @Whole({ min: 1, max: 5 }) approvals!: number;
  @Whole({ ...COUNT, description: 'How long it waits.' }) pendingMinutes!: number;
  @Text({ max: 255, nullable: true, description: 'The name of the level; null for the default.' })
  level!: string | null;
}

export class CoveringFreezeRecord {
  @Uuid() id!: string;
  @Choice(FREEZE_LEVELS) level!: FreezeLevel;
  @Uuid({ description: 'What is frozen.' }) targetId!: string;
  @Choice(FREEZE_MODES) mode!: FreezeMode;
  @Instant({ nullable: true }) expiresAt!: string | null;
}

/** Why a request was, or would be, decided in this way (PAM-103). */
export class ExplanationRecord {
  @Choice(['as_decided', 'current'], {
    description: 'Whether the explanation uses the rules that decided it or the current rules.',
  })
  basis!: 'as_decided' | 'current';
  @Whole({ ...COUNT, nullable: true, description: 'The version of the rules that decided; null when unknown.' })
  rulebookVersion!: number | null;
  @Whole({ ...COUNT, description: 'The current version of the rules.' }) currentVersion!: number;
  @Choice(DECISION_OUTCOMES, { description: 'What was, or would be, decided.' }) outcome!: DecisionOutcome;
  @Choice(DECISION_SOURCES, { nullable: true, description: 'Null for a request that people decide.' })
  source!: DecisionSource | null;
  @Text({ max: 50, nullable: true, description: 'Why a grant was withheld.' }) held!: string | null;
  @NestedList(() => ExplainedPolicyRecord, { maxItems: 50, description: 'The software policies, in their order.' })
  policies!: ExplainedPolicyRecord[];
  @Nested(() => MatchedRuleRecord, { nullable: true, description: 'The rule that matched.' })
  matched!: MatchedRuleRecord | null;
  @NestedList(() => NearMissRecord, {
    maxItems: 10,
    description: 'Earlier rules that did not match, closest first.',
  })
  nearestMisses!: NearMissRecord[];
  @NestedList(() => PlacedRuleRecord, { maxItems: 10, description: 'Later rules that also match.' })
  laterMatches!: PlacedRuleRecord[];
  @Nested(() => DefaultVerdictRecord) default!: DefaultVerdictRecord;
  @Nested(() => ExplainedDemandRecord, { nullable: true, description: 'What it requires while it is pending.' })
  demand!: ExplainedDemandRecord | null;
  @Nested(() => CoveringFreezeRecord, { nullable: true, description: 'The freeze that covers the device.' })
  freeze!: CoveringFreezeRecord | null;
  @NestedList(() => ShadowHitRecord, {
    maxItems: 10,
    nullable: true,
    description: 'What shadow rules would have decided; null if none matches.',
  })
  shadow!: ShadowHitRecord[] | null;
  @TextList({ max: 50, maxItems: EXPLANATION_NOTES.length, description: 'Caveats of the explanation.' })
  notes!: ExplanationNoteCode[];
}

export class ExplanationResponse {
  @Flag() success!: true;
  @Nested(() => ExplanationRecord, { description: 'The explanation.' }) explanation!: ExplanationRecord;
}
