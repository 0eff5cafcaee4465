import { asService, type Caller } from '@gatehouse/contracts-core';
import { KeyRing, sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { LoginRefused } from '../sso-login/attempts/login-refused.ts';
import { StateCookies } from '../sso-login/browser/state-cookies.ts';
import { CompleteSsoLogin, type LoginResult } from '../sso-login/complete-sso-login.ts';
import type { VerifiedAnswer } from '../sso-login/oidc/oidc-engine.ts';
import { samlResultContext, type SamlResult, SamlResultsRepository } from './saml-results.repository.ts';
import { SamlSubjects } from './saml-subjects.ts';

export interface SamlReturn {
  readonly handle: unknown;
  /** The value of the Cookie header. */
  readonly cookie: string | undefined;
  /** The value that identifies the browser. */
  readonly browser: string;
}

/** `GET /sso/saml/complete`: the browser now sends the cookie, and the sign-in continues like any other. */
@Injectable()
export class CompleteSamlLogin {
  constructor(
    private readonly work: UnitOfWork,
    private readonly samlResultsRepository: SamlResultsRepository,
    private readonly stateCookies: StateCookies,
    private readonly completeSsoLogin: CompleteSsoLogin,
    private readonly keyRing: KeyRing,
    private readonly samlSubjects: SamlSubjects,
  ) {}

  /** @throws LoginRefused */
  execute(caller: Caller, { handle, cookie, browser }: SamlReturn): Promise<LoginResult> {
    return this.completeSsoLogin.execute(caller, {
      claim: () => this.claim(caller, handle, this.stateCookies.stateIn(cookie)),
      redeem: (result) => this.samlSubjects.asLinked(caller, result, this.open(result)),
      browser,
    });
  }

  private async claim(caller: Caller, handle: unknown, state: string | null): Promise<SamlResult> {
    if (typeof handle !== 'string' || state === null) throw new LoginRefused('session_expired');
    const hashes = { handleHash: sha256Hex(handle), stateHash: sha256Hex(state) };
    const result = await this.work.run(asService('identity', caller.origin), (tx) =>
      this.samlResultsRepository.take(tx, hashes),
    );
    if (!result) throw new LoginRefused('session_expired');
    return result;
  }

  private open({ handleHash, identitySealed }: SamlResult): VerifiedAnswer {
    return JSON.parse(this.keyRing.open(identitySealed, samlResultContext(handleHash))) as VerifiedAnswer;
  }
}
