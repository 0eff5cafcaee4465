import { invalid } from '@gatehouse/contracts-core';
import type { LiveMembership } from '../people/accounts.repository.ts';

/**
 * @returns the chosen membership, or the only one; null when there are several and the user has not chosen
 * @throws ProblemError validation_failed when the chosen membership does not belong to the user
 */
export function chooseMembership(
  memberships: readonly LiveMembership[],
  chosenId: string | undefined,
): LiveMembership | null {
  if (chosenId === undefined) return memberships.length === 1 ? (memberships[0] ?? null) : null;
  const chosen = memberships.find(({ id }) => id === chosenId);
  if (!chosen) throw invalid('membershipId', 'must be one of your memberships');
  return chosen;
}
