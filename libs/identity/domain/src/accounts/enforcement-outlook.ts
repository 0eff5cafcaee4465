import type { EnforcementOutcome, EnforcementReason } from '@gatehouse/contracts-identity';
import { domainOf, isDomainAllowed } from '../accepted-input.ts';
import { type AccountDecision, type AccountPolicy, decideAccount } from './account-decision.ts';

/** A member of the owner, and what bears on their next sign-in. */
export interface Member {
  readonly userId: string;
  readonly membershipId: string;
  readonly breakGlass: boolean;
  /** The address as the provider last sent it, or the account's while there is no link. */
  readonly email: string;
  readonly linked: boolean;
  readonly selfLinked: boolean;
  readonly hasPassword: boolean;
  readonly domainVerified: boolean;
  readonly linkedElsewhere: boolean;
  readonly neverSignedIn: boolean;
  readonly apiKeys: number;
  readonly openSessions: number;
}

export interface OutlookPolicy extends Omit<AccountPolicy, 'enforceSso'> {
  /** Whether the provider says that its addresses are verified. */
  readonly vouches: boolean;
}

export interface Outlook {
  readonly outcome: EnforcementOutcome;
  readonly reasons: EnforcementReason[];
}

/** Takes the decision of a sign-in itself, under enforcement, for a user whom the provider sends with this address. */
function decisionFor({ email, linked, ...member }: Member, { vouches, ...policy }: OutlookPolicy): AccountDecision {
  const person = { ...member, active: true };
  const identity = {
    externalId: member.userId,
    email,
    emailDomain: domainOf(email),
    emailVerified: vouches || undefined,
    name: '',
    groups: [],
  };
  const facts = {
    ownerOpen: true,
    linked: linked ? person : null,
    byEmail: linked ? null : { ...person, hasOtherIdentity: false },
    domainVerified: member.domainVerified,
    defaultRole: 'missing' as const,
  };
  return decideAccount(identity, facts, { ...policy, enforceSso: true });
}

const OUTCOMES: Readonly<Record<AccountDecision['kind'], EnforcementOutcome>> = {
  sign_in: 'signs_in',
  adopt: 'links_at_first_sign_in',
  park: 'proves_account',
  provision: 'stuck',
  refuse: 'stuck',
};

/** What enforcement would mean for a member (SSO-141): the decision that their next sign-in would meet. */
export function outlookOf(member: Member, policy: OutlookPolicy): Outlook {
  const outcome = member.breakGlass ? 'exempt' : OUTCOMES[decisionFor(member, policy).kind];
  const isHindered = outcome === 'stuck' || outcome === 'proves_account';
  const { linked, domainVerified, linkedElsewhere, neverSignedIn, apiKeys, openSessions } = member;
  const holds: Readonly<Record<EnforcementReason, boolean>> = {
    domain_not_allowed: isHindered && !isDomainAllowed(member.email, policy.allowedDomains),
    domain_not_verified: isHindered && !linked && !domainVerified && policy.axis === 'organization',
    identity_of_other_provider: !linked && linkedElsewhere,
    never_signed_in: neverSignedIn,
    only_api_keys: !linked && apiKeys > 0 && openSessions === 0,
  };
  const reasons = (Object.keys(holds) as EnforcementReason[]).filter((reason) => holds[reason]);
  return { outcome, reasons };
}
