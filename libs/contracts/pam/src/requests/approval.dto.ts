import {
  Choice,
  Flag,
  Instant,
  Nested,
  NestedList,
  OptionalPageQuery,
  Plain,
  Text,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import { PaginationDto } from './elevation-request.dto.ts';
import { DemandRecord, ElevationRequestRecord, MAX_VOTES } from './elevation-request.record.ts';
import {
  APPROVAL_MINUTES,
  APPROVAL_STATUSES,
  type ApprovalStatus,
  DEFAULT_APPROVAL_MINUTES,
  MAX_REASON,
  MAX_TICKET,
} from '../vocabulary.ts';

export class ListApprovalsQuery extends OptionalPageQuery {
  @Choice(APPROVAL_STATUSES, { optional: true }) status?: ApprovalStatus;
}

/** One technician's approval of a pending elevation request. */
export class ApprovalRecord extends DemandRecord {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Uuid() elevationRequestId!: string;
  @Choice(APPROVAL_STATUSES) status!: ApprovalStatus;
  @Whole({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description:
      'The number of prompts of the device that this card represents; a decision applies to the one that it shows.',
  })
  promptCount!: number;
  @Instant() createdAt!: string;
  @Instant() expiresAt!: string;
  @Instant({ nullable: true }) decidedAt!: string | null;
  @Nested(() => ElevationRequestRecord) request!: ElevationRequestRecord;
}

export class ApprovalsResponse {
  @Flag() success!: true;
  @NestedList(() => ApprovalRecord, { maxItems: 100 }) approvals!: ApprovalRecord[];
  @Nested(() => PaginationDto, { optional: true, description: 'Only if `page` or `limit` was given.' })
  pagination?: PaginationDto;
}

export class ApprovalResponse {
  @Flag() success!: true;
  @Nested(() => ApprovalRecord) approval!: ApprovalRecord;
}

@Plain()
export class ApproveDto {
  @Whole({ ...APPROVAL_MINUTES, optional: true }) durationMinutes: number = DEFAULT_APPROVAL_MINUTES;
  @Text({ max: MAX_REASON, optional: true }) reason?: string;
  @Text({ max: MAX_TICKET, optional: true, description: 'The ticket, for a request that needs one.' }) ticket?: string;
}

@Plain()
export class DenyDto {
  @Text({ max: MAX_REASON, optional: true }) reason?: string;
}

export class ApprovalSettledResponse {
  @Flag() success!: true;
  @Uuid() id!: string;
  @Choice(APPROVAL_STATUSES, {
    description:
      '`pending` while the request needs further approvals; a repeated approval is `expired` once its grant has ended.',
  })
  status!: ApprovalStatus;
  @Whole({ min: 0, max: MAX_VOTES }) votesGiven!: number;
  @Whole({ min: 1, max: MAX_VOTES }) votesRequired!: number;
}
