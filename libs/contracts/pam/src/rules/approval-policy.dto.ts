import { ChoiceList, Flag, Nested, NestedList, Text, Unread, Uuid, UuidList, Whole } from '@gatehouse/contracts-core';
import { MAX_VOTES } from '../requests/elevation-request.record.ts';
import { FLOW_TYPES, type FlowType } from '../vocabulary.ts';

const APPROVALS = { min: 1, max: MAX_VOTES, description: 'How many people have to approve.' };
const PENDING_MINUTES = { min: 5, max: 1440, description: 'How long a request waits for them.' };

/** What some requests demand; a request has to meet every member that is given. An empty list counts as absent. */
export class ApprovalLevelDto {
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @ChoiceList(FLOW_TYPES, { maxItems: FLOW_TYPES.length, optional: true }) flowTypes?: FlowType[];
  @Whole({ min: 0, max: 4, optional: true, description: 'Tool actions of this tier or higher.' })
  riskTierMin?: number;
  @Flag({ optional: true, description: 'Programs without a signer; `false` matches all other requests.' })
  unsigned?: boolean;
  @UuidList({ maxItems: 50, optional: true, description: 'Devices in one of these groups.' })
  deviceGroupIds?: string[];
  @UuidList({ maxItems: 50, optional: true, description: 'Devices at one of these sites.' })
  siteIds?: string[];
  @Whole(APPROVALS) approvals!: number;
  @Whole(PENDING_MINUTES) pendingMinutes!: number;
  @Flag({
    optional: true,
    description:
      'Whether rules and policies may grant such requests although several people would have to approve them.',
  })
  automaticGrants?: boolean;
}

/** What requests demand that no level is for. */
export class DefaultDemandDto {
  @Whole({ ...APPROVALS, optional: true }) approvals?: number;
  @Whole({ ...PENDING_MINUTES, optional: true }) pendingMinutes?: number;
}

export class DefaultDemandRecord {
  @Whole(APPROVALS) approvals!: number;
  /** The time of the installation may be shorter than what a policy can set. */
  @Whole({ ...PENDING_MINUTES, min: 1 }) pendingMinutes!: number;
}

/** Who must not approve. */
export class SeparationDto {
  @Flag({
    optional: true,
    description:
      'The author of the rule that matched, and who changed what its verdict depends on within 30 days: the rule, its signer group, stricter rules, levels, the place and the groups of the device.',
  })
  ruleEditors?: boolean;
  @Flag({ optional: true, description: 'The user whose AI agent makes the request.' }) aiRequester?: boolean;
}

export class SeparationRecord {
  @Flag() ruleEditors!: boolean;
  @Flag() aiRequester!: boolean;
}

const LEVELS = { maxItems: 20, description: 'The first level that matches a request applies.' };

/** Replaces the whole policy: a member that is absent gets its default. */
export class UpdateApprovalPolicyDto {
  @NestedList(() => ApprovalLevelDto, { ...LEVELS, optional: true }) levels?: ApprovalLevelDto[];
  @Nested(() => DefaultDemandDto, { optional: true }) default?: DefaultDemandDto;
  @Nested(() => SeparationDto, { optional: true }) separation?: SeparationDto;
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
  @Unread('the record may be sent back whole') version?: unknown;
}

export class ApprovalPolicyRecord {
  @Uuid() orgId!: string;
  @NestedList(() => ApprovalLevelDto, LEVELS) levels!: ApprovalLevelDto[];
  @Nested(() => DefaultDemandRecord, { description: 'The requirements for requests that match no level.' })
  default!: DefaultDemandRecord;
  @Nested(() => SeparationRecord, { description: 'Who must not approve.' }) separation!: SeparationRecord;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) version!: number;
}

export class ApprovalPolicyResponse {
  @Flag() success!: true;
  @Nested(() => ApprovalPolicyRecord) approvalPolicy!: ApprovalPolicyRecord;
}
