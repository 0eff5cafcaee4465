import { ProblemError } from '@gatehouse/contracts-core';
import type { OrganizationStatus } from '@gatehouse/contracts-tenancy';

/** @throws ProblemError status_not_settable for a status that only an operation can set */
export function requireSettable(status: OrganizationStatus | undefined, settable: readonly OrganizationStatus[]): void {
  if (status && !settable.includes(status))
    throw new ProblemError('status_not_settable', `The status can be set to ${settable.join(', ')}.`, { settable });
}
