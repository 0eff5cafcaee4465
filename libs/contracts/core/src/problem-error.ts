import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';

/** Extra members of the problem answer (RFC 9457 3.2). `retryAfterSeconds` becomes the Retry-After header. */
export type ProblemMembers = Readonly<Record<string, unknown>> & { readonly retryAfterSeconds?: number };

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The position of a resource in the hierarchy. */
export interface TenantPlace {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string | null;
}

/** The sentences that the specification spells: clients may compare them. */
const SPECIFIED = {
  no_updates_provided: 'No updates provided.',
  partner_context_required: 'Partner context required to create organizations.',
  partner_required: 'partnerId is required for system scope.',
  exchange_code_invalid: 'Invalid or expired token exchange code.',
  invalid_credentials: 'Invalid email or password.',
  org_access_denied: 'Access to this organization denied.',
  site_access_denied: 'Access to this site denied.',
  partner_access_denied: 'Access denied to this partner.',
  partner_not_found: 'Partner not found.',
  organization_not_found: 'Organization not found.',
  sso_provider_not_found: 'There is no active SSO provider for this organization.',
} satisfies Partial<Record<ErrorCode, string>>;

/**
 * Refuses a request. `detail` is a sentence for people; `code` determines the HTTP status.
 * @example throw new ProblemError('race_lost', 'This elevation request was claimed by another call.');
 */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly members: ProblemMembers;
  /** The tenant of the resource, if known: for the audit log, never for the client. */
  place: TenantPlace | null = null;

  constructor(code: keyof typeof SPECIFIED, detail?: string, members?: ProblemMembers);
  constructor(code: ErrorCode, detail: string, members?: ProblemMembers);
  constructor(code: ErrorCode, detail = SPECIFIED[code as keyof typeof SPECIFIED], members: ProblemMembers = {}) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.members = members;
  }

  /** What a row of an import says of its problem: the invalid member, or else the sentence. */
  get reason(): string {
    const { issues: [issue] = [] } = this.members as { readonly issues?: readonly Issue[] };
    return issue ? `${issue.path} ${issue.message}` : this.message;
  }

  /** The operation has already written its own audit record about this problem. */
  isAudited = false;

  /**
   * Marks that the operation has written its own audit record about this problem.
   * @returns the same error
   */
  audited(): this {
    this.isAudited = true;
    return this;
  }

  at({ partnerId, orgId, siteId }: TenantPlace): this {
    this.place = { partnerId, orgId, siteId };
    return this;
  }
}

/** A 400 that names the invalid member. */
export const invalid = (path: string, message: string): ProblemError =>
  new ProblemError('validation_failed', 'The request is not valid.', { issues: [{ path, message }] satisfies Issue[] });

/** @throws ProblemError validation_failed for an end that lies before its start */
export function requireInOrder<N extends string>(
  of: Readonly<Partial<Record<N, string | Date | null>>>,
  start: N,
  end: N,
): void {
  const [from, to] = [of[start], of[end]];
  if (from && to && new Date(to) < new Date(from)) throw invalid(end, `must not be before ${start}`);
}

/**
 * The updates of a PATCH, without the members that it may name although they cannot change.
 * @throws ProblemError no_updates_provided when there are no others; `issues` names those that cannot change
 */
export function partUpdates<T extends object, F extends keyof T>(
  patch: T,
  fixed: readonly F[],
): { updates: Partial<Omit<T, F>>; named: Partial<Pick<T, F>> } {
  const entries = Object.entries(patch);
  const isFixed = (name: string): boolean => fixed.some((each) => each === name);
  const named = entries.filter(([name, value]) => isFixed(name) && value !== undefined);
  const issues: Issue[] = named.map(([path]) => ({ path, message: 'cannot be changed' }));
  const updates = requireUpdates(Object.fromEntries(entries.filter(([name]) => !isFixed(name))), issues);
  return {
    updates: updates as Partial<Omit<T, F>>,
    named: Object.fromEntries(named) as Partial<Pick<T, F>>,
  };
}

/**
 * Requires that the members named in a PATCH equal the stored ones.
 * @throws ProblemError validation_failed for a member that differs
 */
export function requireSame(named: object, stored: object): void {
  for (const [name, value] of Object.entries(named)) {
    if (value !== undefined && value !== (Reflect.get(stored, name) ?? null)) throw invalid(name, 'cannot be changed');
  }
}

/**
 * The members that a PATCH body contains.
 * @param issues why other members of the body are no updates
 * @throws ProblemError no_updates_provided when there are none
 */
export function requireUpdates<T extends object>(patch: T, issues: readonly Issue[] = []): Partial<T> {
  const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
  if (entries.length === 0)
    throw new ProblemError('no_updates_provided', undefined, issues.length > 0 ? { issues } : {});
  return Object.fromEntries(entries) as Partial<T>;
}
