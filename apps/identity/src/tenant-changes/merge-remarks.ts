import type { Reader } from '@gatehouse/database';
import type { MergedOrganizations, Remarks } from '@gatehouse/tenant-data';
import { breakGlassAfterMerge, MAX_BREAK_GLASS } from '../memberships/break-glass.ts';

const COUNT_USERS_LOSING_ACCESS = `
  SELECT count(*) AS count FROM memberships m JOIN org_ref o ON o.org_id = $1 AND o.partner_id = m.partner_id
   WHERE m.level = 'partner' AND m.org_access = 'selected' AND $1 = ANY (m.org_ids) AND NOT $2 = ANY (m.org_ids)`;

/**
 * Effects of a merge on users beyond the rows that move: it never ends a user's break-glass status, and never gives a
 * user access to more organisations.
 */
export async function mergeRemarks(reader: Reader, run: MergedOrganizations): Promise<Remarks> {
  const breakGlass = await breakGlassAfterMerge(reader, run);
  const left =
    (await reader.one<{ count: number }>(COUNT_USERS_LOSING_ACCESS, [run.sourceId, run.targetId]))?.count ?? 0;
  return {
    blockers:
      breakGlass > MAX_BREAK_GLASS
        ? [`The surviving organization may have ${MAX_BREAK_GLASS} break-glass users and would have ${breakGlass}.`]
        : [],
    warnings:
      left > 0
        ? [
            `${left} users of the partner have access to this organization and not to the surviving one: they will not reach what moves there.`,
          ]
        : [],
  };
}
