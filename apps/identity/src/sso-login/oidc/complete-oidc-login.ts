import type { Caller } from '@gatehouse/contracts-core';
import { Injectable } from '@nestjs/common';
import { ClaimAttempt } from '../attempts/claim-attempt.ts';
import { CompleteSsoLogin, type LoginResult } from '../complete-sso-login.ts';
import { RedeemCode } from './redeem-code.ts';

/** The browser's request to the callback. */
export interface OidcCallback {
  readonly query: Readonly<Record<string, unknown>>;
  /** The value of the Cookie header. */
  readonly cookie: string | undefined;
  /** The value that identifies the browser. */
  readonly browser: string;
}

/** `GET /sso/callback`: claims the attempt by state and cookie, and redeems the code. */
@Injectable()
export class CompleteOidcLogin {
  constructor(
    private readonly claimAttempt: ClaimAttempt,
    private readonly redeemCode: RedeemCode,
    private readonly completeSsoLogin: CompleteSsoLogin,
  ) {}

  /** @throws LoginRefused */
  execute(caller: Caller, { query, cookie, browser }: OidcCallback): Promise<LoginResult> {
    return this.completeSsoLogin.execute(caller, {
      claim: () => this.claimAttempt.execute(caller, { state: query['state'], cookie }),
      redeem: (attempt) => this.redeemCode.execute(attempt, query),
      browser,
    });
  }
}
