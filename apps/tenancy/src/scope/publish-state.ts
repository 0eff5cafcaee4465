import type { EventActor } from '@gatehouse/contracts-core';
import {
  AgentUninstallRequested,
  DeviceChanged,
  DeviceGroupChanged,
  type DeviceStatus,
  OrganizationChanged,
  type OrganizationStatus,
  PartnerChanged,
  type PartnerStatus,
  SiteChanged,
} from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';

interface Versioned {
  readonly id: string;
  readonly version: number;
}

export interface PublishedPartner extends Versioned {
  readonly name: string;
  readonly slug: string;
  readonly status: PartnerStatus;
  readonly deletedAt: Date | null;
}

export interface PublishedOrganization extends Versioned {
  readonly partnerId: string;
  readonly name: string;
  readonly status: OrganizationStatus;
  readonly deletedAt: Date | null;
  readonly mergedIntoId: string | null;
}

export interface PublishedSite extends Versioned {
  readonly partnerId: string;
  readonly orgId: string;
  readonly name: string;
}

/** A group's own columns, as published in its state event. */
export const GROUP_STATE = 'id, partner_id, org_id, name, version';
export interface PublishedGroup extends Versioned {
  readonly partnerId: string;
  readonly orgId: string;
  readonly name: string;
}

/** The groups of a device, of which statements alias the table as `d`. */
export const GROUP_IDS =
  'ARRAY(SELECT m.group_id FROM device_group_members m WHERE m.device_id = d.id ORDER BY m.group_id) AS group_ids';

/** The columns about a device's agent that only its event has. */
export const DEVICE_AGENT = 'd.agent_token_hash, d.previous_token_hash, d.previous_token_until, d.agent_protocol';

/** The columns that the event of a changed device needs. */
export const DEVICE_STATE = `d.id, d.partner_id, d.org_id, d.site_id, ${GROUP_IDS}, d.hostname, d.status, ${DEVICE_AGENT}, d.version`;
export interface PublishedDevice extends Versioned {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly groupIds: string[];
  readonly hostname: string;
  readonly status: DeviceStatus;
  readonly agentTokenHash: string | null;
  readonly previousTokenHash: string | null;
  readonly previousTokenUntil: Date | null;
  readonly agentProtocol: number;
}

/**
 * Publishes the state of changed rows for read models. The aggregate of each event is the tenant at the top, so that
 * parents arrive before children.
 */
export const publishPartner = (tx: Tx, { id, name, slug, status, deletedAt, version }: PublishedPartner): void =>
  tx.emit(
    PartnerChanged,
    { partnerId: id, name, slug, status, deleted: deletedAt !== null, version },
    { aggregateId: id },
  );

export const publishOrganization = (
  tx: Tx,
  { id, partnerId, name, status, deletedAt, mergedIntoId, version }: PublishedOrganization,
): void =>
  tx.emit(
    OrganizationChanged,
    { orgId: id, partnerId, name, status, deleted: deletedAt !== null, mergedIntoId, version },
    { aggregateId: id },
  );

export const publishSite = (tx: Tx, { id, partnerId, orgId, name, version }: PublishedSite, deleted = false): void =>
  tx.emit(SiteChanged, { siteId: id, orgId, partnerId, name, deleted, version }, { aggregateId: id });

export const publishGroup = (tx: Tx, { id, partnerId, orgId, name, version }: PublishedGroup, deleted = false): void =>
  tx.emit(DeviceGroupChanged, { groupId: id, orgId, partnerId, name, deleted, version }, { aggregateId: id });

/** @param by who changed it, if not the caller */
export const publishDevice = (
  tx: Tx,
  device: PublishedDevice,
  { deleted = false, by }: { deleted?: boolean; by?: EventActor } = {},
): void => {
  const { id, partnerId, orgId, siteId, groupIds, hostname, status, version } = device;
  const { agentTokenHash, previousTokenHash, previousTokenUntil, agentProtocol } = device;
  const agent = { agentTokenHash, previousTokenHash, previousTokenUntil, agentProtocol };
  tx.emit(
    DeviceChanged,
    { deviceId: id, partnerId, orgId, siteId, groupIds, hostname, status, ...agent, deleted, version },
    { aggregateId: id, actor: by },
  );
};

/**
 * Publishes a request to remove a device's agent, for the service that talks to agents.
 * @param orgVersion set if the device's whole organisation is archived
 */
export const requestUninstall = (
  tx: Tx,
  { id, orgId, partnerId }: { id: string; orgId: string; partnerId: string },
  orgVersion?: number,
): void => tx.emit(AgentUninstallRequested, { deviceId: id, orgId, partnerId, orgVersion }, { aggregateId: id });
