import { type TechnicianState, TechnicianChanged } from '@gatehouse/contracts-identity';
import { PushReachChanged, type PushReach } from '@gatehouse/contracts-pam';
import {
  DeviceChanged,
  DeviceGroupChanged,
  type DeviceGroupState,
  type DeviceState,
  OrganizationChanged,
  type OrganizationState,
  PartnerChanged,
  type PartnerState,
  SiteChanged,
  type SiteState,
} from '@gatehouse/contracts-tenancy';
import type { EventEnvelope } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';

/**
 * An upsert that applies only newer versions, so that redelivered or reordered events cannot restore an old state. The
 * first column is the key.
 */
function newest(table: string, columns: readonly string[]): string {
  const places = columns.map((_, at) => `$${at + 1}`);
  const changes = columns.slice(1).map((column) => `${column} = EXCLUDED.${column}`);
  return `INSERT INTO ${table} AS t (${columns.join(', ')}) VALUES (${places.join(', ')})
    ON CONFLICT (${columns[0]}) DO UPDATE SET ${changes.join(', ')} WHERE t.version < EXCLUDED.version RETURNING t.${columns[0]}`;
}

const PARTNER = newest('partner_ref', ['partner_id', 'name', 'slug', 'status', 'deleted', 'version']);
const ORG = newest('org_ref', ['org_id', 'partner_id', 'name', 'status', 'deleted', 'merged_into_id', 'version']);
const SITE = newest('site_ref', ['site_id', 'org_id', 'partner_id', 'name', 'deleted', 'version']);
const GROUP = newest('group_ref', ['group_id', 'org_id', 'partner_id', 'name', 'deleted', 'version']);
const DEVICE = newest('device_ref', [
  'device_id',
  'partner_id',
  'org_id',
  'site_id',
  'group_ids',
  'hostname',
  'status',
  'agent_token_hash',
  'deleted',
  'version',
]);
const TECHNICIAN = newest('technician_ref', ['user_id', 'name', 'email', 'active', 'version']);
const PUSH_REACH = newest('push_reach', ['user_id', 'subscriptions', 'version']);

/** SQL condition: the organisation is purged or being purged, so that late events about its resources are ignored. */
const IS_GONE = `SELECT FROM org_ref WHERE org_id = $1 AND (deleted OR status = 'purging')`;
const FORGET_ORG = 'UPDATE technician_reach SET org_ids = array_remove(org_ids, $1) WHERE $1 = ANY (org_ids)';
const FORGET_REACH = 'DELETE FROM technician_reach WHERE user_id = $1';
const ADD_REACH = `
  INSERT INTO technician_reach (user_id, position, level, partner_id, all_orgs, org_ids, site_ids, permissions)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

const isGone = async (tx: Tx, { orgId }: { readonly orgId: string }): Promise<boolean> =>
  (await tx.one(IS_GONE, [orgId])) !== null;

/**
 * Maintains the `*_ref` read models of partners, organisations, sites, devices, technicians and their push
 * subscriptions.
 */
export class MaintainReadModels {
  @Consumes(PartnerChanged)
  async partner(tx: Tx, { data }: EventEnvelope<PartnerState>): Promise<void> {
    await tx.query(PARTNER, [data.partnerId, data.name, data.slug, data.status, data.deleted, data.version]);
  }

  @Consumes(OrganizationChanged)
  async organization(tx: Tx, { data }: EventEnvelope<OrganizationState>): Promise<void> {
    await tx.query(ORG, [
      data.orgId,
      data.partnerId,
      data.name,
      data.status,
      data.deleted,
      data.mergedIntoId,
      data.version,
    ]);
    if (data.deleted) await tx.query(FORGET_ORG, [data.orgId]);
  }

  @Consumes(SiteChanged)
  async site(tx: Tx, { data }: EventEnvelope<SiteState>): Promise<void> {
    if (!(await isGone(tx, data)))
      await tx.query(SITE, [data.siteId, data.orgId, data.partnerId, data.name, data.deleted, data.version]);
  }

  @Consumes(DeviceGroupChanged)
  async group(tx: Tx, { data }: EventEnvelope<DeviceGroupState>): Promise<void> {
    if (!(await isGone(tx, data)))
      await tx.query(GROUP, [data.groupId, data.orgId, data.partnerId, data.name, data.deleted, data.version]);
  }

  @Consumes(DeviceChanged)
  async device(tx: Tx, { data }: EventEnvelope<DeviceState>): Promise<void> {
    if (!(await isGone(tx, data)))
      await tx.query(DEVICE, [
        data.deviceId,
        data.partnerId,
        data.orgId,
        data.siteId,
        data.groupIds,
        data.hostname,
        data.status,
        data.agentTokenHash,
        data.deleted,
        data.version,
      ]);
  }

  @Consumes(PushReachChanged)
  async pushReach(tx: Tx, { data }: EventEnvelope<PushReach>): Promise<void> {
    await tx.query(PUSH_REACH, [data.userId, data.subscriptions, data.version]);
  }

  @Consumes(TechnicianChanged)
  async technician(tx: Tx, { data }: EventEnvelope<TechnicianState>): Promise<void> {
    if (!(await tx.one(TECHNICIAN, [data.userId, data.name, data.email, data.active, data.version]))) return;
    await tx.query(FORGET_REACH, [data.userId]);
    for (const [at, { level, partnerId, allOrgs, orgIds, siteIds, permissions }] of data.reaches.entries()) {
      await tx.query(ADD_REACH, [data.userId, at, level, partnerId, allOrgs, orgIds, siteIds, permissions]);
    }
  }
}
