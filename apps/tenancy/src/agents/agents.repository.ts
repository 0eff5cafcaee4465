import { foldName } from '@gatehouse/contracts-core';
import type { DeviceStatus, OrganizationStatus, PartnerStatus } from '@gatehouse/contracts-tenancy';
import { Conditions, type Reader, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { DeviceEntity } from '../devices/device.entity.ts';
import { assignments } from '../rows/assignments.ts';
import { DEVICE_STATE, type PublishedDevice } from '../rows/publish-state.ts';

const HAS_TOKEN = (parameter: string): string =>
  `(d.agent_token_hash = ${parameter} OR d.previous_token_hash = ${parameter} AND d.previous_token_until > now())`;

const BY_TOKEN = `
  SELECT d.id, d.partner_id, d.org_id, d.site_id, d.hostname, d.status, d.agent_protocol,
    o.status AS organization_status, p.status AS partner_status
    FROM devices d JOIN organizations o ON o.id = d.org_id AND o.deleted_at IS NULL
      JOIN partners p ON p.id = d.partner_id AND p.deleted_at IS NULL
   WHERE ${HAS_TOKEN('$1')}`;
const TENANT = `
  SELECT o.status, p.status AS partner_status FROM organizations o JOIN partners p ON p.id = o.partner_id
   WHERE o.id = $1 AND o.deleted_at IS NULL AND p.deleted_at IS NULL FOR SHARE OF o`;
const LAST_SEEN = 'coalesce(p.last_seen_at, d.last_seen_at, d.created_at)';
const MACHINE = `
  SELECT d.id, d.org_id, d.site_id, d.hostname, coalesce(${HAS_TOKEN('$4')}, false) AS has_token,
         d.status = 'offline' AND ${LAST_SEEN} < now() - make_interval(mins => $5) AS is_offline
    FROM devices d LEFT JOIN device_presence p ON p.device_id = d.id
   WHERE d.org_id = $1 AND d.folded_serial = $2 AND d.folded_hostname = $3
     AND d.status <> 'decommissioned'
   ORDER BY has_token DESC, ${LAST_SEEN} DESC, d.id LIMIT 1 FOR UPDATE OF d`;
const CLAIM_NOTICE = `
  UPDATE devices d SET reenrolment_told_at = now()
   WHERE d.id = $1 AND coalesce(d.reenrolment_told_at < now() - interval '1 day', true) RETURNING d.id`;
const REENROL = `
  UPDATE devices d SET agent_token_hash = $2, previous_token_hash = NULL, previous_token_until = NULL,
    agent_protocol = $3, os_type = $4, os_version = coalesce($5, os_version),
    agent_version = coalesce($6, agent_version), status = CASE WHEN status = 'offline' THEN 'online' ELSE status END
   WHERE d.id = $1 RETURNING ${DEVICE_STATE}`;
// A token that was replaced already gets no second life: an answer that was lost is asked for again within its time.
const ROTATE = `
  UPDATE devices d SET agent_token_hash = $3, previous_token_hash = $2,
         previous_token_until = CASE WHEN d.previous_token_hash = $2 THEN d.previous_token_until
           ELSE now() + make_interval(secs => $4) END
   WHERE d.id = $1 AND ${HAS_TOKEN('$2')} RETURNING ${DEVICE_STATE}`;
const INVENTORY = 'SELECT agent_version, os_version, serial_number FROM devices WHERE id = $1 FOR UPDATE';
const STATE_PROTOCOL = `
  UPDATE devices d SET agent_protocol = $2 FROM organizations o
   WHERE d.id = $1 AND d.agent_protocol <> $2 AND o.id = d.org_id AND o.status NOT IN ('archived', 'merging', 'purging')
     RETURNING ${DEVICE_STATE}`;

export interface AgentRow {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly hostname: string;
  readonly status: DeviceStatus;
  readonly agentProtocol: number;
  readonly organizationStatus: OrganizationStatus;
  readonly partnerStatus: PartnerStatus;
}

/** The statuses that decide whether agents can enrol. */
interface TenantStatuses {
  readonly status: OrganizationStatus;
  readonly partnerStatus: PartnerStatus;
}

/** What identifies a machine that enrols again. */
export interface Machine {
  readonly orgId: string;
  readonly hostname: string;
  readonly serialNumber: string;
}

/** A device in service that was enrolled for the same machine. */
export interface KnownMachine extends Pick<DeviceEntity, 'id' | 'orgId' | 'siteId' | 'hostname'> {
  /** The presented token is the device's own and works. */
  readonly hasToken: boolean;
  /** The device is offline, and its agent has not been seen for the required time. */
  readonly isOffline: boolean;
}

export type Inventory = Pick<DeviceEntity, 'agentVersion' | 'osVersion' | 'serialNumber'>;

/** The columns that an agent which enrols again replaces. */
export type Reenrolment = Pick<
  DeviceEntity,
  'id' | 'agentTokenHash' | 'agentProtocol' | 'osType' | 'osVersion' | 'agentVersion'
>;

/** Agents prove themselves with a token or a key, so they determine their tenant and need no scope. */
@Injectable()
export class AgentsRepository {
  /** Tokens below deleted organisations and partners are not found. */
  findByTokenHash(reader: Reader, tokenHash: string): Promise<AgentRow | null> {
    return reader.one<AgentRow>(BY_TOKEN, [tokenHash]);
  }

  /** Locks the organisation, so that a concurrent archive or merge waits. Null if it or its partner is deleted. */
  lockTenant(tx: Tx, orgId: string): Promise<TenantStatuses | null> {
    return tx.one<TenantStatuses>(TENANT, [orgId]);
  }

  /** Locks the device of the machine: the one with the token, else the one that was seen last. */
  async lockMachine(
    tx: Tx,
    { orgId, hostname, serialNumber }: Machine,
    tokenHash: string | null,
    offlineMinutes: number,
  ): Promise<KnownMachine | null> {
    return tx.one<KnownMachine>(MACHINE, [
      orgId,
      foldName(serialNumber),
      foldName(hostname),
      tokenHash,
      offlineMinutes,
    ]);
  }

  /**
   * Claims the notice that the device's machine enrolled again. The caller must have locked the device.
   * @returns false when there was one within a day
   */
  async claimNotice(tx: Tx, id: string): Promise<boolean> {
    return (await tx.one(CLAIM_NOTICE, [id])) !== null;
  }

  /** Gives a device a new token; its old ones stop working. The caller must have locked the device. */
  reenrol(
    tx: Tx,
    { id, agentTokenHash, agentProtocol, osType, osVersion, agentVersion }: Reenrolment,
  ): Promise<PublishedDevice | null> {
    return tx.one<PublishedDevice>(REENROL, [id, agentTokenHash, agentProtocol, osType, osVersion, agentVersion]);
  }

  /** Replaces a token that works. @returns null if it no longer works */
  rotateToken(
    tx: Tx,
    id: string,
    { oldHash, newHash }: { readonly oldHash: string; readonly newHash: string },
    graceSeconds: number,
  ): Promise<PublishedDevice | null> {
    return tx.one<PublishedDevice>(ROTATE, [id, oldHash, newHash, graceSeconds]);
  }

  lockInventory(tx: Tx, id: string): Promise<Inventory | null> {
    return tx.one<Inventory>(INVENTORY, [id]);
  }

  updateInventory(tx: Tx, id: string, changes: Partial<Inventory>): Promise<PublishedDevice | null> {
    const conditions = new Conditions().add('d.id = ?', id);
    const set = assignments(changes, conditions);
    const sql = `UPDATE devices d SET ${set} ${conditions.where} RETURNING ${DEVICE_STATE}`;
    return tx.one<PublishedDevice>(sql, conditions.parameters);
  }

  /** @returns the device, if it had stated another protocol and its organisation is not frozen */
  stateProtocol(tx: Tx, id: string, protocol: number): Promise<PublishedDevice | null> {
    return tx.one<PublishedDevice>(STATE_PROTOCOL, [id, protocol]);
  }
}
