import { ChoiceList, Flag, Nested, NestedList, Unread, Uuid, Whole } from '@gatehouse/contracts-core';
import { FLOW_TYPES, type FlowType, MAX_ESCALATION_STEPS } from '../vocabulary.ts';

const STEP = { min: 1, max: MAX_ESCALATION_STEPS, description: 'Its number. Steps ascend by number and by time.' };
const AFTER = {
  min: 1,
  max: 1440,
  description: 'Minutes after the request at which the step is taken, while the request is pending.',
};
const ASK_ALL = {
  description: 'Whether approvers without push notifications are e-mailed a link.',
};
const STEPS = { maxItems: MAX_ESCALATION_STEPS, description: 'The escalation of undecided requests.' };
const FLOWS = {
  maxItems: FLOW_TYPES.length,
  nullable: true,
  description: 'The kinds of requests that are escalated; null for all.',
};
const TELL_DEVICE = {
  description: 'Whether the device is notified of the outcome of a pending prompt even if its agent uses protocol 1.',
};
const TELL_REQUESTER = { description: 'Whether people are notified of the outcome of their own requests.' };

export class EscalationStepDto {
  @Whole(STEP) step!: number;
  @Whole(AFTER) afterMinutes!: number;
  @Flag({ ...ASK_ALL, optional: true }) askAllApprovers?: boolean;
}

/** Replaces the whole policy: a member that is absent gets its default. */
export class UpdateEscalationPolicyDto {
  @NestedList(() => EscalationStepDto, { ...STEPS, optional: true }) steps?: EscalationStepDto[];
  @ChoiceList(FLOW_TYPES, { ...FLOWS, optional: true }) flowTypes?: FlowType[] | null;
  @Flag({ ...TELL_DEVICE, optional: true }) tellDevice?: boolean;
  @Flag({ ...TELL_REQUESTER, optional: true }) tellRequester?: boolean;
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
  @Unread('the record may be sent back whole') version?: unknown;
}

export class EscalationStepRecord {
  @Whole(STEP) step!: number;
  @Whole(AFTER) afterMinutes!: number;
  @Flag(ASK_ALL) askAllApprovers!: boolean;
}

/** PAM-220. */
export class EscalationPolicyRecord {
  @Uuid() orgId!: string;
  @NestedList(() => EscalationStepRecord, STEPS) steps!: EscalationStepRecord[];
  @ChoiceList(FLOW_TYPES, FLOWS) flowTypes!: FlowType[] | null;
  @Flag(TELL_DEVICE) tellDevice!: boolean;
  @Flag(TELL_REQUESTER) tellRequester!: boolean;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Counts the changes; 0 before any.' })
  version!: number;
}

export class EscalationPolicyResponse {
  @Flag() success!: true;
  @Nested(() => EscalationPolicyRecord) escalationPolicy!: EscalationPolicyRecord;
}
