import { Choice, Flag, Instant, Nested, NestedList, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { ApiProperty } from '@nestjs/swagger';
import { ElevationRequestRecord, ShadowHitRecord } from './elevation-request.record.ts';
import { MAX_REASON, MAX_ESCALATION_STEPS } from '../vocabulary.ts';

export const TIMELINE_EVENTS = [
  'requested',
  'auto_approved',
  'asked',
  'escalated',
  'vote_given',
  'approved',
  'denied',
  'command_queued',
  'command_delivered',
  'command_completed',
  'command_failed',
  'command_cancelled',
  'command_expired',
  'actuated',
  'revoked',
  'expired',
] as const;
export type TimelineEvent = (typeof TIMELINE_EVENTS)[number];

const TOTAL = { min: 0, max: Number.MAX_SAFE_INTEGER };
const STEP = { min: 1, max: MAX_ESCALATION_STEPS, description: 'The step of the escalation policy that was taken.' };
const COMMAND_TYPE = { max: 50, description: 'Such as `actuate_elevation` or `revoke_elevation`.' };

/** Something that happened to a request. */
export class TimelineEntryRecord {
  @Instant({ description: 'When it happened.' }) at!: string;
  @Choice(TIMELINE_EVENTS, {
    description:
      'What happened; with `asked` people were asked to approve, and `escalated` is a step of the escalation policy.',
  })
  event!: TimelineEvent;
  @Text({ max: 1024, nullable: true, description: 'The person who did it, if any.' }) actorName!: string | null;
  @Text({ max: MAX_REASON, nullable: true }) reason!: string | null;
  @Text({ ...COMMAND_TYPE, nullable: true }) commandType!: string | null;
  @Whole({ ...STEP, nullable: true }) step!: number | null;
  @Whole({ ...TOTAL, nullable: true, description: 'With `asked`: the number of people.' }) count!: number | null;
}

/** A command to the device about a request. */
export class RequestCommandRecord {
  @Uuid() id!: string;
  @Text(COMMAND_TYPE) type!: string;
  @Choice(['queued', 'claimed', 'completed', 'failed', 'cancelled', 'expired']) status!: string;
  @Instant() createdAt!: string;
  @Instant({ nullable: true, description: 'When the agent last fetched it.' }) claimedAt!: string | null;
  @Instant({ nullable: true, description: 'When the agent reported a result, or the command ended without one.' })
  finishedAt!: string | null;
  @Text({ max: 2000, nullable: true, description: 'What the agent reported.' }) detail!: string | null;
}

/** Numbers of requests by outcome: what was granted counts as granted also after its window has ended. */
export class OutcomeCountsRecord {
  @Whole({ ...TOTAL, description: 'Granted by a rule or a software policy.' }) autoApproved!: number;
  @Whole(TOTAL) approved!: number;
  @Whole(TOTAL) denied!: number;
  @Whole({ ...TOTAL, description: 'Expired without a decision.' }) expired!: number;
  @Whole(TOTAL) pending!: number;
}

/** Requests of the same organisation during the 30 days before, within the reach of the caller. */
export class EarlierRequestsRecord {
  @Nested(() => OutcomeCountsRecord, { nullable: true, description: 'For the same file; null without one.' })
  file!: OutcomeCountsRecord | null;
  @Nested(() => OutcomeCountsRecord, { description: 'On the same device.' }) device!: OutcomeCountsRecord;
  @Nested(() => OutcomeCountsRecord, { nullable: true, description: 'By the same person; null if unknown.' })
  user!: OutcomeCountsRecord | null;
}

const MAY: ReturnType<typeof ApiProperty> = ApiProperty({
  oneOf: [{ const: true }, { type: 'string' }],
  description: '`true`, or the problem code with which it would be refused.',
} as Parameters<typeof ApiProperty>[0]);

/** Whether the caller could decide the request now. A fresh second factor may be needed as well. */
export class MayRespondRecord {
  @MAY approve!: true | string;
  @MAY deny!: true | string;
}

/** A request with its history (PAM-92). */
export class ElevationRequestDetailRecord extends ElevationRequestRecord {
  @Uuid({ nullable: true, description: 'The user who requested it; null for prompts on devices.' })
  requestedBy!: string | null;
  @Whole({ min: 1, max: 1440, nullable: true, description: 'Minutes requested or granted.' })
  durationMinutes!: number | null;
  @Instant({ nullable: true, description: 'When the tool execution stops waiting.' }) timeoutAt!: string | null;
  @Instant({ nullable: true, description: 'When it was denied, was revoked or expired.' }) endedAt!: string | null;
  @NestedList(() => ShadowHitRecord, { maxItems: 5, description: 'What shadow rules would have decided.' })
  shadow!: ShadowHitRecord[];
  @NestedList(() => RequestCommandRecord, { maxItems: 100 }) commands!: RequestCommandRecord[];
  @NestedList(() => TimelineEntryRecord, { maxItems: 400, description: 'The oldest first.' })
  timeline!: TimelineEntryRecord[];
  @Nested(() => EarlierRequestsRecord, { description: 'The outcomes of earlier similar requests.' })
  before!: EarlierRequestsRecord;
  @Nested(() => MayRespondRecord, { description: 'Whether the caller may decide it now.' })
  mayRespond!: MayRespondRecord;
}

export class ElevationRequestResponse {
  @Flag() success!: true;
  @Nested(() => ElevationRequestDetailRecord) request!: ElevationRequestDetailRecord;
}
