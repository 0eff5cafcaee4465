import type { Reader } from '@gatehouse/database';
import { missingPermissions } from '@gatehouse/identity-domain';
import type { MergeQuestion, Remarks } from '@gatehouse/tenant-data';
import { BreakGlassRepository, MembershipsRepository } from '../../people/memberships/memberships.repository.ts';
import { MAX_BREAK_GLASS } from '../../people/memberships/memberships.service.ts';
import { mergeLosses, permissionsOfMembers } from './merge-losses.repository.ts';

const membershipsRepository = new MembershipsRepository();
const breakGlassRepository = new BreakGlassRepository();

/** Keeps a blocker short enough for the message that carries it. */
const MAX_NAMED = 10;

/**
 * A merge gives the members of each organisation their permissions over the other's things too, so the user who starts
 * it must hold all of them.
 */
async function missingAuthority(reader: Reader, question: MergeQuestion): Promise<string[]> {
  if (question.permissions === undefined) return [];
  const missing = missingPermissions(new Set(question.permissions), await permissionsOfMembers(reader, question));
  if (missing.length === 0) return [];
  const named = missing.slice(0, MAX_NAMED).join(', ');
  const others = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  return [`Users would get permissions that you do not have: ${named}${others}.`];
}

/**
 * Effects of a merge on users beyond the rows that move: it never ends a user's break-glass status, and never gives a
 * user access to more organisations.
 */
export async function mergeRemarks(reader: Reader, run: MergeQuestion): Promise<Remarks> {
  const breakGlass = await breakGlassRepository.countAfterMerge(reader, run);
  const left = await membershipsRepository.countUsersLosingAccess(reader, run);
  return {
    blockers: [
      ...(breakGlass > MAX_BREAK_GLASS
        ? [`The surviving organisation may have ${MAX_BREAK_GLASS} break-glass users and would have ${breakGlass}.`]
        : []),
      ...(await missingAuthority(reader, run)),
    ],
    warnings: [
      ...(left > 0
        ? [
            `Users of the partner with access to this organisation and not to the surviving one: ${left}. They will not reach what moves there.`,
          ]
        : []),
      ...(await mergeLosses(reader, run)),
    ],
  };
}
