import {
  invalid,
  type Issue,
  type Members,
  membersOf,
  ProblemError,
  unknownMembers,
  wrongParameters,
} from '@gatehouse/contracts-core';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { IGNORES_UNKNOWN } from '../contract/openapi.ts';

type DtoClass = new () => object;
type Controller = ReturnType<ExecutionContext['getClass']>;
type Handler = ReturnType<ExecutionContext['getHandler']>;

/** The members that a handler accepts; `body` is null when the handler takes no body. */
interface Shape {
  readonly query: Members;
  readonly body: Members | null;
}

interface Argument {
  readonly index: number;
  readonly data?: string;
}

const NOTHING: Members = new Map();

/**
 * Rejects body members and query parameters that a route does not declare, because a misspelt one must never widen a
 * grant. The accepted members are read from the handler, so there is no second list to maintain; `@IgnoresUnknown`
 * declares the exceptions.
 */
@Injectable()
export class ClosedRequests implements CanActivate {
  private readonly shapes = new Map<Handler, Shape | null>();

  constructor(private readonly reflector: Reflector) {}

  /** @throws ProblemError validation_failed; no_updates_provided for a PATCH without a member that the route has */
  canActivate(context: ExecutionContext): boolean {
    const shape = this.shapeFor(context.getClass(), context.getHandler());
    if (!shape) return true;
    const { method, query, body } = context.switchToHttp().getRequest<FastifyRequest>();
    const parameters = wrongParameters(shape.query, query as Record<string, unknown>);
    const members = issuesOf(shape.body, body);
    if (method === 'PATCH' && parameters.length === 0 && namesNone(shape.body, body))
      throw new ProblemError('no_updates_provided', undefined, members.length > 0 ? { issues: members } : {});
    const issues: Issue[] = [...parameters, ...members];
    if (issues.length > 0) throw new ProblemError('validation_failed', 'The request is not valid.', { issues });
    return true;
  }

  /** @returns null for a route that ignores unknown members */
  private shapeFor(controller: Controller, handler: Handler): Shape | null {
    const known = this.shapes.get(handler);
    if (known !== undefined) return known;
    const isOpen =
      this.reflector.getAllAndOverride<string | undefined>(IGNORES_UNKNOWN, [handler, controller]) !== undefined;
    const shape = isOpen ? null : shapeOf(controller, handler.name);
    this.shapes.set(handler, shape);
    return shape;
  }
}

/** Whether a body has none of the members; other values than objects are left to the validation. */
function namesNone(members: Members | null, body: unknown): boolean {
  if (!members || typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.keys(body).every((name) => !members.has(name));
}

function issuesOf(members: Members | null, body: unknown): Issue[] {
  if (members) return unknownMembers(members, body);
  if (body === undefined || body === null) return [];
  if (typeof body !== 'object' || Array.isArray(body)) throw invalid('', 'this route takes no body');
  return unknownMembers(NOTHING, body);
}

function shapeOf(controller: Controller, method: string): Shape {
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, Argument>;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ?? []) as DtoClass[];
  const query = new Map(NOTHING);
  let body: Members | null = null;
  for (const [kind, { index, data }] of Object.entries(declared)) {
    const type = Number(kind.split(':')[0]) as RouteParamtypes;
    const membersOfType = (): Members => required(membersOf(types[index]!), `${controller.name}.${method}`);
    if (type === RouteParamtypes.BODY) body = membersOfType();
    else if (type === RouteParamtypes.QUERY)
      for (const [name, member] of data ? [[data, {}] as const] : membersOfType()) query.set(name, member);
  }
  return { query, body };
}

function required(members: Members, handler: string): Members {
  if (members.size === 0)
    throw new Error(`${handler} takes an object whose class notes no members; use the fields of contracts-core`);
  return members;
}
