import { invalid } from '@gatehouse/contracts-core';
import type { OrgQuery } from '@gatehouse/contracts-pam';

/** One thing of an organisation; `orgId` is there when the request names the organisation too. */
export interface NamedThing {
  readonly id: string;
  readonly orgId?: string;
}

/** Whether the thing is where the request says that it is. */
export const isWhereNamed = ({ orgId }: NamedThing, thing: { readonly orgId: string }): boolean =>
  orgId === undefined || thing.orgId === orgId;

/**
 * The body of a request with the organisation that it or its address names.
 * @throws ProblemError validation_failed when they name two
 */
export function withOrganization<T extends { orgId?: string }>(body: T, { orgId }: OrgQuery): T {
  if (body.orgId !== undefined && orgId !== undefined && body.orgId !== orgId)
    throw invalid('orgId', 'must be the same in the address and in the body');
  return { ...body, orgId: body.orgId ?? orgId };
}
