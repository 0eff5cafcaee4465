import { ProblemError, seesSite, type UserCaller } from '@gatehouse/contracts-core';

/**
 * A write that affects every site requires a caller whose reach includes every site (decisions, "site-confined
 * callers").
 * @param siteId null for the whole organisation
 */
export function requireSite(caller: UserCaller, siteId: string | null): void {
  if (seesSite(caller.scope, siteId)) return;
  throw new ProblemError(
    'site_access_denied',
    siteId === null ? 'This would reach sites that you have no access to.' : 'You have no access to this site.',
  );
}
