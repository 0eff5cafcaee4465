import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateScriptDto } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { faultyExitCode } from '@gatehouse/tenancy-domain';
import { type Owner, requireOwner } from '../scope/owner.ts';

/**
 * A script belongs to one organisation unless the request makes it available to the whole partner.
 * @throws ProblemError scope_denied, partner_required, org_required, organization_not_found, organization_frozen
 */
export const requireScriptOwner = (
  tx: Tx,
  caller: UserCaller,
  { availability, partnerId, orgId }: CreateScriptDto,
): Promise<Owner> => requireOwner(tx, caller, { ownerScope: availability ?? 'organization', partnerId, orgId });

/** @throws ProblemError validation_failed that names the invalid exit code */
export function requireExitCodes(mapping: Readonly<Record<string, unknown>> | undefined): void {
  const fault = mapping ? faultyExitCode(mapping) : null;
  if (fault !== null)
    throw invalid(`exitCodeSeverityMapping.${fault}`, 'must be an exit code other than 0 with a severity');
}
