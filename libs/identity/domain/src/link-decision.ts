import type { LinkError } from '@gatehouse/contracts-identity';
import type { Identity } from './claim-mapping.ts';
import { isDomainAllowed } from './email-address.ts';

export interface LinkFacts {
  /** The person who began it, if they may still sign in here. */
  readonly person: { readonly userId: string; readonly email: string } | null;
  /** Whose identity it is already. */
  readonly holderId: string | null;
  /** Of the provider. */
  readonly allowedDomains: string | null;
}

/** Whether a signed-in person may attach an identity to the account (SSO-45); null: yes. */
export function linkFault(identity: Identity, { person, holderId, allowedDomains }: LinkFacts): LinkError | null {
  if (!person) return 'user_gone';
  if (identity.emailVerified === false) return 'email_unverified';
  if (!isDomainAllowed(identity.email, allowedDomains)) return 'domain_not_allowed';
  if (identity.email !== person.email) return 'email_mismatch';
  return holderId !== null && holderId !== person.userId ? 'identity_in_use' : null;
}
