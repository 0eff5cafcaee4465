import {
  Choice,
  ChoiceList,
  Instant,
  JsonObject,
  NestedList,
  Text,
  TextList,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import {
  DECISION_OUTCOMES,
  DECISION_SOURCES,
  type DecisionOutcome,
  type DecisionSource,
  ELEVATION_STATUSES,
  type ElevationStatus,
  FLOW_TYPES,
  type FlowType,
  MAX_AD_GROUPS,
  MAX_PATH,
  MAX_REASON,
  MAX_REPORTED_NAME,
  MAX_TICKET,
  REQUEST_FLAGS,
  type RequestFlag,
} from '../vocabulary.ts';

const NAME = { max: 255, nullable: true };
const REPORTED_NAME = { max: MAX_REPORTED_NAME, nullable: true };
const REPORTED_PATH = { max: MAX_PATH, nullable: true };
/** PAM-305. */
const INPUT_READERS =
  'Shown to `devices:write`, to people asked to approve the request and to the person whose request it is.';
const INPUT_LENGTH = { min: 0, max: Number.MAX_SAFE_INTEGER, nullable: true };
const TOOL_ONLY = 'AI tool actions only';

/** One person's approval of a request. */
export class VoteRecord {
  @Text({ max: 255, description: 'The person.' }) name!: string;
  @Instant() at!: string;
}

export const MAX_VOTES = 5;
const VOTES_REQUIRED = {
  min: 1,
  max: MAX_VOTES,
  description: 'How many people have to approve, by the approval policy at the time of the request.',
};
const HELD = {
  max: 50,
  nullable: true,
  description: 'Why a grant was withheld, such as `suspicious_observation` or `separation_of_duties`.',
};
const VOTES = { maxItems: MAX_VOTES, description: 'The approvals given so far, oldest first.' };

/** What a request demands of those who decide it. */
export abstract class DemandRecord {
  @Whole(VOTES_REQUIRED) votesRequired!: number;
  @NestedList(() => VoteRecord, VOTES) votes!: VoteRecord[];
  @Text(HELD) held!: string | null;
}

/** What was asked for, by whom, what became of it and who decided (PAM-52, PAM-90). */
export class ElevationRequestRecord extends DemandRecord {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Text({ ...NAME, description: 'The name of the organisation.' }) orgName!: string | null;
  @Uuid() deviceId!: string;
  @Text({ max: 255 }) deviceHostname!: string;
  @Uuid({ nullable: true, description: 'The site at which the device is now.' }) siteId!: string | null;
  @Text(NAME) siteName!: string | null;
  @Choice(FLOW_TYPES) flowType!: FlowType;
  @Choice(ELEVATION_STATUSES) status!: ElevationStatus;
  @ChoiceList(REQUEST_FLAGS, {
    maxItems: REQUEST_FLAGS.length,
    description:
      'What should be noticed: no signer; a folder in which users can save files; no request for the same file in the organisation during the 90 days before; texts that hide something; risk tier 3 or 4.',
  })
  flags!: RequestFlag[];
  @Text(REPORTED_NAME) subjectUsername!: string | null;
  @Text({ ...NAME, description: 'The user who requested it; null for prompts on devices.' })
  requestedByName!: string | null;
  @Text(REPORTED_PATH) targetExecutablePath!: string | null;
  @Text({ max: 64, nullable: true, description: 'SHA-256 in 64 lower-case hex digits.' })
  targetExecutableHash!: string | null;
  @Text(REPORTED_NAME) targetExecutableSigner!: string | null;
  @Text({ ...REPORTED_NAME, description: "The thumbprint of the signer's certificate." })
  targetExecutableSignerThumbprint!: string | null;
  @Text({ ...REPORTED_NAME, description: 'The publisher that the file names.' }) targetExecutablePublisher!:
    string | null;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER, nullable: true }) pid!: number | null;
  @Text({ ...REPORTED_PATH, description: 'The path of the program that started it.' }) parentImage!: string | null;
  @Text({ ...REPORTED_PATH, description: `How it was started. ${INPUT_READERS}` }) commandLine!: string | null;
  @Whole({ ...INPUT_LENGTH, description: 'The number of characters of the command line, visible to every reader.' })
  commandLineLength!: number | null;
  @TextList({ max: 255, maxItems: MAX_AD_GROUPS, description: 'The groups of the user, as the agent reported them.' })
  adGroups!: string[];
  @Text({ max: MAX_REASON, nullable: true, description: 'The reason given with the request.' }) reason!: string | null;
  @Text({ max: MAX_TICKET, nullable: true, description: 'The ticket that it is about, as it was given.' })
  ticket!: string | null;
  @Instant() requestedAt!: string;
  @Instant({ nullable: true, description: "When it happened by the device's clock." }) observedAt!: string | null;
  @Instant({ nullable: true, description: 'When a pending request expires.' })
  pendingUntil!: string | null;
  @Uuid({ nullable: true, description: 'Who is reviewing the pending request; it gives no rights.' })
  takenBy!: string | null;
  @Text({ ...NAME, description: 'The name of that person.' }) takenByName!: string | null;
  @Instant({ nullable: true, description: 'When the review notice ends.' }) takenUntil!: string | null;
  @Choice(DECISION_SOURCES, { nullable: true }) decisionSource!: DecisionSource | null;
  @Instant({ nullable: true }) decidedAt!: string | null;
  @Text({ max: MAX_REASON, nullable: true, description: "The technician's reason for the decision." })
  decisionReason!: string | null;
  @Text(NAME) approvedByName!: string | null;
  @Text(NAME) deniedByName!: string | null;
  @Text(NAME) revokedByName!: string | null;
  @Text({ max: MAX_REASON, nullable: true, description: 'Why it was revoked.' }) revokeReason!: string | null;
  @Text(NAME) matchedPolicyName!: string | null;
  @Uuid({ nullable: true }) pamRuleId!: string | null;
  @Text(NAME) pamRuleName!: string | null;
  @Instant({ nullable: true }) expiresAt!: string | null;
  @Instant({ nullable: true, description: 'When the device has acted on the consent prompt.' })
  actuatedAt!: string | null;
  @Text({ max: 255, optional: true, description: `${TOOL_ONLY}.` }) toolName?: string;
  @Text({ ...NAME, optional: true, description: `${TOOL_ONLY}: the action of the tool that was asked for.` })
  action?: string | null;
  @Whole({ min: 0, max: 4, optional: true, description: `${TOOL_ONLY}.` }) riskTier?: number;
  @Text({ max: 64, optional: true, description: `${TOOL_ONLY}: SHA-256 of the canonical JSON of the input.` })
  actionDigest?: string;
  @JsonObject({ optional: true, description: `${TOOL_ONLY}: the input of the tool. ${INPUT_READERS}` })
  toolInput?: object;
  @Whole({ ...INPUT_LENGTH, optional: true, description: `${TOOL_ONLY}: the characters of the input as JSON.` })
  toolInputLength?: number | null;
}

/** What a shadow rule would have made of a request. */
export class ShadowHitRecord {
  @Uuid({ description: 'The shadow rule.' }) ruleId!: string;
  @Choice(DECISION_OUTCOMES, { description: 'What it would have decided.' }) outcome!: DecisionOutcome;
  @Text({ max: 50, nullable: true }) held!: string | null;
}
