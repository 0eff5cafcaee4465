import {
  Choice,
  Flag,
  Instant,
  Nested,
  PageQuery,
  Search,
  Sort,
  Text,
  Uuid,
  UuidList,
  Whole,
} from '@gatehouse/contracts-core';
import { MAX_CAP } from '../fields.ts';
import { DEVICE_STATUSES, type DeviceStatus } from '../vocabulary.ts';

/** The newest version of the agent protocol that this release speaks. */
export const AGENT_PROTOCOL = 2;
export const AGENT_PROTOCOL_HEADER = 'x-agent-protocol';
const MAX_STATED_PROTOCOL = 99;

export class EnrollAgentDto {
  @Text({ min: 1, max: 64, trim: true }) enrollmentKey!: string;
  @Text({ min: 1, max: 255, trim: true }) hostname!: string;
  @Text({ min: 1, max: 50 }) osType!: string;
  @Text({ max: 100, optional: true, nullable: true }) osVersion?: string | null;
  @Text({ max: 50, optional: true, nullable: true }) agentVersion?: string | null;
  /** With the hostname, it identifies the machine when that enrols again. */
  @Text({ max: 255, optional: true, nullable: true, trim: true }) serialNumber?: string | null;
  /** The version of the agent protocol that the agent speaks; by default the one of `X-Agent-Protocol`, else 1. */
  @Whole({ min: 1, max: MAX_STATED_PROTOCOL, optional: true }) agentProtocol?: number;
}

/** What an agent reports about its machine. A member that is left out keeps its value; null clears it. */
export class AgentInventoryDto {
  @Text({ max: 50, optional: true, nullable: true }) agentVersion?: string | null;
  @Text({ max: 100, optional: true, nullable: true }) osVersion?: string | null;
  @Text({ max: 255, optional: true, nullable: true, trim: true }) serialNumber?: string | null;
}

export class AgentInventoryResponse {
  @Uuid() deviceId!: string;
  @Text({ max: 50, nullable: true }) agentVersion!: string | null;
  @Text({ max: 100, nullable: true }) osVersion!: string | null;
  @Text({ max: 255, nullable: true }) serialNumber!: string | null;
}

export class RotatedAgentTokenResponse {
  /** The new token, shown only once. The old one works until this one is first used, for 60 seconds at most. */
  @Text({ max: 64 }) agentToken!: string;
}

export class PolicySourceRecord {
  @Text({ max: 20 }) level!: string;
  @Uuid() policyId!: string;
}

export class EffectivePamRecord {
  @Flag() uacInterceptionEnabled!: boolean;
  @Nested(() => PolicySourceRecord, { nullable: true }) source!: PolicySourceRecord | null;
}

/** The settings in effect for a device, each with the policy that decided it. */
export class EffectiveConfigurationResponse {
  @Nested(() => EffectivePamRecord) pam!: EffectivePamRecord;
}

export class EnrolledAgentResponse {
  @Uuid() deviceId!: string;
  @Text({ max: 64 }) agentToken!: string;
  @Uuid() orgId!: string;
  @Uuid() siteId!: string;
  /** The machine waits until an administrator confirms that it is the device of `returnsAs`. */
  @Choice(['awaiting_confirmation'], { optional: true }) status?: 'awaiting_confirmation';
  /** The device that the machine becomes when an administrator confirms it. */
  @Uuid({ optional: true }) returnsAs?: string;
  /** A device of the same serial number and hostname that the machine did not get back. */
  @Uuid({ optional: true }) possibleDuplicateOf?: string;
  @Nested(() => EffectiveConfigurationResponse) config!: EffectiveConfigurationResponse;
}

export class DeviceResponse {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Text({ max: 255, description: 'The name of its organisation.' }) orgName!: string;
  @Uuid() siteId!: string;
  @Text({ max: 255 }) siteName!: string;
  @UuidList({ maxItems: 1000 }) groupIds!: string[];
  @Text({ max: 255 }) hostname!: string;
  @Text({ max: 255, nullable: true }) displayName!: string | null;
  @Text({ max: 50 }) osType!: string;
  @Text({ max: 100, nullable: true }) osVersion!: string | null;
  @Text({ max: 50, nullable: true }) agentVersion!: string | null;
  @Text({ max: 255, nullable: true }) serialNumber!: string | null;
  @Choice(DEVICE_STATUSES) status!: DeviceStatus;
  /** The device that this machine says it is; it waits for confirmation, or waited for it. */
  @Uuid({ nullable: true }) returnsAs!: string | null;
  @Instant({ nullable: true }) lastSeenAt!: Date | null;
  @Instant({ nullable: true }) decommissionedAt!: Date | null;
  @Instant() createdAt!: Date;
  @Instant() updatedAt!: Date;
}

export const DEVICE_SORTS = ['hostname', 'status', 'lastSeenAt', 'createdAt'] as const;

export class DeviceQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
  @Uuid({ optional: true }) siteId?: string;
  @Uuid({ optional: true }) groupId?: string;
  @Choice(DEVICE_STATUSES, { optional: true }) status?: DeviceStatus;
  @Instant({ optional: true, description: 'Only devices whose agent has not been seen since this instant' })
  lastSeenBefore?: string;
  @Search() search?: string;
  @Sort(DEVICE_SORTS) sort?: string;
}

const SETTABLE = ['online', 'offline', 'maintenance'] as const satisfies readonly DeviceStatus[];

export class UpdateDeviceDto {
  @Text({ max: 255, optional: true, nullable: true, trim: true }) displayName?: string | null;
  @Choice(SETTABLE, { optional: true }) status?: DeviceStatus;
}

export class MoveDeviceDto {
  @Uuid({ optional: true }) orgId?: string;
  @Uuid() siteId!: string;
}

export class IssuedAgentTokenResponse {
  @Uuid() deviceId!: string;
  @Text({ max: 64 }) agentToken!: string;
}

/** The data that a device lost in a move to another organisation. */
export class MoveConsequencesRecord {
  @Flag() organizationChanged!: boolean;
  @UuidList({ maxItems: 1000 }) groupsLeft!: string[];
  /** Values of custom fields that belong to the previous organisation. */
  @Whole({ min: 0, max: 10_000 }) customFieldValuesDropped!: number;
  /** Policies of the previous organisation that were assigned to the device itself. */
  @Whole({ min: 0, max: 10_000 }) policyAssignmentsDropped!: number;
}

export class MovedDeviceResponse extends DeviceResponse {
  @Nested(() => MoveConsequencesRecord) consequences!: MoveConsequencesRecord;
}

const MAX_MEMBERS_AT_ONCE = 1000;

export class CreateDeviceGroupDto {
  @Uuid() orgId!: string;
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Text({ max: 1000, optional: true, nullable: true }) description?: string | null;
}

export class UpdateDeviceGroupDto {
  @Uuid({ optional: true, description: 'Optional; cannot be changed' }) orgId?: string;
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
  @Text({ max: 1000, optional: true, nullable: true }) description?: string | null;
}

export class DeviceGroupResponse {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Text({ max: 255 }) name!: string;
  @Text({ max: 1000, nullable: true }) description!: string | null;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) deviceCount!: number;
  @Instant() createdAt!: Date;
  @Instant() updatedAt!: Date;
}

export class DeviceGroupQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
}

export class GroupDevicesDto {
  @UuidList({ minItems: 1, maxItems: MAX_MEMBERS_AT_ONCE }) deviceIds!: string[];
}

const MAX_KEY_MINUTES = 10 * 365 * 24 * 60;

export class CreateEnrollmentKeyDto {
  @Uuid() orgId!: string;
  @Uuid({ optional: true, nullable: true }) siteId?: string | null;
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Whole({ min: 1, max: MAX_CAP, optional: true, nullable: true }) maxUsage?: number | null;
  @Instant({ optional: true, description: 'In the future, at most ten years ahead.' }) expiresAt?: string;
  @Whole({ min: 1, max: MAX_KEY_MINUTES, optional: true }) ttlMinutes?: number;
  /** Whether a machine without its token may return as its device, if an administrator confirms it; default false. */
  @Flag({ optional: true }) allowReenrollment?: boolean;
}

export class EnrollmentKeyResponse {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Uuid({ nullable: true }) siteId!: string | null;
  @Text({ max: 255 }) name!: string;
  @Whole({ min: 0, max: MAX_CAP }) usageCount!: number;
  @Whole({ min: 1, max: MAX_CAP, nullable: true }) maxUsage!: number | null;
  @Instant({ nullable: true }) expiresAt!: Date | null;
  @Flag() allowReenrollment!: boolean;
  @Uuid({ nullable: true }) createdBy!: string | null;
  @Instant() createdAt!: Date;
}

/** The answer to creation and rotation: the only one with the key itself, which is not stored. */
export class IssuedEnrollmentKeyResponse extends EnrollmentKeyResponse {
  @Text({ max: 64 }) key!: string;
}

export class EnrollmentKeyQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
  @Uuid({ optional: true }) siteId?: string;
}
