import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';

/**
 * A contact without a site belongs to the whole organisation: a site-confined caller can read it but not change it.
 */
export const mayWriteAt = ({ scope }: UserCaller, siteId: string | null): boolean =>
  scope.sites === 'all' || (siteId !== null && scope.sites.has(siteId));

/** @throws ProblemError site_access_denied for a write outside the sites of a confined caller */
export function requireSiteInReach(caller: UserCaller, siteId: string | null): void {
  if (!mayWriteAt(caller, siteId))
    throw new ProblemError('site_access_denied', 'Your access is limited to some sites of this organization.');
}
