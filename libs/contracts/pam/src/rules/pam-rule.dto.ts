import {
  Choice,
  ChoiceList,
  type ErrorCode,
  Flag,
  FlagInQuery,
  Instant,
  Nested,
  NestedList,
  Text,
  Unread,
  Uuid,
  UuidList,
  Whole,
  WholeList,
} from '@gatehouse/contracts-core';
import { PaginationDto } from '../requests/elevation-request.dto.ts';
import {
  APPROVAL_MINUTES,
  CRITERION_KEYS,
  type CriterionKey,
  ELEVATION_STATUSES,
  type ElevationStatus,
  FLOW_TYPES,
  type FlowType,
  OPT_OUTS,
  type OptOut,
  OWNER_SCOPES,
  type OwnerScope,
  RULE_MODES,
  RULE_ORIGINS,
  RULE_PRECEDENCES,
  type RuleMode,
  type RuleOrigin,
  type RulePrecedence,
  type Verdict,
  VERDICTS,
} from '../vocabulary.ts';
import { OrgListQuery } from './pam-config.dto.ts';

export const DEFAULT_RULE_PRIORITY = 100;
const CLEARABLE = { optional: true, nullable: true };
const NAME = { min: 1, max: 255, trim: true };
/** The non-negative range of PostgreSQL's integer. */
const PRIORITY = { min: 0, max: 2_147_483_647 };

export class TimeWindowDto {
  @Text({ max: 5, pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/, patternHint: 'must be a time of day from 00:00 to 23:59' })
  start!: string;
  @Text({ max: 5, pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/, patternHint: 'must be a time of day from 00:00 to 23:59' })
  end!: string;
  @WholeList({
    optional: true,
    minItems: 1,
    maxItems: 7,
    min: 0,
    max: 6,
    description: 'Days of the week from Sunday (0); default: every day.',
  })
  days?: number[];
  @Text({ min: 1, max: 50, optional: true, description: 'An IANA time zone; default: UTC.' }) timezone?: string;
}

/** The criteria of a rule (PAM-62). A blank text is no criterion. */
export class RuleCriteriaDto {
  @Uuid({ ...CLEARABLE, description: 'Null: the whole organisation.' }) siteId?: string | null;
  @Text({ ...CLEARABLE, max: 255 }) matchSigner?: string | null;
  @Uuid(CLEARABLE) matchSignerGroupId?: string | null;
  @Text({
    ...CLEARABLE,
    max: 64,
    pattern: /^(?:[0-9a-fA-F]{64}|\s*)$/,
    patternHint: 'must be a SHA-256 in 64 hexadecimal digits',
  })
  matchHash?: string | null;
  @Text({ ...CLEARABLE, max: 1024 }) matchPathGlob?: string | null;
  /** The path of the program that started it. */
  @Text({ ...CLEARABLE, max: 1024 }) matchParentImage?: string | null;
  @Text({ ...CLEARABLE, max: 2000, description: 'Part of the command line, case-insensitive.' }) matchCommandLine?:
    string | null;
  @Text({ ...CLEARABLE, max: 255 }) matchUser?: string | null;
  @Text({ ...CLEARABLE, max: 255 }) matchAdGroup?: string | null;
  @Text({ ...CLEARABLE, max: 255 }) matchToolName?: string | null;
  @Whole({ ...CLEARABLE, min: 0, max: 4 }) matchRiskTier?: number | null;
  @ChoiceList(CRITERION_KEYS, { ...CLEARABLE, maxItems: CRITERION_KEYS.length }) matchNegate?: CriterionKey[] | null;
  @Nested(() => TimeWindowDto, CLEARABLE) timeWindow?: TimeWindowDto | null;
}

class RuleInputDto extends RuleCriteriaDto {
  @Whole({ ...PRIORITY, optional: true, description: 'Lower is evaluated first.' }) priority?: number;
  @Flag({ optional: true }) enabled?: boolean;
  @Text({ ...CLEARABLE, max: 2000 }) description?: string | null;
  @Whole({ ...CLEARABLE, ...APPROVAL_MINUTES, description: 'Null: the default of the organisation.' })
  approvalDurationMinutes?: number | null;
  @Choice(RULE_MODES, { optional: true, description: 'A shadow rule has no effect; what it would do is recorded.' })
  mode?: RuleMode;
  @Instant({
    ...CLEARABLE,
    description: 'When the rule stops matching; null means never. In the future, at most five years ahead.',
  })
  expiresAt?: string | null;
}

export class CreateRuleDto extends RuleInputDto {
  @Text(NAME) name!: string;
  @Choice(VERDICTS) verdict!: Verdict;
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
}

const PRECEDENCE =
  'Of a rule of the partner. `before` only denies or asks, whatever decided; `after` decides the rest.';
const OPT_OUT =
  'Of a rule of the partner: whether an organisation may leave one that comes before. It may leave any other.';

/** PAM-250, PAM-260. */
export class NewRuleDto extends CreateRuleDto {
  @Uuid({ optional: true, description: 'The request that the rule was created from, of the same organisation.' })
  fromRequestId?: string;
  @Choice(OWNER_SCOPES, { optional: true, description: '`partner`: for all organisations of the partner.' })
  ownerScope?: OwnerScope;
  @Uuid({ optional: true, description: 'The partner that owns the rule; for system scope.' }) partnerId?: string;
  @Choice(RULE_PRECEDENCES, { optional: true, description: PRECEDENCE }) precedence?: RulePrecedence;
  @Choice(OPT_OUTS, { optional: true, description: OPT_OUT }) optOut?: OptOut;
}

export class UpdateRuleDto extends RuleInputDto {
  @Text({ ...NAME, optional: true }) name?: string;
  @Choice(VERDICTS, { optional: true }) verdict?: Verdict;
}

/** PAM-260. */
export class ChangeRuleDto extends UpdateRuleDto {
  @Choice(RULE_PRECEDENCES, { optional: true, description: PRECEDENCE }) precedence?: RulePrecedence;
  @Choice(OPT_OUTS, { optional: true, description: OPT_OUT }) optOut?: OptOut;
}

/** A rule in an answer: every member is present, null where it is not set. */
export class PamRuleRecord {
  @Uuid() id!: string;
  @Uuid({ nullable: true, description: 'Null for a rule of the partner.' }) orgId!: string | null;
  @Choice(OWNER_SCOPES) ownerScope!: OwnerScope;
  @Choice(RULE_PRECEDENCES, { nullable: true, description: 'Null for a rule of an organisation.' })
  precedence!: RulePrecedence | null;
  @Choice(OPT_OUTS, { nullable: true, description: 'Null for a rule of an organisation.' }) optOut!: OptOut | null;
  @Uuid({ nullable: true }) siteId!: string | null;
  @Text({ max: 255 }) name!: string;
  @Text({ max: 2000, nullable: true }) description!: string | null;
  @Choice(VERDICTS) verdict!: Verdict;
  @Whole(PRIORITY) priority!: number;
  @Flag() enabled!: boolean;
  @Text({ max: 255, nullable: true }) matchSigner!: string | null;
  @Uuid({ nullable: true }) matchSignerGroupId!: string | null;
  @Text({ max: 64, nullable: true }) matchHash!: string | null;
  @Text({ max: 1024, nullable: true }) matchPathGlob!: string | null;
  /** The path of the program that started it. */
  @Text({ max: 1024, nullable: true }) matchParentImage!: string | null;
  @Text({ max: 2000, nullable: true }) matchCommandLine!: string | null;
  @Text({ max: 255, nullable: true }) matchUser!: string | null;
  @Text({ max: 255, nullable: true }) matchAdGroup!: string | null;
  @Text({ max: 255, nullable: true }) matchToolName!: string | null;
  @Whole({ min: 0, max: 4, nullable: true }) matchRiskTier!: number | null;
  @ChoiceList(CRITERION_KEYS, { maxItems: CRITERION_KEYS.length, nullable: true }) matchNegate!: CriterionKey[] | null;
  @Nested(() => TimeWindowDto, { nullable: true }) timeWindow!: TimeWindowDto | null;
  @Whole({ ...APPROVAL_MINUTES, nullable: true }) approvalDurationMinutes!: number | null;
  @Choice(RULE_MODES) mode!: RuleMode;
  @Instant({ nullable: true, description: 'When it last became a shadow rule; null for a live one.' })
  shadowSince!: string | null;
  @Instant({ nullable: true }) expiresAt!: string | null;
  @Whole({ min: 1, max: PRIORITY.max }) version!: number;
  @Uuid({ nullable: true }) createdBy!: string | null;
  @Text({ max: 255, nullable: true, description: 'Null if the author is no longer known.' })
  createdByName!: string | null;
  @Uuid({ nullable: true, description: 'The request that the rule was created from; null if there is none.' })
  fromRequestId!: string | null;
  @Instant() createdAt!: string;
  @Instant() updatedAt!: string;
}

export class ListedRuleRecord extends PamRuleRecord {
  @Flag({ description: "Whether the rule's risk tier can no longer occur." }) matchRiskTierStale!: boolean;
  @WholeList({
    min: 0,
    max: 4,
    maxItems: 5,
    nullable: true,
    description: 'The tiers that can occur; null unless stale.',
  })
  matchRiskTierValidTiers!: number[] | null;
  @Instant({ nullable: true, description: 'When the rule last decided; null if no decision is known.' })
  lastMatchedAt!: string | null;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'How often the rule decided within 30 days.' })
  matches30d!: number;
  @Flag({ description: 'The rule has expired and no longer matches.' }) expired!: boolean;
  @Uuid({ nullable: true, description: 'The user who last changed the rule; null if it was never changed.' })
  updatedBy!: string | null;
  @Choice(RULE_ORIGINS, { optional: true, description: "Only in the list of an organisation's effective rules." })
  origin?: RuleOrigin;
  @Flag({ optional: true, description: 'Only in effective rules: the organisation has opted out.' })
  optedOut?: boolean;
  @Whole({
    min: 0,
    max: 1_000_000,
    optional: true,
    description: 'Only in the list of partner rules: organisations that have opted out.',
  })
  optOuts?: number;
}

/** PAM-260. */
export class RulesQuery extends OrgListQuery {
  @Choice(OWNER_SCOPES, { optional: true, description: "`partner`: the partner's rules." }) scope?: OwnerScope;
  @Uuid({ optional: true, description: 'The partner whose rules are listed; required in system scope.' })
  partnerId?: string;
  @FlagInQuery()
  @Flag({ optional: true, description: 'All rules that reach the organisation, in the order of evaluation.' })
  effective?: boolean;
  @Instant({
    optional: true,
    description:
      'Enabled rules that end before this instant, the first to end first: of all in reach, unless one is named.',
  })
  expiresBefore?: string;
}

export class RulesResponse {
  @Flag() success!: true;
  @NestedList(() => ListedRuleRecord, { maxItems: 10_000 }) rules!: ListedRuleRecord[];
  @Nested(() => PaginationDto, { optional: true, description: 'Only if `page` or `limit` was given.' })
  pagination?: PaginationDto;
}

export class ListedRuleResponse {
  @Flag() success!: true;
  @Nested(() => ListedRuleRecord) rule!: ListedRuleRecord;
}

/** PAM-194. */
export class ReorderRulesDto {
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
  @UuidList({
    minItems: 1,
    maxItems: 2500,
    description: 'Each once, in their new order. Together they keep their current places; other rules do not move.',
  })
  ruleIds!: string[];
}

/** PAM-195. */
export class CopyRuleDto {
  @UuidList({ minItems: 1, maxItems: 100, description: 'The organisations that get a copy, each once.' })
  orgIds!: string[];
}

export class RuleCopyRecord {
  @Uuid() orgId!: string;
  @Uuid({ nullable: true, description: 'The copy; null when there is none.' }) ruleId!: string | null;
  @Text({ max: 100, nullable: true, description: 'The code of the problem; null when the rule was copied.' })
  code!: ErrorCode | null;
}

export class RuleCopiesResponse {
  @Flag() success!: true;
  @NestedList(() => RuleCopyRecord, { maxItems: 100, description: 'In the order of the request body.' })
  copies!: RuleCopyRecord[];
}

/** PAM-75. */
export class PreviewRuleDto extends RuleCriteriaDto {
  @Unread('a draft may be sent whole') name?: unknown;
  @Unread('a draft may be sent whole') verdict?: unknown;
  @Unread('a draft may be sent whole') priority?: unknown;
  @Unread('a draft may be sent whole') enabled?: unknown;
  @Unread('a draft may be sent whole') description?: unknown;
  @Unread('a draft may be sent whole') approvalDurationMinutes?: unknown;
  @Unread('a draft may be sent whole') mode?: unknown;
  @Unread('a draft may be sent whole') expiresAt?: unknown;
  @Unread('a draft may be sent whole') fromRequestId?: unknown;
  @Unread('a draft may be sent whole') ownerScope?: unknown;
  @Unread('a draft may be sent whole') precedence?: unknown;
  @Unread('a draft may be sent whole') optOut?: unknown;
  @Whole({ min: 1, max: 90, optional: true }) windowDays: number = 30;
  @Choice(FLOW_TYPES, { optional: true }) flowType?: FlowType;
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
}

export class PreviewSampleRecord {
  @Uuid() id!: string;
  @Instant() requestedAt!: string;
  @Choice(FLOW_TYPES) flowType!: FlowType;
  @Choice(ELEVATION_STATUSES) status!: ElevationStatus;
}

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class StatusBreakdownRecord implements Record<ElevationStatus, number> {
  @Whole(COUNT) pending!: number;
  @Whole(COUNT) approved!: number;
  @Whole(COUNT) auto_approved!: number;
  @Whole(COUNT) denied!: number;
  @Whole(COUNT) expired!: number;
  @Whole(COUNT) revoked!: number;
  @Whole(COUNT) actuating!: number;
}

export class PreviewResponse {
  @Flag() success!: true;
  @Whole(COUNT) totalMatched!: number;
  @Whole(COUNT) totalScanned!: number;
  @Whole({ min: 1, max: 90 }) windowDays!: number;
  @Flag({ description: 'Whether the period has more requests than were scanned.' }) truncated!: boolean;
  @Nested(() => StatusBreakdownRecord) statusBreakdown!: StatusBreakdownRecord;
  @NestedList(() => PreviewSampleRecord, { maxItems: 10 }) sample!: PreviewSampleRecord[];
}
