import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { VISIBLE_ORGANIZATIONS_ONLY } from '../scope/organizations-in-reach.repository.ts';
import { DEVICE_STATE, type PublishedDevice } from '../scope/publish-state.ts';

/**
 * When an agent was last seen after its enrolment. A table of its own, so that a sign of life makes no new version of
 * the device and waits for no lock on it.
 */
@Entity('device_presence')
export class DevicePresenceEntity {
  @PrimaryColumn('uuid') deviceId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('timestamptz') lastSeenAt!: Date;
}

const BATCH = 1000;

// In id order, so that replicas that record the same devices cannot deadlock.
const RECORD = `
  INSERT INTO device_presence AS p (device_id, partner_id, org_id, last_seen_at)
  SELECT id, partner_id, org_id, now() FROM devices WHERE id = ANY ($1::uuid[]) AND status <> 'decommissioned'
    ORDER BY id
  ON CONFLICT (device_id) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at`;
const SET_ONLINE = `
  WITH seen AS (SELECT d.id FROM devices d WHERE d.id = ANY ($1::uuid[]) AND d.status = 'offline'
    AND ${VISIBLE_ORGANIZATIONS_ONLY('d.org_id')} ORDER BY d.id FOR NO KEY UPDATE SKIP LOCKED)
  UPDATE devices d SET status = 'online' FROM seen WHERE d.id = seen.id AND d.status = 'offline'
    RETURNING ${DEVICE_STATE}`;
const SET_SILENT_OFFLINE = `
  WITH silent AS (
    SELECT d.id FROM devices d LEFT JOIN device_presence p ON p.device_id = d.id
     WHERE d.status = 'online' AND coalesce(p.last_seen_at, d.last_seen_at,
       d.created_at) < now() - make_interval(secs => $1) AND ${VISIBLE_ORGANIZATIONS_ONLY('d.org_id')}
     ORDER BY d.id LIMIT ${BATCH} FOR NO KEY UPDATE OF d SKIP LOCKED)
  UPDATE devices d SET status = 'offline' FROM silent WHERE d.id = silent.id AND d.status = 'online'
    RETURNING ${DEVICE_STATE}`;

/**
 * Stores when agents were last seen, and the device status that follows. Only users set `maintenance` and
 * `decommissioned`.
 */
@Injectable()
export class DevicePresenceRepository {
  async record(tx: Tx, deviceIds: readonly string[]): Promise<void> {
    await tx.query(RECORD, [deviceIds]);
  }

  /** Sets offline devices whose agents were seen again back to online. */
  setOnline(tx: Tx, deviceIds: readonly string[]): Promise<PublishedDevice[]> {
    return tx.query<PublishedDevice>(SET_ONLINE, [deviceIds]);
  }

  /** Sets a batch of online devices whose agents have been silent for too long to offline. */
  setSilentOffline(tx: Tx, afterSeconds: number): Promise<PublishedDevice[]> {
    return tx.query<PublishedDevice>(SET_SILENT_OFFLINE, [afterSeconds]);
  }
}
