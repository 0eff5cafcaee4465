import { entityTagOf } from '@gatehouse/contracts-core';
import { type CallHandler, type ExecutionContext, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Observable, tap } from 'rxjs';

class EntityTags<T> implements NestInterceptor<T, T> {
  constructor(private readonly versionOf: (answer: T) => number) {}

  intercept(context: ExecutionContext, next: CallHandler<T>): Observable<T> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(tap((answer) => void reply.header('etag', entityTagOf(this.versionOf(answer)))));
  }
}

/** Answers with the version of the record as `ETag`. @example @AnswersEtag(({ rule }: RuleResponse) => rule.version) */
export const AnswersEtag = <T>(versionOf: (answer: T) => number): MethodDecorator =>
  UseInterceptors(new EntityTags(versionOf));

/** The header for the contract. @example @ApiOkResponse({ type: RuleResponse, ...WITH_ETAG }) */
export const WITH_ETAG = {
  headers: {
    ETag: { description: 'The version of the record in quotes, for `If-Match`.', schema: { type: 'string' } },
  },
} as const;

/** States in the contract that the route takes `If-Match`; its operation calls `requireVersion`. */
export const ApiIfMatch = (): MethodDecorator => ApiHeader({ name: 'If-Match' });
