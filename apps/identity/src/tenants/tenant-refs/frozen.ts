import { ProblemError } from '@gatehouse/contracts-core';
import { FROZEN_STATUSES } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { statusOfOrganization } from './tenant-refs.repository.ts';

/**
 * @throws ProblemError organization_frozen for an organisation that is archived, merging or being purged: nothing below
 * it may change
 */
export async function requireNotFrozen(reader: Reader, orgId: string | null): Promise<void> {
  if (await isFrozen(reader, orgId))
    throw new ProblemError('organization_frozen', 'This organization cannot be changed at the moment.');
}

export async function isFrozen(reader: Reader, orgId: string | null): Promise<boolean> {
  const status = orgId === null ? null : await statusOfOrganization(reader, orgId);
  return status !== null && FROZEN_STATUSES.includes(status);
}
