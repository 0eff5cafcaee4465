import { KeyRing, randomToken, sha256Hex } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { ClaimedAttempt } from './login-sessions.repository.ts';
import type { OidcSignIn } from './oidc-engine.ts';

export interface ParkedLink {
  readonly userId: string;
  readonly attempt: Pick<ClaimedAttempt, 'id' | 'configVersion'>;
  readonly signIn: OidcSignIn;
}

const PARK = `INSERT INTO sso_parked_links (token_hash, provider_id, config_version, user_id, identity_sealed) VALUES ($1, $2, $3, $4, $5)`;
const contextOf = (tokenHash: string): string => `sso_parked_link:${tokenHash}`;

/** An identity that waits until the owner of the account with its address has proven that account. */
@Injectable()
export class ParkedLinks {
  constructor(private readonly keys: KeyRing) {}

  /** @returns the token that only this browser gets */
  async park(tx: Tx, { userId, attempt, signIn }: ParkedLink): Promise<string> {
    const token = randomToken();
    const tokenHash = sha256Hex(token);
    await tx.query(PARK, [tokenHash, attempt.id, attempt.configVersion, userId, this.keys.seal(JSON.stringify(signIn), contextOf(tokenHash))]);
    return token;
  }
}
