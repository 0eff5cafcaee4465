import { invalid, ProblemError, seesSite, type UserCaller } from '@gatehouse/contracts-core';
import type { OrgQuery } from '@gatehouse/contracts-pam';
import type { Device } from './devices.repository.ts';

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

export function requireUsable(caller: UserCaller, device: Device | null): Device {
  if (!device) throw new ProblemError('device_not_found', 'There is no such device.');
  if (!seesSite(caller.scope, device.siteId))
    throw new ProblemError('site_access_denied', 'You have no access to the site of this device.').at(device);
  if (device.status === 'decommissioned')
    throw new ProblemError('device_decommissioned', 'This device is decommissioned.');
  if (device.status === 'awaiting_confirmation')
    throw new ProblemError('device_awaiting_confirmation', 'Nobody has confirmed yet which machine this is.');
  return device;
}

/** Whether a list is empty at once: it names no owner, and its caller reaches no organisation. */
export const isEmptyAtOnce = (
  { scope: { orgs } }: UserCaller,
  { scope, orgId, partnerId }: { scope?: string; orgId?: string; partnerId?: string },
): boolean => orgs !== 'all' && orgs.size === 0 && !(scope ?? orgId ?? partnerId);

/** A resource named by a request; `orgId` is set when the request also names its organisation. */
export interface NamedThing {
  readonly id: string;
  readonly orgId?: string;
}

/** Whether the resource belongs to the organisation named by the request, if it names one. */
export const isWhereNamed = ({ orgId }: NamedThing, thing: { readonly orgId: string | null }): boolean =>
  orgId === undefined || thing.orgId === orgId;

/**
 * Takes the organisation from the body or the query string.
 * @throws ProblemError validation_failed when the two differ
 */
export function withOrganization<T extends { orgId?: string }>(body: T, { orgId }: OrgQuery): T {
  if (body.orgId !== undefined && orgId !== undefined && body.orgId !== orgId)
    throw invalid('orgId', 'must be the same in the address and in the body');
  return { ...body, orgId: body.orgId ?? orgId };
}
