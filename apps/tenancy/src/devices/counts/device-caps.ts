import { ProblemError } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';

const CAPS = `SELECT o.max_devices AS of_organization, p.max_devices AS of_partner FROM organizations o JOIN partners p ON p.id = o.partner_id WHERE o.id = $1`;
/** Row lock that serialises the requests that count against a partner's caps. */
const LOCK = 'SELECT partner_id FROM partner_counters WHERE partner_id = $1 FOR UPDATE';
const COUNT_OF_ORGANIZATION = `SELECT count(*) AS count FROM devices WHERE org_id = $1 AND status <> 'decommissioned'`;
const COUNT_OF_PARTNER = `SELECT count(*) AS count FROM devices WHERE partner_id = $1 AND status <> 'decommissioned'`;

interface Place {
  readonly partnerId: string;
  readonly orgId: string;
}

/**
 * Rejects a device that would exceed the cap of the organisation or of its partner. A device that moves within the
 * partner already counts there.
 * @throws ProblemError device_limit_reached
 */
export async function requireRoomForDevice(
  tx: Tx,
  { partnerId, orgId }: Place,
  comesFrom: 'outside' | 'same-partner',
): Promise<void> {
  const caps = await tx.one<{ ofOrganization: number | null; ofPartner: number | null }>(CAPS, [orgId]);
  const partnerCap = comesFrom === 'outside' ? (caps?.ofPartner ?? null) : null;
  const organizationCap = caps?.ofOrganization ?? null;
  if (partnerCap === null && organizationCap === null) return;
  await tx.query(LOCK, [partnerId]);
  await requireBelow(tx, organizationCap, COUNT_OF_ORGANIZATION, orgId);
  await requireBelow(tx, partnerCap, COUNT_OF_PARTNER, partnerId);
}

async function requireBelow(tx: Tx, cap: number | null, count: string, id: string): Promise<void> {
  if (cap === null) return;
  const counted = await tx.one<{ count: number }>(count, [id]);
  if ((counted?.count ?? 0) >= cap)
    throw new ProblemError('device_limit_reached', 'No more devices can be enrolled here.', { limit: cap });
}
