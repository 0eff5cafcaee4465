import { foldName } from '@gatehouse/contracts-core';
import type { DeviceStatus, OrganizationStatus, PartnerStatus } from '@gatehouse/contracts-tenancy';
import { Conditions, type Reader, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { DeviceEntity } from '../devices/devices.repository.ts';
import { assignments } from '../scope/rows.repository.ts';
import { DEVICE_STATE, type PublishedDevice } from '../scope/publish-state.ts';

const HAS_TOKEN = (parameter: string): string =>
  `(d.agent_token_hash = ${parameter} OR d.previous_token_hash = ${parameter} AND d.previous_token_until > now())`;

const BY_TOKEN = `
  SELECT d.id, d.partner_id, d.org_id, d.site_id, d.hostname, d.status, d.agent_protocol,
    o.status AS organization_status, p.status AS partner_status, ${HAS_TOKEN('$1')} IS TRUE AS is_valid,
    d.agent_token_hash = $1 AND d.previous_token_until > now() IS TRUE AS ends_previous
    FROM devices d JOIN organizations o ON o.id = d.org_id AND o.deleted_at IS NULL
      JOIN partners p ON p.id = d.partner_id AND p.deleted_at IS NULL
   WHERE d.agent_token_hash = $1 OR d.previous_token_hash = $1`;
const TENANT = `
  SELECT o.status, p.status AS partner_status FROM organizations o JOIN partners p ON p.id = o.partner_id
   WHERE o.id = $1 AND o.deleted_at IS NULL AND p.deleted_at IS NULL FOR SHARE OF o`;
const LAST_SEEN = 'coalesce(p.last_seen_at, d.last_seen_at, d.created_at)';
/** A machine never changes its operating system. */
const machineWith = (proof: string): string => `
  SELECT d.id, d.org_id, d.site_id, d.hostname, d.serial_number, d.status, d.returns_as
    FROM devices d LEFT JOIN device_presence p ON p.device_id = d.id
   WHERE d.org_id = $1 AND folded_name(d.os_type) = $2 AND d.status <> 'decommissioned' AND ${proof}
   ORDER BY ${LAST_SEEN} DESC, d.id LIMIT 1 FOR UPDATE OF d`;
const BY_OWN_TOKEN = machineWith(HAS_TOKEN('$3'));
const TAKE_TURN = `SELECT pg_advisory_xact_lock(hashtextextended('gatehouse.serial_number ' || $1 || ' ' || $2, 0))`;
const BY_SERIAL = machineWith(
  `d.folded_serial = $3 AND d.folded_hostname = $4 AND d.status <> 'awaiting_confirmation'`,
);
const END_PREVIOUS = `
  UPDATE devices d SET previous_token_until = now() WHERE d.agent_token_hash = $1 AND d.previous_token_until > now()
    RETURNING ${DEVICE_STATE}`;
const BY_REPLACED_TOKEN = `
  SELECT d.id, d.partner_id, d.org_id, d.site_id, d.hostname FROM devices d
   WHERE d.previous_token_hash = $1 AND d.previous_token_until <= now()`;
const CLAIM_NOTICE = `
  UPDATE devices d SET reenrolment_told_at = now()
   WHERE d.id = $1 AND coalesce(d.reenrolment_told_at < now() - interval '1 day', true) RETURNING d.id`;
const REENROL = `
  UPDATE devices d SET agent_token_hash = $2, previous_token_hash = NULL, previous_token_until = NULL,
    agent_protocol = $3, hostname = $4, os_type = $5, os_version = coalesce($6, os_version),
    agent_version = coalesce($7, agent_version), status = CASE WHEN status = 'offline' THEN 'online' ELSE status END
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
  /** False for a token that was replaced and is over. */
  readonly isValid: boolean;
  /** The token is new, and the one before it still works. */
  readonly endsPrevious: boolean;
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
  readonly osType: string;
}

/** A device in service that was enrolled for the same machine. */
export type KnownMachine = Pick<
  DeviceEntity,
  'id' | 'orgId' | 'siteId' | 'hostname' | 'serialNumber' | 'status' | 'returnsAs'
>;

type ReplacedTokenDevice = Pick<DeviceEntity, 'id' | 'partnerId' | 'orgId' | 'siteId' | 'hostname'>;

export type Inventory = Pick<DeviceEntity, 'agentVersion' | 'osVersion' | 'serialNumber'>;

/** The columns that an agent which enrols again replaces. */
export type Reenrolment = Pick<
  DeviceEntity,
  'id' | 'agentTokenHash' | 'agentProtocol' | 'hostname' | 'osType' | 'osVersion' | 'agentVersion'
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

  /** Locks the device in service of the machine whose own token this is, and works. */
  lockByOwnToken(
    tx: Tx,
    { orgId, osType }: Omit<Machine, 'hostname'>,
    tokenHash: string,
  ): Promise<KnownMachine | null> {
    return tx.one<KnownMachine>(BY_OWN_TOKEN, [orgId, foldName(osType), tokenHash]);
  }

  /**
   * Locks the device in service with the serial number, the one that was seen last. Of two machines that enrol with the
   * same number at once, the second one finds the first.
   * @param serial folded
   */
  async lockBySerial(tx: Tx, { orgId, hostname, osType }: Machine, serial: string): Promise<KnownMachine | null> {
    await tx.query(TAKE_TURN, [orgId, serial]);
    return tx.one<KnownMachine>(BY_SERIAL, [orgId, foldName(osType), serial, foldName(hostname)]);
  }

  /** Ends the token before this one. @returns null if that is over already */
  endPreviousToken(tx: Tx, tokenHash: string): Promise<PublishedDevice | null> {
    return tx.one<PublishedDevice>(END_PREVIOUS, [tokenHash]);
  }

  findByReplacedToken(reader: Reader, tokenHash: string): Promise<ReplacedTokenDevice | null> {
    return reader.one<ReplacedTokenDevice>(BY_REPLACED_TOKEN, [tokenHash]);
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
    { id, agentTokenHash, agentProtocol, hostname, osType, osVersion, agentVersion }: Reenrolment,
  ): Promise<PublishedDevice | null> {
    return tx.one<PublishedDevice>(REENROL, [
      id,
      agentTokenHash,
      agentProtocol,
      hostname,
      osType,
      osVersion,
      agentVersion,
    ]);
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
