import {
  Choice,
  ChoiceList,
  Flag,
  Instant,
  ListInQuery,
  Nested,
  Text,
  Uuid,
  UuidList,
  Whole,
} from '@gatehouse/contracts-core';
import { SsoProviderChanged, SsoProviderState } from '@gatehouse/contracts-identity';
import {
  ApprovalFact,
  ApprovalPush,
  ApprovalPushRequested,
  ApprovalSettled,
  ElevationEscalated,
  ElevationEscalationFact,
  ElevationFact,
  ElevationVoteFact,
  ElevationVoteGiven,
  FREEZE_LEVELS,
  FREEZE_MODES,
  type FreezeLevel,
  FreezeLifted,
  type FreezeMode,
  FreezeStarted,
  RequestOutcomeNotified,
  RulebookChanged,
  RuleOptOutEnded,
  TOLD_OUTCOMES,
  type ToldOutcome,
} from '@gatehouse/contracts-pam';
import {
  DEVICE_STATUSES,
  DeviceChanged,
  type DeviceStatus,
  MergeProgress,
  MergeProgressed,
  ORGANIZATION_STATUSES,
  OrganizationChanged,
  type OrganizationStatus,
} from '@gatehouse/contracts-tenancy';
import { LIVE_TOPICS, type LiveTopic } from './live-topics.ts';

export class LiveEventsQuery {
  /**
   * The topics of the stream, `elevations` and `approvals` by default. `merges` and `providers` need
   * `organizations:read`, `outcomes` needs no permission, and the others need `devices:read`.
   */
  @ListInQuery()
  @ChoiceList(LIVE_TOPICS, { maxItems: LIVE_TOPICS.length, minItems: 1, optional: true })
  topics?: LiveTopic[];
  /** Only what happens in this organisation. */
  @Uuid({ optional: true }) orgId?: string;
}

const ELEVATION_SUBJECTS = [
  'requested',
  'taken',
  'auto_approved',
  'approved',
  'denied',
  'actuating',
  'actuated',
  'expired',
  'revoked',
].map((fact) => `pam.elevation.${fact}.v1`);

class LiveEventRecord {
  @Uuid() id!: string;
  @Instant() occurredAt!: string;
}

/** Topic `elevations`: an elevation request was recorded, taken, decided, used or ended. */
export class LiveElevationEvent extends LiveEventRecord {
  @Choice(ELEVATION_SUBJECTS) subject!: string;
  @Nested(() => ElevationFact) data!: ElevationFact;
}

/** Topic `elevations`: a person approved a request that demands several approvals. */
export class LiveVoteEvent extends LiveEventRecord {
  @Choice([ElevationVoteGiven.subject]) subject!: string;
  @Nested(() => ElevationVoteFact) data!: ElevationVoteFact;
}

/** Topic `elevations`: a step of the escalation policy was taken for a request that still waits. */
export class LiveEscalationEvent extends LiveEventRecord {
  @Choice([ElevationEscalated.subject]) subject!: string;
  @Nested(() => ElevationEscalationFact) data!: ElevationEscalationFact;
}

/** Topic `approvals`: the caller is asked for an approval. */
export class LiveApprovalRequestedEvent extends LiveEventRecord {
  @Choice([ApprovalPushRequested.subject]) subject!: string;
  @Nested(() => ApprovalPush) data!: ApprovalPush;
}

/** Topic `approvals`: an approval of the caller was decided, reported, or made obsolete. */
export class LiveApprovalSettledEvent extends LiveEventRecord {
  @Choice([ApprovalSettled.subject]) subject!: string;
  @Nested(() => ApprovalFact) data!: ApprovalFact;
}

export class LiveDevice {
  @Uuid() deviceId!: string;
  @Uuid() partnerId!: string;
  @Uuid() orgId!: string;
  @Uuid() siteId!: string;
  @UuidList({ maxItems: 100_000 }) groupIds!: string[];
  @Text({ max: 255 }) hostname!: string;
  @Choice(DEVICE_STATUSES) status!: DeviceStatus;
  @Flag() deleted!: boolean;
}

/** Topic `devices`: a device after a change of it. */
export class LiveDeviceEvent extends LiveEventRecord {
  @Choice([DeviceChanged.subject]) subject!: string;
  @Nested(() => LiveDevice) data!: LiveDevice;
}

export class LiveRulebook {
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) version!: number;
}

/** Topic `rules`: what decides an organisation's requests changed: rules, signer groups, policies or configuration. */
export class LiveRulebookEvent extends LiveEventRecord {
  @Choice([RulebookChanged.subject]) subject!: string;
  @Nested(() => LiveRulebook) data!: LiveRulebook;
}

export class LiveOptOutEnd {
  @Uuid({ description: 'The rule of the partner.' }) ruleId!: string;
  @Uuid() partnerId!: string;
  @Uuid() orgId!: string;
}

/** Topic `rules`: a rule of the partner has become another one, so that the organisation is under it again. */
export class LiveOptOutEndEvent extends LiveEventRecord {
  @Choice([RuleOptOutEnded.subject]) subject!: string;
  @Nested(() => LiveOptOutEnd) data!: LiveOptOutEnd;
}

export class LiveFreeze {
  @Uuid({ description: 'The id of the freeze.' }) freezeId!: string;
  @Uuid() partnerId!: string;
  @Uuid({ nullable: true, description: 'Null for the whole partner.' }) orgId!: string | null;
  @Uuid({ optional: true, description: 'The site of a frozen site or device.' }) siteId?: string;
  @Choice(FREEZE_LEVELS, { description: 'The level of the target.' }) level!: FreezeLevel;
  @Uuid({ description: 'The device, site, organisation or partner that is frozen.' }) targetId!: string;
  @Choice(FREEZE_MODES, { description: 'Under `lockdown` technicians can only deny.' }) mode!: FreezeMode;
  @Instant({ nullable: true, description: 'When it expires; null for never.' }) expiresAt!: string | null;
  @Uuid({ nullable: true, description: 'Who started or lifted it; null when it expired.' }) actorId!: string | null;
}

/** Topic `rules`: an emergency freeze was started, was lifted or expired. */
export class LiveFreezeEvent extends LiveEventRecord {
  @Choice([FreezeStarted.subject, FreezeLifted.subject]) subject!: string;
  @Nested(() => LiveFreeze) data!: LiveFreeze;
}

export class LiveOrganization {
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Text({ max: 255 }) name!: string;
  @Choice(ORGANIZATION_STATUSES) status!: OrganizationStatus;
  @Flag() deleted!: boolean;
  /** The organisation into which this one was merged. */
  @Uuid({ nullable: true }) mergedIntoId!: string | null;
}

/** Topic `merges`: an organisation after a change of it, such as the begin, the end or the failure of a merge. */
export class LiveOrganizationEvent extends LiveEventRecord {
  @Choice([OrganizationChanged.subject]) subject!: string;
  @Nested(() => LiveOrganization) data!: LiveOrganization;
}

/** Topic `merges`: a merge has moved another percent of its rows, or has ended. */
export class LiveMergeEvent extends LiveEventRecord {
  @Choice([MergeProgressed.subject]) subject!: string;
  @Nested(() => MergeProgress) data!: MergeProgress;
}

/** Topic `providers`: an identity provider after a change of it. */
export class LiveProviderEvent extends LiveEventRecord {
  @Choice([SsoProviderChanged.subject]) subject!: string;
  @Nested(() => SsoProviderState) data!: SsoProviderState;
}

export class LiveOutcome {
  @Uuid({ description: 'The request.' }) elevationRequestId!: string;
  @Uuid({ description: 'The caller who made the request.' }) userId!: string;
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Text({ max: 255, description: 'The name of the device.' }) deviceHostname!: string;
  @Choice(TOLD_OUTCOMES, { description: 'The outcome: how it ended, or that it was approved.' }) status!: ToldOutcome;
}

/** Topic `outcomes`: a request of the caller was approved or has ended, if the organisation tells requesters. */
export class LiveOutcomeEvent extends LiveEventRecord {
  @Choice([RequestOutcomeNotified.subject]) subject!: string;
  @Nested(() => LiveOutcome) data!: LiveOutcome;
}

/** What the `data:` line of each event but `resync` holds, by its `event:` line. */
export const LIVE_EVENTS = [
  LiveElevationEvent,
  LiveVoteEvent,
  LiveEscalationEvent,
  LiveApprovalRequestedEvent,
  LiveApprovalSettledEvent,
  LiveDeviceEvent,
  LiveRulebookEvent,
  LiveFreezeEvent,
  LiveOptOutEndEvent,
  LiveOrganizationEvent,
  LiveMergeEvent,
  LiveProviderEvent,
  LiveOutcomeEvent,
];
