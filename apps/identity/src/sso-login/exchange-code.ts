import { ACCESS_TOKEN_SECONDS, asService, type Caller, Refusal } from '@gatehouse/contracts-core';
import type { SsoTokensDto } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { issueTo } from '../sessions/open-session.ts';
import { newRefreshToken } from '../sessions/refresh-token.ts';
import { AccessTokens, type SessionClaims } from '../tokens/access-tokens.ts';

const CONSUME = issueTo('DELETE FROM sso_exchange_codes WHERE code_hash = $1 AND expires_at > now() RETURNING session_id');

/** SSO spec, "Token exchange code": two minutes, once. */
@Injectable()
export class ExchangeCode {
  constructor(private readonly work: UnitOfWork, private readonly accessTokens: AccessTokens) {}

  /** @throws Refusal exchange_code_invalid */
  async execute(caller: Caller, code: string): Promise<SsoTokensDto> {
    const { token, hash } = newRefreshToken();
    const claims = await this.work.single(asService('identity', caller.origin), (statement) => statement.one<SessionClaims>(CONSUME, [sha256Hex(code), hash]));
    if (!claims) throw new Refusal('exchange_code_invalid', 'Invalid or expired token exchange code.');
    return { accessToken: await this.accessTokens.mint(claims), refreshToken: token, expiresInSeconds: ACCESS_TOKEN_SECONDS };
  }
}
