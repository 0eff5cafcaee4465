import type { Reader, Tx } from '@gatehouse/database';
import type { MergedOrganizations } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';

const LOCK_OWNER = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.break_glass ' || $1))`;
const COUNT_OTHERS = `
  SELECT count(DISTINCT u.id) AS count FROM users u JOIN memberships m ON m.user_id = u.id
   WHERE u.break_glass AND u.id <> $1 AND m.partner_id IS NOT DISTINCT FROM $2::uuid AND m.org_id IS NOT DISTINCT
     FROM $3::uuid`;
const LOCK_ORGANIZATION = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.break_glass ' || partner_id || '/' || org_id)) FROM org_ref WHERE org_id = $1`;
const COUNT_OF_MERGE = `
  SELECT count(DISTINCT m.user_id) AS count, count(DISTINCT m.user_id) FILTER (WHERE m.org_id = $2) AS there
    FROM users u JOIN memberships m ON m.user_id = u.id
   WHERE u.break_glass AND m.org_id = ANY (ARRAY[$1, $2]::uuid[])`;

/** The tenant of a break-glass user. */
export interface BreakGlassOwner {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

@Injectable()
export class BreakGlassRepository {
  /** Counts the owner's break-glass users except this one. The lock makes concurrent counts wait. */
  async countOthers(tx: Tx, { partnerId, orgId }: BreakGlassOwner, userId: string): Promise<number> {
    await tx.query(LOCK_OWNER, [`${partnerId ?? 'system'}/${orgId ?? ''}`]);
    return (await tx.one<{ count: number }>(COUNT_OTHERS, [userId, partnerId, orgId]))?.count ?? 0;
  }

  /** Counts the break-glass users that the survivor would have; 0 when the merge adds none. */
  async countAfterMerge(reader: Reader, { sourceId, targetId }: MergedOrganizations): Promise<number> {
    await reader.one(LOCK_ORGANIZATION, [targetId]);
    const together = await reader.one<{ count: number; there: number }>(COUNT_OF_MERGE, [sourceId, targetId]);
    return together && together.count > together.there ? together.count : 0;
  }
}
