import { ProblemError } from '@gatehouse/contracts-core';
import type { DeviceCaller } from './token-authenticator.ts';

export function requireReporting({ device: { orgStatus, partnerActive } }: DeviceCaller): void {
  if (partnerActive === false) throw new ProblemError('partner_inactive', 'The partner of this device is not active.');
  if (orgStatus === 'archived' || orgStatus === 'purging')
    throw new ProblemError('organization_archived', 'The organization of this device is archived.');
  if (orgStatus === 'merging')
    throw new ProblemError('organization_frozen', 'The organization of this device is being merged; try again later.');
}
