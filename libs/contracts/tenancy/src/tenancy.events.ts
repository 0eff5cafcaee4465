import {
  Choice,
  defineEvent,
  Flag,
  Instant,
  type Origin,
  Text,
  Uuid,
  UuidList,
  Whole,
} from '@gatehouse/contracts-core';
import {
  DEVICE_STATUSES,
  ORGANIZATION_STATUSES,
  PARTNER_STATUSES,
  type DeviceStatus,
  type OrganizationStatus,
  type PartnerStatus,
} from './vocabulary.ts';
import { RUN_STATES, type RunState } from './hierarchy/merge.dto.ts';

const ANY_VERSION = { min: 1, max: Number.MAX_SAFE_INTEGER };
const MANY = 100_000;

/**
 * The whole state of an aggregate after a change. A consumer keeps the newest `version` and ignores older ones, so
 * neither redelivery nor reordering can restore an old state. `deleted` covers soft and hard deletion.
 */
export class PartnerState {
  @Uuid() partnerId!: string;
  @Text({ max: 255 }) name!: string;
  @Text({ max: 100 }) slug!: string;
  @Choice(PARTNER_STATUSES) status!: PartnerStatus;
  @Flag() deleted!: boolean;
  @Whole(ANY_VERSION) version!: number;
}

export class OrganizationState {
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Text({ max: 255 }) name!: string;
  @Choice(ORGANIZATION_STATUSES) status!: OrganizationStatus;
  @Flag() deleted!: boolean;
  @Uuid({ nullable: true }) mergedIntoId!: string | null;
  @Whole(ANY_VERSION) version!: number;
}

export class SiteState {
  @Uuid() siteId!: string;
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Text({ max: 255 }) name!: string;
  @Flag() deleted!: boolean;
  @Whole(ANY_VERSION) version!: number;
}

export class DeviceGroupState {
  @Uuid() groupId!: string;
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Text({ max: 255 }) name!: string;
  @Flag() deleted!: boolean;
  @Whole(ANY_VERSION) version!: number;
}

export class DeviceState {
  @Uuid() deviceId!: string;
  @Uuid() partnerId!: string;
  @Uuid() orgId!: string;
  @Uuid() siteId!: string;
  @UuidList({ maxItems: MANY }) groupIds!: string[];
  @Text({ max: 255 }) hostname!: string;
  @Choice(DEVICE_STATUSES) status!: DeviceStatus;
  /** SHA-256 of the agent token in hex; null when the device has none. Never the token. */
  @Text({ max: 64, nullable: true }) agentTokenHash!: string | null;
  /** The token that the agent has replaced, which still works until `previousTokenUntil`. */
  @Text({ max: 64, optional: true, nullable: true }) previousTokenHash?: string | null;
  @Instant({ optional: true, nullable: true }) previousTokenUntil?: string | Date | null;
  /** The version of the agent protocol that the agent speaks; absent in states of earlier releases, which means 1. */
  @Whole({ min: 1, max: 99, optional: true }) agentProtocol?: number;
  @Flag() deleted!: boolean;
  @Whole(ANY_VERSION) version!: number;
}

/**
 * How far a merge has come, for those who watch it. It does not name the survivor, which may be beyond a watcher's
 * reach. Published when a percent more is done, and at the end.
 */
export class MergeProgress {
  @Uuid() jobId!: string;
  @Uuid() partnerId!: string;
  @Uuid() orgId!: string;
  @Choice(RUN_STATES) state!: RunState;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) done!: number;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) total!: number;
}

export const PartnerChanged = defineEvent('tenancy.partner.changed.v1', PartnerState);
export const OrganizationChanged = defineEvent('tenancy.organization.changed.v1', OrganizationState);
export const MergeProgressed = defineEvent('tenancy.merge.progressed.v1', MergeProgress);
export const SiteChanged = defineEvent('tenancy.site.changed.v1', SiteState);
export const DeviceGroupChanged = defineEvent('tenancy.device_group.changed.v1', DeviceGroupState);
export const DeviceChanged = defineEvent('tenancy.device.changed.v1', DeviceState);

/**
 * A command for the device's agent on behalf of a service other than PAM: the uninstallation of an archived
 * organisation's agents.
 */
export class AgentUninstallRequest {
  @Uuid() deviceId!: string;
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  /**
   * The version of the archived organisation, which may be restored before a consumer receives this event; absent when
   * only the device is removed.
   */
  @Whole({ ...ANY_VERSION, optional: true }) orgVersion?: number;
}
export const AgentUninstallRequested = defineEvent('tenancy.device.uninstall_requested.v1', AgentUninstallRequest);

/**
 * The subject on which tenancy receives the agents seen a moment ago. A request, not an event, because a sign of life
 * need not be stored.
 */
export const AGENTS_SEEN = 'ask.tenancy.agents_seen';
export const MAX_AGENTS_SEEN = 1000;
export interface AgentsSeen {
  readonly deviceIds: readonly string[];
  /** SHA-256 of new tokens that agents used while the token before still worked. */
  readonly usedTokens?: readonly string[];
  /** SHA-256 of tokens that were used after they were replaced. */
  readonly replacedTokens?: readonly string[];
  /** The request in which a replaced token was used. */
  readonly origin?: Origin;
}

export const REENROLMENT_REASONS = ['awaiting_confirmation', 'token_reuse'] as const;

/**
 * A machine enrolled again and got its device back with a new token, at most once a day for each device, so that its
 * administrators are told without being flooded; or what `reason` says.
 */
export class DeviceReenrolment {
  @Uuid() deviceId!: string;
  @Uuid() partnerId!: string;
  @Uuid() orgId!: string;
  @Uuid() siteId!: string;
  @Text({ max: 255 }) hostname!: string;
  /** A machine waits for confirmation that it is this device, or a replaced token of it was used. */
  @Choice(REENROLMENT_REASONS, { optional: true }) reason?: (typeof REENROLMENT_REASONS)[number];
}
export const DeviceReenrolled = defineEvent('tenancy.device.reenrolled.v1', DeviceReenrolment);
