import { covers, mayGrant, type Permission } from '@gatehouse/contracts-core';
import type { LinkError, LoginError, OwnerScope } from '@gatehouse/contracts-identity';
import type { Identity } from '../claims/claim-mapping.ts';
import { isDomainAllowed } from '../accepted-input.ts';

export interface Person {
  readonly userId: string;
  /** False for suspended users of the tenant that owns the provider. */
  readonly active: boolean;
  /** The user's live membership in the tenant that owns the provider. */
  readonly membershipId: string | null;
  /** A provider signs break-glass users in only if they linked their identity themselves. */
  readonly breakGlass: boolean;
}

/** The facts about an identity that a provider returned. For a linked identity only `ownerOpen` and `linked` count. */
export interface AccountFacts {
  /** False when the owner is deleted, archived, merging or being purged. */
  readonly ownerOpen: boolean;
  /** The user to whom this identity is linked. */
  readonly linked: (Person & { readonly selfLinked: boolean }) | null;
  readonly byEmail: (Person & { readonly hasPassword: boolean; readonly hasOtherIdentity: boolean }) | null;
  /** True when the mail domain is a verified domain of the organisation. */
  readonly domainVerified: boolean;
  readonly defaultRole: 'fine' | 'missing' | 'not_entitled';
}

export interface AccountPolicy {
  readonly axis: OwnerScope;
  readonly allowedDomains: string | null;
  readonly autoProvision: boolean;
  /** Password sign-in is refused for the owner's users: only the provider authenticates them. */
  readonly enforceSso: boolean;
}

export type AccountDecision =
  | {
      readonly kind: 'sign_in' | 'adopt';
      readonly userId: string;
      readonly membershipId: string;
      readonly breakGlass: boolean;
    }
  /** The user must prove the existing account before it is linked. */
  | { readonly kind: 'park'; readonly userId: string }
  | { readonly kind: 'provision' }
  | { readonly kind: 'refuse'; readonly code: LoginError };

const refuse = (code: LoginError): AccountDecision => ({ kind: 'refuse', code });

const NO_ACCESS: Readonly<Record<OwnerScope, LoginError>> = {
  organization: 'no_org_access',
  partner: 'no_partner_access',
};

function enter(kind: 'sign_in' | 'adopt', person: Person, axis: OwnerScope): AccountDecision {
  const { active, userId, membershipId, breakGlass } = person;
  return active && membershipId ? { kind, userId, membershipId, breakGlass } : refuse(NO_ACCESS[axis]);
}

function decideLinked(person: NonNullable<AccountFacts['linked']>, axis: OwnerScope): AccountDecision {
  const entry = enter('sign_in', person, axis);
  const mustProve = person.breakGlass && !person.selfLinked;
  return entry.kind !== 'refuse' && mustProve ? { kind: 'park', userId: person.userId } : entry;
}

type KnownAddress = NonNullable<AccountFacts['byEmail']>;

/**
 * Enforcement alone proves nothing: the owner must have verified the domain, and the provider the address (decisions,
 * "adopting an account").
 */
function decideKnownAddress(
  person: KnownAddress,
  isProven: boolean,
  { axis, enforceSso }: AccountPolicy,
): AccountDecision {
  const entry = enter('adopt', person, axis);
  if (entry.kind === 'refuse') return entry;
  if (person.hasOtherIdentity) return refuse('identity_conflict');
  const mustProve = person.breakGlass || (person.hasPassword && !(enforceSso && isProven));
  return mustProve ? { kind: 'park', userId: person.userId } : entry;
}

function decideNewcomer({ defaultRole }: AccountFacts, { autoProvision }: AccountPolicy): AccountDecision {
  if (!autoProvision) return refuse('user_not_found');
  return defaultRole === 'fine' ? { kind: 'provision' } : refuse('default_role_required');
}

/** Returns why an identity is refused regardless of the account it belongs to. */
function faultForAll(
  identity: Identity,
  { ownerOpen }: AccountFacts,
  { axis, allowedDomains }: AccountPolicy,
): LoginError | null {
  if (!ownerOpen) return NO_ACCESS[axis];
  if (identity.emailVerified === false) return 'email_unverified';
  if (!isDomainAllowed(identity.email, allowedDomains)) return 'domain_not_allowed';
  return identity.emailDomain === null ? 'sso_error' : null;
}

/** Refusals for what the provider said, before any account is looked at. */
const REFUSED_ANSWERS: readonly LoginError[] = ['email_unverified', 'domain_not_allowed', 'sso_error'];

/**
 * Whether a test may say what would become of the identity (SSO-97). That an account exists is told only of the owner's
 * members and of addresses in its verified domains: otherwise a provider of one's own would answer for the whole
 * platform.
 */
export function mayBeTold(
  decision: AccountDecision,
  { ownerOpen, domainVerified, linked, byEmail }: AccountFacts,
): boolean {
  const isAnswerRefused = decision.kind === 'refuse' && REFUSED_ANSWERS.includes(decision.code);
  const isMember = Boolean((linked ?? byEmail)?.membershipId);
  return !ownerOpen || isAnswerRefused || domainVerified || isMember;
}

/**
 * Decides who signs in (SSO-16 to SSO-21). The identity link is looked up first, then the address, then provisioning:
 * once an identity is linked, a new address at the provider changes nothing.
 */
export function decideAccount(identity: Identity, facts: AccountFacts, policy: AccountPolicy): AccountDecision {
  const fault = faultForAll(identity, facts, policy);
  if (fault) return refuse(fault);
  if (facts.linked) return decideLinked(facts.linked, policy.axis);
  if (policy.axis === 'partner') return refuse('invite_required');
  if (identity.emailVerified === undefined && !facts.domainVerified) return refuse('email_unverified');
  const isProven = identity.emailVerified === true && facts.domainVerified;
  return facts.byEmail ? decideKnownAddress(facts.byEmail, isProven, policy) : decideNewcomer(facts, policy);
}

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

export interface RoleFacts {
  readonly axis: OwnerScope;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly system: boolean;
  readonly permissions: readonly Permission[];
}

export interface Owner {
  readonly partnerId: string;
  /** Null when the partner itself is the owner. */
  readonly orgId: string | null;
}

/**
 * Tells whether a default role is on the owner's axis and belongs to the system, the partner or, on the organisation
 * axis, the organisation itself.
 */
export function fitsOwner(role: RoleFacts, owner: Owner): boolean {
  const axis: OwnerScope = owner.orgId === null ? 'partner' : 'organization';
  if (role.axis !== axis) return false;
  if (role.system) return true;
  return role.partnerId === owner.partnerId && (role.orgId === null || role.orgId === owner.orgId);
}

/** Tells whether a membership of the administrator who chose the role still allows that choice. */
export const isStillEntitled = (memberships: readonly (readonly Permission[])[], role: RoleFacts): boolean =>
  memberships
    .map((permissions) => new Set(permissions))
    .some((granted) => covers(granted, 'organizations:write') && mayGrant(granted, role.permissions));
