import {
  type AuditAction,
  type Caller,
  callerOf,
  CLIENT_REQUEST_ID_HEADER,
  clientRequestIdFrom,
  covers,
  type IdempotencyKey,
  NO_SCOPE,
  type Origin,
  type Principal,
  ProblemError,
  type UserCaller,
  WHOLE_SYSTEM,
} from '@gatehouse/contracts-core';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { createHash } from 'node:crypto';
import { ACCESS, type Access, auditedAction } from './access.ts';
import { AGENT_AUTHENTICATOR, type AgentAuthenticator } from './agent-authenticator.ts';
import type { GuardedRequest } from './current-caller.ts';
import { IDENTITY_HEADER, type InternalIdentity, InternalIdentityVerifier, isClockFault } from './internal-identity.ts';

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
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!access) throw new ProblemError('permission_denied', 'This route declares no access, so it is closed.');
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const identity = await this.identityOf(request);
    const origin = originOf(request, identity);
    request.access = access;
    request.caller = await this.callerFor(access, identity, origin, request);
    if (access.kind === 'user') admit(access, request.caller as UserCaller);
    return true;
  }

  private async identityOf(request: GuardedRequest): Promise<InternalIdentity> {
    const token = first(request.headers[IDENTITY_HEADER]);
    if (!token) throw new ProblemError('not_authenticated', 'This service answers the gateway only.');
    try {
      return await this.identities.verify(token);
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
    if (access.kind === 'agent') return this.agentOf(request, origin);
    if (access.kind === 'internal') {
      if (!identity.service) throw new ProblemError('permission_denied', 'This route is for services only.');
      return { kind: 'service', id: identity.service, scope: WHOLE_SYSTEM, origin };
    }
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

  private async agentOf(request: GuardedRequest, origin: Origin): Promise<Caller> {
    if (!this.agents) throw new Error('this service has agent routes but no agent authenticator');
    const [scheme, token] = (first(request.headers.authorization) ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !token)
      throw new ProblemError('not_authenticated', 'An agent token is required.');
    return this.agents.authenticate(token, origin);
  }
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
    throw new ProblemError('validation_failed', 'The request is not valid.', {
      issues: [{ path: 'Idempotency-Key', message: `must be 1 to ${MAX_IDEMPOTENCY_KEY} visible ASCII characters` }],
    });
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
function admit({ levels, permission, mfa, evenIfPartnerInactive }: UserAccess, caller: UserCaller): void {
  if (!caller.partnerActive && !evenIfPartnerInactive)
    throw new ProblemError('partner_inactive', 'This partner is not active.');
  if (levels && !levels.includes(caller.level))
    throw new ProblemError('scope_denied', `This route is for ${levels.join(' and ')} scope.`);
  if (permission && !covers(caller.permissions, permission))
    throw new ProblemError('permission_denied', `This needs the permission ${permission}.`);
  if (mfa && !caller.mfa) throw new ProblemError('mfa_required', 'Confirm your second factor to do this.');
}
