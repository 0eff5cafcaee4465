import { ACCESS_TOKEN_SECONDS } from '@gatehouse/contracts-core';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER, ACCESS_TOKEN_TYPE, type AccessTokenClaims } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { SIGNING_ALGORITHM, SigningKeys } from './signing-keys.ts';

/** What a session says in its access tokens. */
export interface SessionClaims {
  readonly sessionId: string;
  readonly userId: string;
  readonly level: AccessTokenClaims['scope'];
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly mfaAt: Date | null;
  readonly mfaVia: string | null;
}

const claimsOf = ({ userId, sessionId, level, partnerId, orgId, mfaAt, mfaVia }: SessionClaims): AccessTokenClaims => ({
  sub: userId,
  sid: sessionId,
  scope: level,
  partnerId,
  orgId,
  mfa: mfaAt && mfaVia ? { at: mfaAt.toISOString(), via: mfaVia } : null,
});

/** Access tokens after RFC 9068: ES256, 15 minutes. */
@Injectable()
export class AccessTokens {
  constructor(private readonly keys: SigningKeys) {}

  async mint(session: SessionClaims): Promise<string> {
    const { kid, key } = await this.keys.signing();
    return new SignJWT({ ...claimsOf(session) })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid })
      .setIssuer(ACCESS_TOKEN_ISSUER)
      .setAudience(ACCESS_TOKEN_AUDIENCE)
      .setJti(newId())
      .setIssuedAt()
      .setExpirationTime(`${ACCESS_TOKEN_SECONDS}s`)
      .sign(key);
  }
}
