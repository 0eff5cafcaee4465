import {
  Choice,
  ChoiceList,
  Flag,
  Instant,
  Nested,
  NestedList,
  PageQuery,
  Plain,
  Search,
  Text,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import { Transform } from 'class-transformer';
import {
  APPROVAL_MINUTES,
  DECISION_SOURCES,
  type DecisionSource,
  DEFAULT_APPROVAL_MINUTES,
  ELEVATION_STATUSES,
  type ElevationStatus,
  FLOW_TYPES,
  type FlowType,
  MAX_REASON,
  MAX_TICKET,
  REQUEST_FLAGS,
  type RequestFlag,
} from '../vocabulary.ts';
import { ElevationRequestRecord, MAX_VOTES } from './elevation-request.record.ts';

export const MAX_ACTIVE_ROWS = 500;

const OPEN_STATUSES: readonly ElevationStatus[] = ['pending', 'approved', 'auto_approved', 'actuating'];
const sortable = (fields: readonly string[]): string[] => fields.flatMap((field) => [field, `-${field}`]);
/** The fields by which only open requests are sorted, because their number is bounded. */
const OPEN_REQUEST_SORT_FIELDS = [
  'pendingUntil',
  'expiresAt',
  'orgName',
  'deviceHostname',
  'subjectUsername',
  'risk',
] as const;
export const REQUEST_SORT_FIELDS = ['requestedAt', ...OPEN_REQUEST_SORT_FIELDS] as const;
export type RequestSortField = (typeof REQUEST_SORT_FIELDS)[number];
export type RequestSort = RequestSortField | `-${RequestSortField}`;

/** Whether a list holds nothing but open requests: by any field but the time only such a list is sorted. */
export const isOpenOnly = ({ status }: ListElevationRequestsQuery): boolean =>
  status !== undefined && status.every((each) => OPEN_STATUSES.includes(each));

export const isSortable = (query: ListElevationRequestsQuery): boolean =>
  query.sort === undefined || /^-?requestedAt$/.test(query.sort) || isOpenOnly(query);

/** What earlier requests have in common with one, and what became of them, as its `before` counts them. */
export const SHARED_WITH = ['file', 'device', 'user'] as const;
export type SharedWith = (typeof SHARED_WITH)[number];
export const EARLIER_OUTCOMES = ['auto_approved', 'approved', 'denied', 'expired', 'pending'] as const;
export type EarlierOutcome = (typeof EARLIER_OUTCOMES)[number];

const asList = ({ value }: { value: unknown }): unknown =>
  value === undefined || Array.isArray(value) ? value : [value];

/** PAM-43, PAM-91, PAM-380, PAM-381. */
export class ListElevationRequestsQuery extends PageQuery {
  @Transform(asList)
  @ChoiceList(ELEVATION_STATUSES, {
    optional: true,
    minItems: 1,
    maxItems: ELEVATION_STATUSES.length,
    description: 'Repeated for several statuses.',
  })
  status?: ElevationStatus[];
  @Choice(FLOW_TYPES, { optional: true }) flowType?: FlowType;
  @Uuid({ optional: true, description: 'Only requests of this organisation.' }) orgId?: string;
  @Uuid({ optional: true }) deviceId?: string;
  @Uuid({ optional: true, description: 'Only requests of devices that are at this site now.' }) siteId?: string;
  @Instant({ optional: true, description: 'Requested at or after.' }) from?: string;
  @Instant({ optional: true, description: 'Requested at or before.' }) to?: string;
  @Search('Part of the host name, the user, the path or the signer, case-insensitive.')
  search?: string;
  @Choice(DECISION_SOURCES, { optional: true, description: 'Only requests decided this way.' })
  decisionSource?: DecisionSource;
  @Uuid({ optional: true, description: 'Only requests that this rule matched.' }) ruleId?: string;
  @Uuid({
    optional: true,
    description: 'Only requests of the 30 days before this one, as its `before` counts them. Requires `shared`.',
  })
  earlierThan?: string;
  @Choice(SHARED_WITH, { optional: true, description: 'What they share with `earlierThan`.' })
  shared?: SharedWith;
  @Choice(EARLIER_OUTCOMES, { optional: true, description: 'Their outcome. Requires `earlierThan`.' })
  outcome?: EarlierOutcome;
  @Choice(REQUEST_FLAGS, {
    optional: true,
    description: 'Only requests with this flag; requires `status` with open statuses only.',
  })
  flag?: RequestFlag;
  @Choice(sortable(REQUEST_SORT_FIELDS), {
    optional: true,
    description:
      'The newest first when absent; `-` sorts downwards. `risk` is the number of flags. All but `requestedAt` need `status` to name open statuses only: `pending`, `approved`, `auto_approved`, `actuating`.',
  })
  sort?: RequestSort;
}

export const ACTIVE_SORT_FIELDS = ['requestedAt', 'expiresAt', 'deviceHostname', 'subjectUsername'] as const;
export type ActiveSort = (typeof ACTIVE_SORT_FIELDS)[number] | `-${(typeof ACTIVE_SORT_FIELDS)[number]}`;

/** PAM-06. */
export class ListActiveElevationsQuery {
  @Uuid({ optional: true, description: 'Only elevations of this organisation.' }) orgId?: string;
  @Choice(sortable(ACTIVE_SORT_FIELDS), { optional: true, description: 'Default: newest first.' })
  sort?: ActiveSort;
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
  @Flag({
    optional: true,
    description:
      'With `search` or `decisionSource`: whether there are older requests that were not looked through. The 100 000 newest are, of those that the other filters leave; `to` leads to older ones.',
  })
  truncated?: boolean;
}

export class ActiveElevationsResponse {
  @Flag() success!: true;
  @NestedList(() => ElevationRequestRecord, { maxItems: MAX_ACTIVE_ROWS }) active!: ElevationRequestRecord[];
}

export const DECISIONS = ['approve', 'deny'] as const;
export type Decision = (typeof DECISIONS)[number];

/** PAM-01. */
@Plain()
export class RespondDto {
  @Choice(DECISIONS) decision!: Decision;
  @Text({ max: MAX_REASON, optional: true }) reason?: string;
  @Whole({ ...APPROVAL_MINUTES, optional: true, description: 'How long an approval lasts.' }) durationMinutes: number =
    DEFAULT_APPROVAL_MINUTES;
  @Text({ max: MAX_TICKET, optional: true, description: 'The ticket, for an approval of a request that needs one.' })
  ticket?: string;
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

/** PAM-382. */
export class TakenRequestResponse extends RequestStatusResponse {
  @Instant({ nullable: true, description: 'When the review notice to colleagues ends.' })
  takenUntil!: string | null;
}

export class RequestedElevationResponse extends RequestStatusResponse {
  @Text({ max: MAX_TICKET, nullable: true }) ticket!: string | null;
}

export class RespondedResponse extends RequestStatusResponse {
  @Whole({ min: 0, max: MAX_VOTES }) votesGiven!: number;
  @Whole({ min: 1, max: MAX_VOTES }) votesRequired!: number;
}

/** A technician requests elevated rights for a limited time (decisions, "tech_jit_admin"). */
export class RequestElevationDto {
  @Uuid() deviceId!: string;
  @Text({ min: 1, max: MAX_REASON }) reason!: string;
  @Whole({
    ...APPROVAL_MINUTES,
    optional: true,
    description: 'How long the elevation lasts if a rule approves it.',
  })
  durationMinutes?: number;
  @Text({ max: MAX_TICKET, optional: true, description: 'The ticket that it is about.' }) ticket?: string;
}

/** PAM-04, PAM-47. */
export class ActuateElevationDto {
  @Uuid() elevationRequestId!: string;
  @Whole({
    min: 1000,
    max: 60_000,
    optional: true,
    description: 'How long the device waits for the consent prompt, in milliseconds.',
  })
  timeoutMs: number = 8000;
}

export class ActuateElevationResponse {
  @Flag() success!: true;
  /** The id of the device command. */
  @Uuid() id!: string;
  @Uuid() elevationRequestId!: string;
  @Choice(['queued']) status!: 'queued';
}
