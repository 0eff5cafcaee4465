import { type Caller, Refusal, type UserCaller } from '@gatehouse/contracts-core';
import { auditedAction, type GuardedRequest } from '@gatehouse/auth';
import type { UnitOfWork } from '@gatehouse/database';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from './logging.ts';
import { isServerFault, PROBLEM_CONTENT_TYPE, problemOf, refusalOf } from './problem.ts';

const FORBIDDEN = 403;
const isUser = (caller: Caller | undefined): caller is UserCaller => caller?.kind === 'user' || caller?.kind === 'api_key';

/** Every error of every route leaves here, as a problem answer; refused attempts at audited routes are recorded as `denied`. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Logger, private readonly work: UnitOfWork | null) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<GuardedRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const refusal = refusalOf(error);
    const requestId = String(request.id);
    if (isServerFault(refusal)) this.log.error({ err: error, requestId, url: request.url.split('?')[0] }, 'a request failed');
    if (refusal.status === FORBIDDEN) await this.recordDenial(request, refusal);
    if (reply.sent) return;
    const { retryAfterSeconds } = refusal.members;
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
    void reply.status(refusal.status).header('content-type', PROBLEM_CONTENT_TYPE).send(JSON.stringify(problemOf(refusal, requestId)));
  }

  private async recordDenial({ access, caller, params, body }: GuardedRequest, refusal: Refusal): Promise<void> {
    if (!this.work || access?.kind !== 'user' || !access.audit || !isUser(caller)) return;
    const action = auditedAction(access.audit, body);
    const id = targetOf(params);
    const { idempotency: _, ...unrepeatable } = caller;
    await this.work
      .run(unrepeatable, async (tx) => tx.audit({ action, resource: { type: action.slice(0, action.lastIndexOf('.')), id }, result: 'denied', details: { code: refusal.code } }))
      .catch((error: unknown) => this.log.error({ err: error, action }, 'a denied attempt could not be recorded'));
  }
}

/** The thing that the address names: `:id`, or whatever its first parameter is called. */
function targetOf(params: unknown): string | null {
  const named = Object.entries(params ?? {}) as [string, string][];
  return (named.find(([name]) => name === 'id') ?? named[0])?.[1] ?? null;
}
