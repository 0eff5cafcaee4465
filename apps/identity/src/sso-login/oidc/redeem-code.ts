import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { refusedAt } from '../attempts/claim-attempt.ts';
import { LoginRefused } from '../attempts/login-refused.ts';
import type { ClaimedAttempt } from '../attempts/login-sessions.repository.ts';
import { redirectUriAt } from './callback-path.ts';
import { OidcEngine, type VerifiedAnswer } from './oidc-engine.ts';

type CallbackQuery = Readonly<Record<string, unknown>>;

/**
 * Returns the code of a provider's answer; refuses an error, a repeated parameter and another issuer's answer. A
 * provider that advertises `iss` always sends it (RFC 9207 2.4).
 * @throws Error
 */
function codeIn({ code, error, iss }: CallbackQuery, { announcesIss, issuer }: ClaimedAttempt): string {
  if (typeof error === 'string') throw new Error(`the provider answered ${error.slice(0, 100)}`);
  const isMixedUp = iss === undefined ? announcesIss : iss !== issuer;
  if (error !== undefined || isMixedUp || typeof code !== 'string' || code === '')
    throw new Error('the answer cannot be used');
  return code;
}

/** Checks the parameters of a provider's answer and redeems its code. */
@Injectable()
export class RedeemCode {
  constructor(
    private readonly oidcEngine: OidcEngine,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /** @throws LoginRefused sso_error */
  async execute(attempt: ClaimedAttempt, query: CallbackQuery): Promise<VerifiedAnswer> {
    const { codeVerifier, nonce } = attempt;
    try {
      const code = codeIn(query, attempt);
      const redirectUri = redirectUriAt(this.baseUrl);
      return await this.oidcEngine.redeem(attempt, { code, redirectUri, codeVerifier, nonce });
    } catch (cause) {
      throw new LoginRefused('sso_error', refusedAt(attempt), { cause });
    }
  }
}
