import type { AgentCaller, AnonymousCaller, Caller, ServiceCaller, UserCaller } from '@gatehouse/contracts-core';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Access } from './access.ts';

/** A request that passed the guard. */
export interface GuardedRequest extends FastifyRequest {
  caller?: Caller;
  access?: Access;
}

/**
 * The caller, built once by the guard. Its type follows from the route's declaration: {@link UserCaller} under
 * `@Requires`, and so on.
 */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): UserCaller | AgentCaller | ServiceCaller | AnonymousCaller => {
    const { caller } = context.switchToHttp().getRequest<GuardedRequest>();
    if (!caller) throw new Error('a handler ran without passing the guard');
    return caller;
  },
);
