import { ProblemError } from '@gatehouse/contracts-core';
import { FROZEN_STATUSES, type OrganizationStatus } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';

const STATUS = 'SELECT status FROM org_ref WHERE org_id = $1';

/**
 * @throws ProblemError organization_frozen for an organisation that is archived, merging or being purged: nothing below
 * it may change
 */
export async function requireNotFrozen(reader: Reader, orgId: string | null): Promise<void> {
  const org = orgId === null ? null : await reader.one<{ status: OrganizationStatus }>(STATUS, [orgId]);
  if (org && FROZEN_STATUSES.includes(org.status))
    throw new ProblemError('organization_frozen', 'This organization cannot be changed at the moment.');
}
