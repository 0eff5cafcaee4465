import { ProblemError } from '@gatehouse/contracts-core';
import { isUUID } from 'class-validator';
import type { LoginOwner } from './login-sessions.repository.ts';

/** Returns the tenant that a login address names: an organisation or a partner. */
export function ownerIn({ orgId, partnerId }: { readonly orgId?: string; readonly partnerId?: string }): LoginOwner {
  if (!isUUID(orgId ?? partnerId))
    throw new ProblemError('sso_provider_not_found', 'There is no active SSO provider for this organization.');
  return orgId ? { orgId } : { partnerId: partnerId ?? '' };
}
