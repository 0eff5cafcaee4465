import { Choice, Flag, Instant, Nested, NestedList, PageQuery, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import {
  DECISION_SOURCES,
  type DecisionSource,
  ELEVATION_STATUSES,
  type ElevationStatus,
  FLOW_TYPES,
  type FlowType,
} from '../vocabulary.ts';

export const APPROVAL_MINUTES = { min: 1, max: 1440 };
export const DEFAULT_APPROVAL_MINUTES = 15;
export const MAX_REASON = 2000;
/** The maximum length of a user's, signer's or publisher's name in an agent's report. */
export const MAX_REPORTED_NAME = 1024;
export const MAX_ACTIVE_ROWS = 500;

/** PAM-43. */
export class ListElevationRequestsQuery extends PageQuery {
  @Choice(ELEVATION_STATUSES, { optional: true }) status?: ElevationStatus;
  @Choice(FLOW_TYPES, { optional: true }) flowType?: FlowType;
  @Uuid({ optional: true, description: 'Only requests of this organisation.' }) orgId?: string;
  @Uuid({ optional: true }) deviceId?: string;
  @Uuid({ optional: true, description: 'Only requests of devices that are at this site now.' }) siteId?: string;
  @Instant({ optional: true, description: 'Requested at or after.' }) from?: string;
  @Instant({ optional: true, description: 'Requested at or before.' }) to?: string;
}

/** PAM-06. */
export class ListActiveElevationsQuery {
  @Uuid({ optional: true, description: 'Only elevations of this organisation.' }) orgId?: string;
}

/** PAM-52. */
export class ElevationRequestRecord {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Uuid() deviceId!: string;
  @Text({ max: 255 }) deviceHostname!: string;
  @Text({ max: 255, nullable: true }) siteName!: string | null;
  @Choice(FLOW_TYPES) flowType!: FlowType;
  @Choice(ELEVATION_STATUSES) status!: ElevationStatus;
  @Text({ max: MAX_REPORTED_NAME, nullable: true }) subjectUsername!: string | null;
  @Text({ max: 32_767, nullable: true }) targetExecutablePath!: string | null;
  @Text({ max: MAX_REPORTED_NAME, nullable: true }) targetExecutableSigner!: string | null;
  @Instant() requestedAt!: string;
  @Text({ max: 255, nullable: true }) approvedByName!: string | null;
  @Text({ max: 255, nullable: true }) deniedByName!: string | null;
  @Text({ max: 255, nullable: true }) revokedByName!: string | null;
  @Text({ max: 255, nullable: true }) matchedPolicyName!: string | null;
  @Uuid({ nullable: true }) pamRuleId!: string | null;
  @Text({ max: 255, nullable: true }) pamRuleName!: string | null;
  @Choice(DECISION_SOURCES, { nullable: true }) decisionSource!: DecisionSource | null;
  @Text({ max: MAX_REASON, nullable: true }) reason!: string | null;
  @Instant({ nullable: true }) expiresAt!: string | null;
  @Instant({ nullable: true, description: 'When the device has acted on the consent prompt.' }) actuatedAt!:
    string | null;
  @Text({ max: 255, optional: true, description: 'AI tool actions only.' }) toolName?: string;
  @Text({
    max: 255,
    optional: true,
    nullable: true,
    description: 'AI tool actions only: the action of the tool that was asked for.',
  })
  action?: string | null;
  @Whole({ min: 0, max: 4, optional: true, description: 'AI tool actions only.' }) riskTier?: number;
  @Text({ max: 64, optional: true, description: 'AI tool actions only: SHA-256 of the canonical JSON of the input.' })
  actionDigest?: string;
}

export class PaginationDto {
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) page!: number;
  @Whole({ min: 1, max: 100 }) limit!: number;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) total!: number;
}

export class ElevationRequestsResponse {
  @Flag() success!: true;
  @NestedList(() => ElevationRequestRecord, { maxItems: 100 }) requests!: ElevationRequestRecord[];
  @Nested(() => PaginationDto) pagination!: PaginationDto;
}

export class ActiveElevationsResponse {
  @Flag() success!: true;
  @NestedList(() => ElevationRequestRecord, { maxItems: MAX_ACTIVE_ROWS }) active!: ElevationRequestRecord[];
}

export const DECISIONS = ['approve', 'deny'] as const;
export type Decision = (typeof DECISIONS)[number];

/** PAM-01. */
export class RespondDto {
  @Choice(DECISIONS) decision!: Decision;
  @Text({ max: MAX_REASON, optional: true }) reason?: string;
  @Whole({ ...APPROVAL_MINUTES, optional: true, description: 'How long an approval lasts.' }) durationMinutes: number =
    DEFAULT_APPROVAL_MINUTES;
}

/** PAM-08. */
export class RevokeDto {
  @Text({ min: 1, max: MAX_REASON }) reason!: string;
}

export class RequestStatusResponse {
  @Flag() success!: true;
  @Uuid() id!: string;
  @Choice(ELEVATION_STATUSES) status!: ElevationStatus;
}

/** A technician requests elevated rights for a limited time (decisions, "tech_jit_admin"). */
export class RequestElevationDto {
  @Uuid() deviceId!: string;
  @Text({ min: 1, max: MAX_REASON }) reason!: string;
  @Whole({
    ...APPROVAL_MINUTES,
    optional: true,
    description: 'How long the window should last when a rule approves it.',
  })
  durationMinutes?: number;
}
