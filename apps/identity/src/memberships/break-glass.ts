import { ProblemError } from '@gatehouse/contracts-core';
import type { Reader, Tx } from '@gatehouse/database';
import type { MergedOrganizations } from '@gatehouse/tenant-data';

/** Per owner: enough to get in while the identity provider is down, few enough to watch. */
export const MAX_BREAK_GLASS = 2;
const LOCK_OWNER = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.break_glass ' || $1))`;
const COUNT = `
  SELECT count(DISTINCT u.id) AS count FROM users u JOIN memberships m ON m.user_id = u.id
   WHERE u.break_glass AND u.id <> $1 AND m.partner_id IS NOT DISTINCT FROM $2::uuid AND m.org_id IS NOT DISTINCT FROM $3::uuid`;
const LOCK_ORGANIZATION = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.break_glass ' || partner_id || '/' || org_id)) FROM org_ref WHERE org_id = $1`;
const COUNT_BOTH = `
  SELECT count(DISTINCT m.user_id) AS count, count(DISTINCT m.user_id) FILTER (WHERE m.org_id = $2) AS there FROM users u JOIN memberships m ON m.user_id = u.id
   WHERE u.break_glass AND m.org_id = ANY (ARRAY[$1, $2]::uuid[])`;

interface Owner {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

/**
 * Decisions, "enforcement safety": each owner has at most two break-glass users, no matter how they became its members.
 * @param userId a user who is a break-glass user or becomes one
 * @throws ProblemError break_glass_limit_reached
 */
export async function requireBreakGlassRoom(tx: Tx, userId: string, owners: readonly Owner[]): Promise<void> {
  for (const { partnerId, orgId } of owners) {
    await tx.query(LOCK_OWNER, [`${partnerId ?? 'system'}/${orgId ?? ''}`]);
    const others = await tx.one<{ count: number }>(COUNT, [userId, partnerId, orgId]);
    if ((others?.count ?? 0) >= MAX_BREAK_GLASS)
      throw new ProblemError('break_glass_limit_reached', `There are ${MAX_BREAK_GLASS} break-glass users already.`);
  }
}

/** Counts the break-glass users that the survivor would have; 0 when the merge adds none. */
export async function breakGlassAfterMerge(
  reader: Reader,
  { sourceId, targetId }: MergedOrganizations,
): Promise<number> {
  await reader.one(LOCK_ORGANIZATION, [targetId]);
  const together = await reader.one<{ count: number; there: number }>(COUNT_BOTH, [sourceId, targetId]);
  return together && together.count > together.there ? together.count : 0;
}
