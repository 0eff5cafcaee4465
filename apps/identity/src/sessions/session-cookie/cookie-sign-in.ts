import { asService } from '@gatehouse/contracts-core';
import type { SessionMode } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionsRepository } from '../sessions.repository.ts';
import { SessionCookie } from './session-cookie.ts';

/** A request that may open a session, and its answer's headers. */
interface SignInExchange {
  readonly mode: SessionMode | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Every sign-in whose client may ask for a session that keeps its refresh token in a cookie. */
@Injectable()
export class CookieSignIn {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessionsRepository: SessionsRepository,
    private readonly sessionCookie: SessionCookie,
  ) {}

  /**
   * @param signIn returns the tokens, or an answer without them when a step is missing
   * @throws ProblemError origin_denied before anything else happens; those of `signIn`
   */
  async cookie<T extends { readonly refreshToken?: string }>(
    { mode, request, reply }: SignInExchange,
    signIn: () => Promise<T>,
  ): Promise<T> {
    if (mode !== 'cookie') return signIn();
    this.sessionCookie.requireOwnOrigin(request.headers);
    const answer = await signIn();
    const { refreshToken } = answer;
    if (refreshToken === undefined) return answer;
    await this.work.autocommit(asService('identity'), (statement) =>
      this.sessionsRepository.keepInCookie(statement, sha256Hex(refreshToken)),
    );
    this.sessionCookie.issue(reply, refreshToken);
    return { ...answer, refreshToken: undefined };
  }
}
