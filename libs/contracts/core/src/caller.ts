import { type AccessLevel, covers, type Permission } from './permissions.ts';
import { ProblemError } from './problem-error.ts';

/** The rows a caller may see. `'all'` is spelled out so that an empty set can never be mistaken for it. */
export interface TenantScope {
  /** The one partner whose rows are in reach; `'all'` only for the system; null reaches nothing. */
  readonly partner: 'all' | string | null;
  readonly orgs: 'all' | ReadonlySet<string>;
  readonly sites: 'all' | ReadonlySet<string>;
}

/** Where a request came from, as the gateway saw it; recorded in the audit log. */
export interface Origin {
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** The client's own id of the request, if it sent one. */
  readonly clientRequestId?: string | null;
  readonly traceparent?: string | null;
}

/** Carries the client's own request id from the gateway to the services. */
export const CLIENT_REQUEST_ID_HEADER = 'x-client-request-id';
const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** @returns null for a header that is absent, repeated or malformed */
export const clientRequestIdFrom = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && CLIENT_REQUEST_ID.test(header) ? header : null;

/** Marks a request that may be repeated: its result is stored under the key for 24 h. */
export interface IdempotencyKey {
  readonly key: string;
  readonly bodyHash: string;
}

interface Base {
  readonly scope: TenantScope;
  readonly origin: Origin;
}

export interface UserCaller extends Base {
  readonly kind: 'user' | 'api_key';
  /** The user's id; for an API key the id of the key. */
  readonly id: string;
  /** The person behind the call: the user, or the owner of the API key. `name` and `email` are that person's too. */
  readonly userId: string;
  /** The membership in which the person acts. */
  readonly membershipId: string;
  readonly sessionId: string | null;
  readonly name: string;
  readonly email: string;
  /** The name of the API key, which its owner chose freely: it is shown and recorded, and decides nothing. */
  readonly label: string | null;
  readonly level: AccessLevel;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly permissions: ReadonlySet<Permission>;
  /** MFA was satisfied within the freshness window. API keys never satisfy it. */
  readonly mfa: boolean;
  /** Whether the caller's partner is `active`; otherwise the partner guard refuses the request. */
  readonly partnerActive: boolean;
  /**
   * An identity provider opened the session, or the caller is an API key: it is trusted in its own tenant only, and
   * does not reach what the person has elsewhere.
   */
  readonly confined: boolean;
  /** The identity provider that opened the session, or the session in which the API key was made. */
  readonly providerId: string | null;
  /** When the session or the API key ends by itself. */
  readonly expiresAt: string | null;
  /** The Idempotency-Key of a POST or PATCH, for `UnitOfWork.once`. */
  readonly idempotency?: IdempotencyKey;
  /** What the request changes: its changes wait for each other before they take a connection. */
  readonly changes?: { readonly of: string; readonly isOneObject: boolean };
  /** The request ends or stops something that was granted, and waits behind no other. */
  readonly protects?: boolean;
  /** The `If-Match` header, for `requireVersion`. */
  readonly ifMatch?: string;
  /** The visit of a set-up link that acts in this person's authority, within the link's owner: it is the actor. */
  readonly setupVisit?: SetupVisit;
}

/** What a {@link UserCaller} has from the request, not from the credential. */
type OfRequest = 'scope' | 'origin' | 'idempotency' | 'changes' | 'protects' | 'ifMatch' | 'setupVisit';

/**
 * The principal of a credential, as identity returns it to the gateway and the gateway passes it to a service: a {@link
 * UserCaller} in JSON.
 */
export interface Principal extends Omit<UserCaller, OfRequest | 'permissions'> {
  readonly orgs: 'all' | readonly string[];
  readonly sites: 'all' | readonly string[];
  readonly permissions: readonly Permission[];
}

/** A visit of a set-up link for single sign-on. */
export interface SetupVisit {
  readonly id: string;
  readonly linkId: string;
  /** The address that the link was made for. */
  readonly recipient: string | null;
}

/** A visitor with a set-up link, who has no account. */
export interface SetupCaller extends Base {
  readonly kind: 'setup_link';
  readonly id: string;
  /** The link's author within the link's owner, with the author's permissions of this moment. */
  readonly author: UserCaller & { readonly setupVisit: SetupVisit };
}

export interface AgentCaller extends Base {
  readonly kind: 'agent';
  readonly id: string;
  readonly deviceId: string;
  readonly hostname: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
}

/** A part of the product that acts by itself: sweeps, consumers, and public routes before the caller is known. */
export interface ServiceCaller extends Base {
  readonly kind: 'service';
  readonly id: string;
  readonly operator?: Operator;
}

/** The person who works as the operator, by their own word, and the ticket that says why. */
export interface Operator {
  readonly name: string;
  readonly ticket: string | null;
}

/**
 * An unauthenticated caller on a public route. Reaches no tenant rows until an operation explicitly acts as its
 * service.
 */
export interface AnonymousCaller extends Base {
  readonly kind: 'anonymous';
}

export type Caller = UserCaller | AgentCaller | SetupCaller | ServiceCaller | AnonymousCaller;

export const NOWHERE: Origin = { ip: null, userAgent: null, requestId: null };
export const NO_SCOPE: TenantScope = { partner: null, orgs: new Set(), sites: new Set() };
export const WHOLE_SYSTEM: TenantScope = { partner: 'all', orgs: 'all', sites: 'all' };

/** The product itself as the caller, for work without a user; keeps the origin of the request that led to the work. */
export const asService = (name: string, origin: Origin = NOWHERE): ServiceCaller => ({
  kind: 'service',
  id: name,
  scope: WHOLE_SYSTEM,
  origin,
});

const setOf = (ids: 'all' | readonly string[]): 'all' | ReadonlySet<string> => (ids === 'all' ? 'all' : new Set(ids));

function scopeOf({ level, partnerId, orgs, sites }: Principal): TenantScope {
  return { partner: level === 'system' ? 'all' : partnerId, orgs: setOf(orgs), sites: setOf(sites) };
}

/** Builds the caller of a request from the principal and the origin of the request. */
export function callerOf(principal: Principal, origin: Origin): UserCaller {
  const { orgs: _orgs, sites: _sites, permissions, ...rest } = principal;
  return { ...rest, permissions: new Set(permissions), scope: scopeOf(principal), origin };
}

export const has = (caller: UserCaller, permission: Permission): boolean => covers(caller.permissions, permission);

/** True when the organisation is within the scope as far as the scope alone can tell (the partner must match too). */
export const seesOrg = (scope: TenantScope, partnerId: string, orgId: string): boolean =>
  (scope.partner === 'all' || scope.partner === partnerId) && (scope.orgs === 'all' || scope.orgs.has(orgId));

export const seesSite = (scope: TenantScope, siteId: string | null): boolean =>
  scope.sites === 'all' || (siteId !== null && scope.sites.has(siteId));

/** "Partner-wide policy rights": system scope, or partner scope reaching all organisations with organizations:write. */
export const hasPartnerWidePolicyRights = (caller: UserCaller): boolean =>
  caller.level === 'system' ||
  (caller.level === 'partner' && caller.scope.orgs === 'all' && has(caller, 'organizations:write'));

/**
 * @throws ProblemError site_access_denied for a caller confined to sites, who may not act for the whole organisation
 */
export function requireWholeOrganization(caller: UserCaller): void {
  if (caller.scope.sites !== 'all')
    throw new ProblemError('site_access_denied', 'Your access is limited to some sites of this organisation.');
}
