import { invalid } from '@gatehouse/contracts-core';
import type { OrgQuery } from '@gatehouse/contracts-pam';

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
