import { ACCESS_TOKEN_SECONDS, asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import type { SsoTokensResponse } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { issueTo } from '../sessions/open-session.ts';
import { newRefreshToken } from '../sessions/refresh-token.ts';
import { AccessTokens, type SessionClaims } from '../tokens/access-tokens.ts';

const CONSUME = issueTo(`
  DELETE FROM sso_exchange_codes WHERE code_hash = $1 AND browser_hash = $3 AND expires_at > now() RETURNING session_id`);

const invalidCode = (): ProblemError =>
  new ProblemError('exchange_code_invalid', 'Invalid or expired token exchange code.');

/** SSO-22: a code is valid for two minutes, once, and only for the browser that returned from the provider. */
@Injectable()
export class ExchangeCode {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accessTokens: AccessTokens,
  ) {}

  /**
   * @param browser the value in the request's cookie; when it is not the one that the code was issued to, the code is
   * not consumed
   * @throws ProblemError exchange_code_invalid
   */
  async execute(
    caller: Caller,
    { code, browser }: { code: string; browser: string | null },
  ): Promise<SsoTokensResponse> {
    if (browser === null) throw invalidCode();
    const { token, hash } = newRefreshToken();
    const parameters = [sha256Hex(code), hash, sha256Hex(browser)];
    const claims = await this.work.autocommit(asService('identity', caller.origin), (statement) =>
      statement.one<SessionClaims>(CONSUME, parameters),
    );
    if (!claims) throw invalidCode();
    return {
      accessToken: await this.accessTokens.mint(claims),
      refreshToken: token,
      expiresInSeconds: ACCESS_TOKEN_SECONDS,
    };
  }
}
