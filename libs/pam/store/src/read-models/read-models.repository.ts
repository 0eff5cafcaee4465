import type { TechnicianState } from '@gatehouse/contracts-identity';
import type { PushReach } from '@gatehouse/contracts-pam';
import type { DeviceGroupState, DeviceState } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { EDITOR_DAYS } from '@gatehouse/pam-domain';
import { TenantRefs, upsertNewer } from '@gatehouse/tenant-data';
import { bumpRulebooks } from '../rulebooks/bump-rulebook.ts';

const GROUP = upsertNewer('group_ref', ['group_id', 'org_id', 'partner_id', 'name', 'deleted', 'version']);
/** SQL: a device that is offline or out of service has the name of a new one, so it may be its machine (PAM-372). */
const IS_NAMESAKE = `n.partner_id = $2 AND n.folded_hostname = lower($6) AND n.device_id <> $1 AND NOT n.deleted
  AND n.status <> 'online' AND NOT EXISTS (SELECT FROM device_ref WHERE device_id = $1)`;
const EDITS_OF_NAMESAKES = `
  (SELECT coalesce(jsonb_agg(jsonb_build_object('userId', e.user_id, 'at', e.at)), '[]') FROM (
    SELECT x->>'userId' AS user_id, max(x->>'at') AS at FROM device_ref n, jsonb_array_elements(n.edits) AS x
     WHERE ${IS_NAMESAKE} GROUP BY 1) AS e)`;
const PLACES_OF_NAMESAKES = `
  ARRAY(SELECT unnest(n.site_id || n.group_ids) FROM device_ref n WHERE ${IS_NAMESAKE} AND n.org_id = $3)`;
/** SQL: an update that also remembers who moved the device or changed its groups; $14 is a person, or null. */
const remembering = (upsert: string): string =>
  upsert
    .replace(') VALUES', ', edits, former_places) VALUES')
    .replace('$13)', `$13, ${EDITS_OF_NAMESAKES}, ${PLACES_OF_NAMESAKES})`)
    .replace(
      'DO UPDATE SET',
      `DO UPDATE SET edits = (
       SELECT coalesce(jsonb_agg(e), '[]') FROM jsonb_array_elements(t.edits) AS e
        WHERE (e->>'at')::timestamptz > now() - interval '${EDITOR_DAYS} days' AND e->>'userId' IS DISTINCT FROM $14::text)
       || CASE WHEN $14::text IS NULL OR (t.org_id = EXCLUDED.org_id AND t.site_id = EXCLUDED.site_id
            AND t.group_ids @> EXCLUDED.group_ids AND EXCLUDED.group_ids @> t.group_ids)
          THEN (SELECT coalesce(jsonb_agg(e), '[]') FROM jsonb_array_elements(t.edits) AS e WHERE e->>'userId' = $14::text)
          ELSE jsonb_build_array(jsonb_build_object('userId', $14::text, 'at', now())) END,`,
    );
const DEVICE = upsertNewer('device_ref', [
  'device_id',
  'partner_id',
  'org_id',
  'site_id',
  'group_ids',
  'hostname',
  'status',
  'agent_token_hash',
  'previous_token_hash',
  'previous_token_until',
  'agent_protocol',
  'deleted',
  'version',
]);
const DEVICE_EDITED = remembering(DEVICE);
/** Devices that took the name while this one was still online follow it when it no longer is. */
const BEQUEATH = `
  UPDATE device_ref h SET edits = h.edits || d.edits,
         former_places = h.former_places || CASE WHEN h.org_id = d.org_id THEN d.site_id || d.group_ids ELSE '{}' END
    FROM device_ref d
   WHERE d.device_id = $1 AND d.status <> 'online' AND NOT d.deleted AND NOT h.deleted
     AND h.partner_id = d.partner_id AND h.folded_hostname = d.folded_hostname
     AND h.device_id > greatest($1, uuid_from_instant(now() - interval '${EDITOR_DAYS} days'))
     AND NOT (h.edits @> d.edits AND (h.org_id <> d.org_id OR h.former_places @> (d.site_id || d.group_ids)))`;
const TECHNICIAN = upsertNewer('technician_ref', ['user_id', 'name', 'email', 'active', 'version']);
const PUSH_REACH = upsertNewer('push_reach', ['user_id', 'subscriptions', 'version']);

const REMOVE_FROM_REACH = 'UPDATE technician_reach SET org_ids = array_remove(org_ids, $1) WHERE $1 = ANY (org_ids)';
const DELETE_REACH = 'DELETE FROM technician_reach WHERE user_id = $1';
const INSERT_REACH = `
  INSERT INTO technician_reach (user_id, position, level, partner_id, all_orgs, org_ids, site_ids, permissions)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Writes the read models; a state older than the stored one changes nothing. */
export class ReadModelsRepository extends TenantRefs {
  /** Removes a deleted organisation from the reach of technicians. */
  async removeFromReach(tx: Tx, orgId: string): Promise<void> {
    await tx.query(REMOVE_FROM_REACH, [orgId]);
  }

  async saveGroup(tx: Tx, { groupId, orgId, partnerId, name, deleted, version }: DeviceGroupState): Promise<void> {
    await tx.query(GROUP, [groupId, orgId, partnerId, name, deleted, version]);
  }

  /** @param by the person who made the change; null for a part of the product */
  async saveDevice(tx: Tx, state: DeviceState, by: string | null): Promise<void> {
    const { deviceId, partnerId, orgId, siteId, groupIds, hostname, status, deleted, version } = state;
    const { agentTokenHash, previousTokenHash = null, previousTokenUntil = null, agentProtocol = 1 } = state;
    const place = [deviceId, partnerId, orgId, siteId, groupIds];
    const agent = [agentTokenHash, previousTokenHash, previousTokenUntil, agentProtocol];
    await tx.query(DEVICE_EDITED, [...place, hostname, status, ...agent, deleted, version, by]);
    if (status !== 'online' && !deleted) await tx.query(BEQUEATH, [deviceId]);
  }

  async savePushReach(tx: Tx, { userId, subscriptions, version }: PushReach): Promise<void> {
    await tx.query(PUSH_REACH, [userId, subscriptions, version]);
  }

  /** @returns whether the state was newer than the stored one */
  async saveTechnician(tx: Tx, { userId, name, email, active, version }: TechnicianState): Promise<boolean> {
    return (await tx.one(TECHNICIAN, [userId, name, email, active, version])) !== null;
  }

  async replaceReach(tx: Tx, { userId, reaches }: TechnicianState): Promise<void> {
    await tx.query(DELETE_REACH, [userId]);
    for (const [at, { level, partnerId, allOrgs, orgIds, siteIds, permissions }] of reaches.entries()) {
      await tx.query(INSERT_REACH, [userId, at, level, partnerId, allOrgs, orgIds, siteIds, permissions]);
    }
  }
}

const FOLLOW = `
  WITH left_behind AS MATERIALIZED (
    SELECT f.id, f.org_id AS previous_org_id, d.org_id FROM pam_freezes f JOIN device_ref d ON d.device_id = f.target_id
     WHERE f.target_id = $1 AND f.ended_at IS NULL AND f.level = 'device' AND f.partner_id = d.partner_id
       AND f.org_id <> d.org_id FOR UPDATE OF f)
  UPDATE pam_freezes f SET org_id = l.org_id FROM left_behind l WHERE f.id = l.id
    RETURNING f.id, f.partner_id, f.org_id, l.previous_org_id`;

interface Followed {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly previousOrgId: string;
}

/** Freezes of a device stay in force in the organisation to which it moves (PAM-150). */
export async function followDevice(tx: Tx, deviceId: string): Promise<void> {
  const followed = await tx.query<Followed>(FOLLOW, [deviceId]);
  const [first] = followed;
  if (!first) return;
  // In the order of their ids, so that two moves cannot deadlock.
  const orgIds = [...new Set(followed.flatMap(({ orgId, previousOrgId }) => [orgId, previousOrgId]))].sort();
  const owners = orgIds.map((orgId) => ({ partnerId: first.partnerId, orgId }));
  await bumpRulebooks(tx, owners, [{ kind: 'freeze', ids: followed.map(({ id }) => id), editedBy: null }]);
}
