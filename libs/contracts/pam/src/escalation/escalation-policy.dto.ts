import { ChoiceList, Flag, Nested, NestedList, Uuid, Whole } from '@gatehouse/contracts-core';
import { FLOW_TYPES, type FlowType, MAX_ESCALATION_STEPS } from '../vocabulary.ts';

const STEP = { min: 1, max: MAX_ESCALATION_STEPS, description: 'Its number. Steps ascend by number and by time.' };
const AFTER = {
  min: 1,
  max: 1440,
  description: 'How many minutes after the request it is taken, while that is pending.',
};
const ASK_ALL = {
  description: 'Whether people who may approve and whom no push reaches are asked too; they get a mail with a link.',
};
const STEPS = { maxItems: MAX_ESCALATION_STEPS, description: 'What happens while nobody decides a request.' };
const FLOWS = {
  maxItems: FLOW_TYPES.length,
  nullable: true,
  description: 'The kinds of requests that are escalated; null for all.',
};
const TELL_DEVICE = {
  description: 'Whether the device hears how a prompt that was pending ended, also when its agent speaks protocol 1.',
};
const TELL_REQUESTER = { description: 'Whether people hear how their own requests ended.' };

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
  @Uuid({ optional: true, description: 'Needed when the caller reaches several organisations.' }) orgId?: string;
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
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Grows with each change; 0 before the first.' })
  version!: number;
}

export class EscalationPolicyResponse {
  @Flag() success!: true;
  @Nested(() => EscalationPolicyRecord) escalationPolicy!: EscalationPolicyRecord;
}
