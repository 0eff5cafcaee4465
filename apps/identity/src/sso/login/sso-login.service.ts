import { ACCESS_TOKEN_SECONDS, asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import type { SsoTokensResponse } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { newRefreshToken } from '../../sessions/open-session.ts';
import { AccessTokens } from '../../sessions/tokens/access-tokens.ts';
import { ExchangeCodesRepository } from './exchange-codes.repository.ts';

const invalidCode = (): ProblemError => new ProblemError('exchange_code_invalid');

@Injectable()
export class SsoLoginService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly exchangeCodesRepository: ExchangeCodesRepository,
    private readonly accessTokens: AccessTokens,
  ) {}

  /**
   * SSO-22: a code is valid for two minutes, once, and only for the browser that returned from the provider.
   * @param browser the value in the request's cookie; when it is not the one that the code was issued to, the code is
   * not consumed
   */
  async exchangeCode(
    caller: Caller,
    { code, browser }: { code: string; browser: string | null },
  ): Promise<SsoTokensResponse> {
    if (browser === null) throw invalidCode();
    const { token, hash } = newRefreshToken();
    const presented = { codeHash: sha256Hex(code), browserHash: sha256Hex(browser), tokenHash: hash };
    const claims = await this.work.autocommit(asService('identity', caller.origin), (statement) =>
      this.exchangeCodesRepository.redeem(statement, presented),
    );
    if (!claims) throw invalidCode();
    return {
      accessToken: await this.accessTokens.mint(claims),
      refreshToken: token,
      expiresInSeconds: ACCESS_TOKEN_SECONDS,
    };
  }
}
