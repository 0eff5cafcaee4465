import type { Tx } from '@gatehouse/database';
import { bumpRulebooks } from '../rulebooks/bump-rulebook.ts';

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
