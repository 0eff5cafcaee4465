import {
  Choice,
  Instant,
  JsonObject,
  Nested,
  NestedList,
  Plain,
  Text,
  TextList,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import {
  ELEVATION_STATUSES,
  type ElevationStatus,
  MAX_AD_GROUPS,
  MAX_PATH,
  MAX_REASON,
  MAX_REPORTED_NAME,
  MAX_TICKET,
} from '../vocabulary.ts';

const MAX_PID = 2_147_483_647;
const SHA256 = { max: 64, pattern: /^[0-9a-fA-F]{64}$/, patternHint: 'must be a SHA-256 in 64 hex digits' };
const absent = { optional: true, nullable: true };

/** PAM-16. Member names follow the agent's spelling: snake_case. */
@Plain()
export class AgentReportDto {
  @Text({ min: 1, max: MAX_REPORTED_NAME }) subject_username!: string;
  @Text({ min: 1, max: MAX_PATH }) target_executable_path!: string;
  @Text({ ...SHA256, ...absent }) target_executable_hash?: string | null;
  @Text({ max: MAX_REPORTED_NAME, ...absent }) target_executable_signer?: string | null;
  @Text({ max: MAX_REPORTED_NAME, ...absent }) target_executable_signer_thumbprint?: string | null;
  @Text({ max: MAX_REPORTED_NAME, ...absent }) target_executable_publisher?: string | null;
  @Whole({ min: 0, max: MAX_PID, optional: true }) pid?: number;
  @Text({ max: MAX_PATH, ...absent }) parent_image?: string | null;
  @Text({ max: MAX_PATH, ...absent }) command_line?: string | null;
  @Instant() observed_at!: string;
  @Text({ max: MAX_REASON, ...absent }) reason?: string | null;
  @Text({ max: MAX_TICKET, ...absent }) ticket?: string | null;
  @TextList({ max: 255, maxItems: MAX_AD_GROUPS, ...absent }) ad_groups?: string[] | null;
}

/** The rule or the software policy that decided. */
export class DecidedByRecord {
  @Uuid() id!: string;
  @Text({ max: 255 }) name!: string;
}

export class AgentReportResponse {
  @Uuid({ nullable: true, description: 'Null when the prompt is ignored.' }) id!: string | null;
  @Choice(['pending', 'auto_approved', 'denied', 'ignored', 'expired', 'revoked'], {
    description:
      'A repeated report that was granted at first gets the present state: `expired`, `revoked`, or `pending` while ' +
      'a freeze withholds the grant.',
  })
  status!: string;
  @Instant({ optional: true, description: 'With `auto_approved`: when the grant expires.' }) expiresAt?: string;
  @Nested(() => DecidedByRecord, { optional: true, description: 'With `auto_approved`: the rule that granted it.' })
  rule?: DecidedByRecord;
  @Nested(() => DecidedByRecord, {
    optional: true,
    description: 'With `auto_approved`: the software policy that granted it.',
  })
  policy?: DecidedByRecord;
}

/** The reason of a prompt that the agent has reported, given afterwards (PAM-214). */
export class JustifyRequestDto {
  @Text({ min: 1, max: MAX_REASON }) reason!: string;
  @Text({ max: MAX_TICKET, ...absent }) ticket?: string | null;
}

export class JustifiedRequestResponse {
  @Uuid() id!: string;
  @Choice(ELEVATION_STATUSES) status!: ElevationStatus;
}

/** What became of a request that the agent has reported (PAM-94). */
export class ReportedRequestResponse {
  @Uuid() id!: string;
  @Choice(ELEVATION_STATUSES) status!: ElevationStatus;
  @Instant({ nullable: true, description: 'When a pending request expires.' })
  pendingUntil!: string | null;
  @Instant({ nullable: true, description: 'When the grant expires or expired.' }) expiresAt!: string | null;
  @Text({ max: MAX_REASON, nullable: true, description: "The technician's reason." })
  reason!: string | null;
  @Nested(() => DecidedByRecord, { nullable: true, description: 'The rule that matched it.' })
  rule!: DecidedByRecord | null;
  @Nested(() => DecidedByRecord, { nullable: true, description: 'The software policy that decided it.' })
  policy!: DecidedByRecord | null;
}

export const COMMAND_RESULTS = ['completed', 'failed'] as const;

export class AgentCommandRecord {
  @Uuid() id!: string;
  @Text({ max: 50 }) type!: string;
  @JsonObject() payload!: object;
  @Instant() createdAt!: string;
}

export class AgentCommandsResponse {
  @NestedList(() => AgentCommandRecord, { maxItems: 50 }) commands!: AgentCommandRecord[];
}

export class CommandResultDto {
  @Choice(COMMAND_RESULTS) status!: (typeof COMMAND_RESULTS)[number];
  @Text({ max: 2000, ...absent }) detail?: string | null;
}

export class CommandResultResponse {
  @Uuid() id!: string;
  @Choice(COMMAND_RESULTS) status!: (typeof COMMAND_RESULTS)[number];
}

const MAX_JWS = 1_000_000;
const MAX_VERSION = 2_147_483_647;
const DAY_SECONDS = 86_400;

/** The rules that an agent applies while it is offline (PAM-97). */
export class OfflineRulesResponse {
  @Text({
    max: MAX_JWS,
    description:
      'A compact JWS of type `gatehouse-offline-rules+jwt`, signed with a key of `/.well-known/jwks.json`. ' +
      'Its claims are `iss`, `aud` (the device), `iat`, `exp`, `orgId`, `siteId`, `rulebookVersion`, `rules`, ' +
      '`otherwise` and `complete`.',
  })
  jws!: string;
  @Whole({ min: 1, max: MAX_VERSION, description: 'The version of the rules; each change of a rule increments it.' })
  rulebookVersion!: number;
  @Instant({ description: 'When the document expires.' }) expiresAt!: string;
  @Whole({
    min: 0,
    max: DAY_SECONDS,
    description: 'Seconds until the document expires, for agents whose clock is wrong.',
  })
  validForSeconds!: number;
}
