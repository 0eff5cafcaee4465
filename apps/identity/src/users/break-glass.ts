import { Refusal } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';

/** Two for each owner: enough to get in when the identity provider is away, few enough to watch. */
const MOST = 2;
const TAKE_TURNS = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.break_glass ' || $1))`;
const COUNT = `
  SELECT count(DISTINCT u.id) AS count FROM users u JOIN memberships m ON m.user_id = u.id
   WHERE u.break_glass AND u.id <> $1 AND m.partner_id IS NOT DISTINCT FROM $2::uuid AND m.org_id IS NOT DISTINCT FROM $3::uuid`;

interface Owner {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

/**
 * Decisions, "enforcement safety": each owner has at most two break-glass people, however they come to belong to it.
 * @param userId one who has that standing, or is given it
 * @throws Refusal break_glass_limit_reached
 */
export async function requireBreakGlassRoom(tx: Tx, userId: string, owners: readonly Owner[]): Promise<void> {
  for (const { partnerId, orgId } of owners) {
    await tx.query(TAKE_TURNS, [`${partnerId ?? 'system'}/${orgId ?? ''}`]);
    const others = await tx.one<{ count: number }>(COUNT, [userId, partnerId, orgId]);
    if ((others?.count ?? 0) >= MOST) throw new Refusal('break_glass_limit_reached', `There are ${MOST} break-glass users already.`);
  }
}
