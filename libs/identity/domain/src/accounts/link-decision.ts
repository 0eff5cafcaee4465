import type { LinkError } from '@gatehouse/contracts-identity';
import type { Identity } from '../claims/claim-mapping.ts';
import { isDomainAllowed } from '../email-address.ts';

export interface LinkFacts {
  /** The user who began the linking, if they may still sign in here. */
  readonly person: { readonly userId: string; readonly email: string } | null;
  /** The user to whom the identity is already linked. */
  readonly holderId: string | null;
  /** The provider's `allowedDomains` setting. */
  readonly allowedDomains: string | null;
}

/** Returns why a signed-in user may not link an identity to the account (SSO-45), or null. */
export function linkFault(identity: Identity, { person, holderId, allowedDomains }: LinkFacts): LinkError | null {
  if (!person) return 'user_gone';
  if (identity.emailVerified === false) return 'email_unverified';
  if (!isDomainAllowed(identity.email, allowedDomains)) return 'domain_not_allowed';
  if (identity.email !== person.email) return 'email_mismatch';
  return holderId !== null && holderId !== person.userId ? 'identity_in_use' : null;
}
