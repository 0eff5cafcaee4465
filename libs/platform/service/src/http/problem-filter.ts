import {
  type AgentCaller,
  type AuditAction,
  AUDITED_RESOURCES,
  type Caller,
  type ErrorCode,
  type ProblemError,
  type UserCaller,
} from '@gatehouse/contracts-core';
import { auditedAction, type GuardedRequest } from '@gatehouse/auth';
import { placeOfResource, type PlaceTables, type ResourcePlace, type Tx, type UnitOfWork } from '@gatehouse/database';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../observability/logging.ts';
import { isServerFault, problemErrorOf, requestIdsOf, sendProblem } from './problem.ts';

const FORBIDDEN = 403;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The state of the resource prevents the act: conflict, gone, or unprocessable. */
const THWARTED = [409, 410, 422];
/** A broken agent fails on every call: one `denied` record per hour is enough. */
const DENIED_AGENTS = { max: 10_000, ttl: 60 * 60 * 1000 };
const isAgent = (caller: Caller | undefined): caller is AgentCaller => caller?.kind === 'agent';
const isUser = (caller: Caller | undefined): caller is UserCaller =>
  caller?.kind === 'user' || caller?.kind === 'api_key';

/**
 * Answers every error of every route with a problem. Denied calls of audited routes are recorded as `denied`;
 * privileged acts that failed because of the resource's state are recorded as `failure`.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly deniedAgents = new LRUCache<string, true>(DENIED_AGENTS);

  constructor(
    private readonly log: Logger,
    private readonly work: UnitOfWork | null,
    private readonly places: PlaceTables = {},
  ) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<GuardedRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem = problemErrorOf(error);
    if (isServerFault(problem))
      this.log.error({ err: error, ...requestIdsOf(request), url: request.url.split('?')[0] }, 'a request failed');
    if (problem.status === FORBIDDEN) await this.recordDenial(request, problem);
    else if (isThwarted(problem)) await this.recordFailure(request, problem);
    if (reply.sent) return;
    sendProblem(reply, problem);
  }

  private async recordDenial(request: GuardedRequest, problem: ProblemError): Promise<void> {
    const { access, caller, body } = request;
    if (isAgent(caller) && problem.code === 'device_mismatch' && this.isNews(caller))
      return this.record(caller, 'device.impersonate', problem, request);
    const acting = caller?.kind === 'setup_link' ? caller.author : caller;
    const audit = access && 'audit' in access ? access.audit : undefined;
    if (audit && isUser(acting)) await this.record(acting, auditedAction(audit, body), problem, request);
  }

  private async recordFailure(request: GuardedRequest, problem: ProblemError): Promise<void> {
    const { access, caller, body, method } = request;
    if (access?.kind !== 'user' || !access.audit || !isUser(caller) || method === 'GET') return;
    if (access.permission || access.mfa || access.levels)
      await this.record(caller, auditedAction(access.audit, body), problem, request);
  }

  private async record(
    caller: Caller,
    action: AuditAction,
    { code, place, status }: ProblemError,
    request: Addressed,
  ): Promise<void> {
    const named = { type: typeOf(action, request.routeOptions.url), id: targetOf(request.params) };
    // Contacts are created below the organisation that the address names.
    const isBelow = action === 'contact.create';
    const resource = isBelow ? { ...named, id: null } : named;
    const target = isBelow ? { ...named, type: 'organization' } : named;
    await this.work
      ?.run(caller, async (tx) =>
        tx.audit({
          action,
          resource,
          result: status === FORBIDDEN ? 'denied' : 'failure',
          details: { code },
          ...(place ?? (isUser(caller) ? await this.placeOf(tx, [target, ...namedIn(request)]) : null)),
        }),
      )
      .catch((error: unknown) => this.log.error({ err: error, action }, 'a refused attempt could not be recorded'));
  }

  /** The place of the first of the resources that the caller reaches. */
  private async placeOf(tx: Tx, resources: readonly Named[]): Promise<ResourcePlace | null> {
    for (const { type, id } of resources) {
      const table = this.places[type];
      const place = table && isUUID(id) ? await placeOfResource(tx, table, id) : null;
      if (place) return place;
    }
    return null;
  }

  private isNews({ deviceId }: AgentCaller): boolean {
    const known = this.deniedAgents.has(deviceId);
    if (!known) this.deniedAgents.set(deviceId, true);
    return !known;
  }
}

type Addressed = Pick<GuardedRequest, 'params' | 'query' | 'body' | 'routeOptions'>;

interface Named {
  readonly type: string;
  readonly id: unknown;
}

/** What the ids stand for by which a body or a query may name the place of an act. */
const TARGETS = ['organization', 'site', 'device'];

function namedIn({ query, body }: Addressed): Named[] {
  const { orgId, deviceId, targetId, target } = membersOf(body);
  const ids = [orgId, membersOf(query)['orgId'], deviceId, targetId, membersOf(target)['id']];
  return ids.flatMap((id) => TARGETS.map((type) => ({ type, id })));
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const isUUID = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** Repetitions under an idempotency key are excluded, because they say nothing about the act itself. */
const REPETITIONS: readonly ErrorCode[] = ['idempotency_key_reused', 'idempotency_secret_shown'];
const isThwarted = ({ status, code, isAudited }: ProblemError): boolean =>
  THWARTED.includes(status) && !REPETITIONS.includes(code) && !isAudited;

/** The sessions and factors of a user are addressed by the user. */
const typeOf = (action: AuditAction, route = ''): string =>
  route.includes('/users/:id/') ? 'user' : AUDITED_RESOURCES[action];

/** The resource that the address names: `:id`, or else the first parameter of the route. */
function targetOf(params: unknown): string | null {
  const named = Object.entries(params ?? {}) as [string, string][];
  return (named.find(([name]) => name === 'id') ?? named[0])?.[1] ?? null;
}
