import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { RuleSetDifference } from '@gatehouse/pam-domain';
import { requireSite } from '../tenants/require-site.ts';
import type { RuleValues } from '../rules/rules.repository.ts';
import type { Candidate, Plan } from './candidates.ts';

export interface CandidateChanges {
  readonly standing: Candidate['standing'];
  readonly difference: RuleSetDifference<RuleValues>;
  readonly plan: Plan;
}

/** The sites whose rules the changes touch; null is the whole organisation. */
function sitesOf({ standing, difference, plan }: CandidateChanges): ReadonlySet<string | null> {
  const before = new Map(standing.map(({ id, values }) => [id, values.siteId]));
  const { added, updated, removed } = difference;
  return new Set([
    ...added.map(({ values }) => values.siteId),
    ...updated.flatMap(({ rule }) => [rule.values.siteId, before.get(rule.id) ?? null]),
    ...removed.map((id) => before.get(id) ?? null),
    ...(plan.defaultUnmatchedVerdict === null ? [] : [null]),
  ]);
}

/**
 * Refuses changes of rules outside the caller's sites, and outside the sites of the replay. A replay that a caller
 * confined to sites started has counted the requests of these sites only, so that its numbers say nothing about
 * changes elsewhere, even when an administrator of the whole organisation applies it.
 * @param replayed the sites of the replay; null for all
 */
export function requireReach(caller: UserCaller, changes: CandidateChanges, replayed: readonly string[] | null): void {
  const sites = sitesOf(changes);
  for (const siteId of sites) requireSite(caller, siteId);
  if (replayed !== null && [...sites].some((siteId) => siteId === null || !replayed.includes(siteId)))
    throw new ProblemError('conflict', 'This replay covers some sites only, and its changes reach further.');
}
