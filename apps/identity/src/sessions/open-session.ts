import { ACCESS_TOKEN_SECONDS, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { TechnicianFeed } from './technicians/technicians.service.ts';
import { RefreshTokensRepository } from './refresh-tokens.repository.ts';
import { type NewSession, SessionsRepository, type SignedInUser } from './sessions.repository.ts';
import { AccessTokens } from './tokens/access-tokens.ts';

export function sessionOf(caller: UserCaller): string {
  if (caller.kind !== 'user' || !caller.sessionId) throw new ProblemError('permission_denied', 'There is no session.');
  return caller.sessionId;
}

/** Creates an opaque refresh token and its hash; only the hash is stored. */
export function newRefreshToken(): { token: string; hash: string } {
  const token = randomToken();
  return { token, hash: sha256Hex(token) };
}

/** Binds a sealed successor to the token that it replaced. */
export const successorContext = (tokenHash: string): string => `refresh_token:${tokenHash}`;

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

/** Creates sessions and issues their tokens, for every kind of sign-in. */
@Injectable()
export class OpenSession {
  constructor(
    private readonly sessionsRepository: SessionsRepository,
    private readonly refreshTokensRepository: RefreshTokensRepository,
    private readonly accessTokens: AccessTokens,
    private readonly technicianFeed: TechnicianFeed,
  ) {}

  /**
   * @param tx a transaction of identity itself, because no user is signed in yet
   * @throws ProblemError invalid_credentials when the membership does not permit a sign-in (any more)
   */
  async create(tx: Tx, session: NewSession): Promise<SignedInUser> {
    const user = await this.sessionsRepository.insert(tx, session);
    if (!user) throw new ProblemError('invalid_credentials');
    if (user.statusBefore !== 'active') await this.technicianFeed.publish(tx, [session.userId]);
    return user;
  }

  /** Issues the first tokens of a live session; refreshing issues the later ones. */
  async issueTokens(tx: Tx, sessionId: string): Promise<IssuedTokens> {
    const { token, hash } = newRefreshToken();
    const claims = await this.refreshTokensRepository.issue(tx, sessionId, hash);
    if (!claims) throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    return {
      accessToken: await this.accessTokens.mint(claims),
      refreshToken: token,
      expiresInSeconds: ACCESS_TOKEN_SECONDS,
    };
  }
}
