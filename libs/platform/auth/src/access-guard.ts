import {
  type AccessLevel,
  type AgentCaller,
  type AuditAction,
  type Caller,
  callerOf,
  CLIENT_REQUEST_ID_HEADER,
  clientRequestIdFrom,
  covers,
  type IdempotencyKey,
  invalid,
  NO_SCOPE,
  type Origin,
  type Permission,
  type Principal,
  ProblemError,
  type SetupCaller,
  type UserCaller,
  WHOLE_SYSTEM,
} from '@gatehouse/contracts-core';
import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  Optional,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { IDENTITY_HEADER, type InternalIdentity, InternalIdentityVerifier, isClockFault } from './internal-identity.ts';

/** A route whose audit action depends on a member of its body: `{ decision: { approve: …, deny: … } }`. */
type ActionByBody = Readonly<Record<string, Readonly<Record<string, AuditAction>>>>;

export interface RequiresOptions {
  /** Requires a second factor within the last 12 h; API keys never satisfy this. */
  readonly mfa?: boolean;
  /** Only a session may call: API keys have no sign-in to look at or to change. */
  readonly sessionOnly?: true;
  /** The scopes that may call; default: all. */
  readonly levels?: readonly AccessLevel[];
  /** The action that is recorded with the result `denied` when the call is answered 403. */
  readonly audit?: AuditAction | ActionByBody;
  /** False for a POST or PATCH that has no use for an `Idempotency-Key`. */
  readonly idempotent?: false;
  /** Callers of a suspended, pending or churned partner may still call (sign-out, own profile). */
  readonly evenIfPartnerInactive?: boolean;
}

export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'agent' }
  | { readonly kind: 'setup'; readonly audit?: AuditAction }
  | { readonly kind: 'internal' }
  | { readonly kind: 'operator' }
  | ({ readonly kind: 'user'; readonly permission: Permission | null } & RequiresOptions);

export const ACCESS = 'gatehouse:access';

const declare = (access: Access): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ACCESS, access), ApiExtension('x-access', access));

/** Every caller may use the route; the caller is anonymous. */
export const Public = (): MethodDecorator & ClassDecorator => declare({ kind: 'public' });

/** Only the agent of the device `:id` may call, with its own bearer token. */
export const AgentRoute = (): MethodDecorator & ClassDecorator => declare({ kind: 'agent' });

/**
 * Only a visitor with a set-up link may call, with the token of the visit.
 * @param audit the action that is recorded with the result `denied` when the call is answered 403
 */
export const SetupRoute = (audit?: AuditAction): MethodDecorator & ClassDecorator =>
  declare({ kind: 'setup', ...(audit && { audit }) });

/** Only other services may call; the gateway routes nothing here. */
export const Internal = (): MethodDecorator & ClassDecorator => declare({ kind: 'internal' });

/** Only operators may call, by `npm run operate`. */
export const OperatorRoute = (): MethodDecorator & ClassDecorator => declare({ kind: 'operator' });

/**
 * A signed-in user or an API key.
 * @param permission null when being signed in is enough
 */
export const Requires = (
  permission: Permission | null,
  options: RequiresOptions = {},
): MethodDecorator & ClassDecorator => declare({ kind: 'user', permission, ...options });

/** The audit action of a denied call. A body that matches none of the route's actions counts as the first one. */
export function auditedAction(declared: AuditAction | ActionByBody, body: unknown): AuditAction {
  if (typeof declared === 'string') return declared;
  const [[member, actions] = ['', {}]] = Object.entries(declared);
  const said = (body as Readonly<Record<string, unknown>> | null | undefined)?.[member];
  const [first] = Object.values(actions);
  const named = Object.entries(actions).find(([value]) => value === said)?.[1] ?? first;
  if (!named) throw new Error(`no action is declared for ${member}`);
  return named;
}

/** A request that passed the guard. */
export interface GuardedRequest extends FastifyRequest {
  caller?: Caller;
  access?: Access;
  /** What is wrong with the body or a header, found before the guard and told only to those who may call. */
  fault?: ProblemError;
}

/**
 * The caller, built once by the guard. Its type follows from the route's declaration: {@link UserCaller} under
 * `@Requires`, and so on.
 */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<GuardedRequest>();
  if (!caller) throw new Error('a handler ran without passing the guard');
  return caller;
});

/** Implemented by the services with agent routes: finds the device to which a token belongs. */
export interface AgentAuthenticator {
  /** @throws ProblemError token_invalid for an unknown or revoked token */
  authenticate(token: string, origin: Origin): Promise<AgentCaller>;
}

export const AGENT_AUTHENTICATOR = Symbol('agent authenticator');

/** Implemented by the service with set-up routes: finds the visit to which a token belongs. */
export interface SetupAuthenticator {
  /** @throws ProblemError setup_link_invalid for a visit that is unknown or over */
  authenticate(token: string, origin: Origin): Promise<SetupCaller>;
}

export const SETUP_AUTHENTICATOR = Symbol('setup authenticator');

/** The verifier of what operators sign. Where they have no keys of their own, they sign with the gateway's. */
export const OPERATOR_IDENTITIES = Symbol('identities of operators');

const MAX_IDEMPOTENCY_KEY = 255;
const first = (header: string | string[] | undefined): string | null =>
  (Array.isArray(header) ? header[0] : header) ?? null;

/**
 * Denies by default: builds the {@link Caller} from the internal identity that the gateway signed, and checks it
 * against the handler's declaration.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly identities: InternalIdentityVerifier,
    @Optional() @Inject(AGENT_AUTHENTICATOR) private readonly agents?: AgentAuthenticator,
    @Optional() @Inject(SETUP_AUTHENTICATOR) private readonly visits?: SetupAuthenticator,
    @Optional() @Inject(OPERATOR_IDENTITIES) private readonly operators?: InternalIdentityVerifier | null,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!access) throw new ProblemError('permission_denied', 'This route declares no access, so it is closed.');
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const identity = await this.identityOf(request, access);
    const origin = originOf(request, identity);
    request.access = access;
    request.caller = await this.callerFor(access, identity, origin, request);
    if (access.kind === 'user') admit(access, request.caller as UserCaller);
    if (access.kind === 'agent') requireOwnDevice(request.caller as AgentCaller, request.params as { id?: string });
    if (request.fault) throw request.fault;
    return true;
  }

  private async identityOf(request: GuardedRequest, { kind }: Access): Promise<InternalIdentity> {
    const token = first(request.headers[IDENTITY_HEADER]);
    if (!token) throw new ProblemError('not_authenticated', 'This service accepts requests only from the gateway.');
    try {
      return await ((kind === 'operator' && this.operators) || this.identities).verify(token);
    } catch (error) {
      // The client did nothing wrong, so it gets no 401 that would make it sign in again.
      if (isClockFault(error)) throw clocksDiffer(error);
      throw new ProblemError('token_invalid', 'The internal identity is not valid.');
    }
  }

  private async callerFor(
    access: Access,
    identity: InternalIdentity,
    origin: Origin,
    request: GuardedRequest,
  ): Promise<Caller> {
    if (access.kind === 'agent') return tokenCaller(this.agents, 'An agent token is required.', request, origin);
    if (access.kind === 'setup') {
      const visitor = await tokenCaller(this.visits, 'Open the set-up link first.', request, origin);
      return { ...visitor, author: { ...visitor.author, ...idempotencyOf(request) } };
    }
    if (access.kind === 'internal' || access.kind === 'operator') return serviceCaller(access, identity, origin);
    if (identity.principal)
      return {
        ...callerOf(identity.principal, origin),
        ...idempotencyOf(request),
        ...ifMatchOf(request),
        ...changeOf(access, identity.principal, request),
      };
    if (access.kind === 'user') throw new ProblemError('not_authenticated', 'Sign in to use this route.');
    return { kind: 'anonymous', scope: NO_SCOPE, origin };
  }
}

function serviceCaller({ kind }: Access, { service, operator }: InternalIdentity, origin: Origin): Caller {
  if (!service || (kind === 'operator' && service !== 'operator'))
    throw new ProblemError(
      'permission_denied',
      `This route is for ${kind === 'operator' ? 'operators' : 'services'} only.`,
    );
  return { kind: 'service', id: service, scope: WHOLE_SYSTEM, origin, ...(operator && { operator }) };
}

/** The caller of a route whose service itself verifies the bearer token. */
async function tokenCaller<T extends AgentCaller | SetupCaller>(
  authenticator: { authenticate(token: string, origin: Origin): Promise<T> } | undefined,
  needed: string,
  { headers }: GuardedRequest,
  origin: Origin,
): Promise<T> {
  if (!authenticator) throw new Error('this service declares routes for tokens that it does not verify');
  const [scheme, token] = (first(headers.authorization) ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token) throw new ProblemError('not_authenticated', needed);
  return authenticator.authenticate(token, origin);
}

/** An agent may use the routes of its own device only (decisions, "agent `:id`"). */
function requireOwnDevice({ deviceId }: AgentCaller, { id }: { readonly id?: string }): void {
  if (id?.toLowerCase() !== deviceId)
    throw new ProblemError('device_mismatch', 'This token belongs to another device.');
}

function clocksDiffer(cause: unknown): ProblemError {
  const problem = new ProblemError('unavailable', 'The clocks of the product differ; try again later.', {
    retryAfterSeconds: 5,
  });
  problem.cause = cause;
  return problem;
}

function originOf(request: GuardedRequest, identity: InternalIdentity): Origin {
  return {
    ip: identity.ip,
    userAgent: first(request.headers['user-agent']),
    requestId: String(request.id),
    clientRequestId: clientRequestIdFrom(request.headers[CLIENT_REQUEST_ID_HEADER]),
    traceparent: first(request.headers['traceparent']),
  };
}

function idempotencyOf(request: GuardedRequest): { idempotency?: IdempotencyKey } {
  const key = first(request.headers['idempotency-key']);
  if (key === null || (request.method !== 'POST' && request.method !== 'PATCH')) return {};
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_IDEMPOTENCY_KEY) {
    request.fault ??= invalid('Idempotency-Key', `must be 1 to ${MAX_IDEMPOTENCY_KEY} visible ASCII characters`);
    return {};
  }
  const bodyHash = createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest('hex');
  return { idempotency: { key, bodyHash } };
}

function ifMatchOf({ headers }: GuardedRequest): { ifMatch?: string } {
  const ifMatch = first(headers['if-match']);
  return ifMatch === null ? {} : { ifMatch };
}

const OBJECT = /^\/(?:[\w.~-]+\/){1,10}?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=[/?]|$)/i;
const PROTECTIVE: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'pam.freeze.create',
  'pam.elevation_request.revoke',
  'session.revoke',
]);

const READING = ['GET', 'HEAD'];

/** The object that the address names first; without one, the tenant's part of the collection. */
function changeOf(
  access: Access,
  principal: Principal,
  { method, url, body }: GuardedRequest,
): Pick<UserCaller, 'changes' | 'protects'> {
  if (READING.includes(method)) return {};
  if (access.kind === 'user' && access.audit && PROTECTIVE.has(auditedAction(access.audit, body)))
    return { protects: true };
  const object = OBJECT.exec(url)?.[0];
  if (object) return { changes: { of: object.toLowerCase(), isOneObject: true } };
  return { changes: { of: `${url.replace(/\?.*/s, '')} ${tenantOf(principal)}`, isOneObject: method !== 'POST' } };
}

const tenantOf = ({ orgId, partnerId }: Principal): string => orgId ?? partnerId ?? 'system';

type UserAccess = Extract<Access, { kind: 'user' }>;

/** The order is part of the contract: partner guard, scope, permission, second factor. */
function admit(access: UserAccess, caller: UserCaller): void {
  const { levels, mfa, evenIfPartnerInactive } = access;
  if (!caller.partnerActive && !evenIfPartnerInactive)
    throw new ProblemError('partner_inactive', 'This partner is not active.');
  if (levels && !levels.includes(caller.level))
    throw new ProblemError('scope_denied', `This route is for ${levels.join(' and ')} scope.`);
  requirePermission(access, caller);
  if (mfa && !caller.mfa) throw new ProblemError('mfa_required', 'Confirm your second factor to do this.');
}

function requirePermission({ sessionOnly, permission }: UserAccess, { kind, permissions }: UserCaller): void {
  if (sessionOnly && kind !== 'user')
    throw new ProblemError('permission_denied', 'This is for signed-in people, not for API keys.');
  if (permission && !covers(permissions, permission))
    throw new ProblemError('permission_denied', `This requires the permission ${permission}.`);
}
