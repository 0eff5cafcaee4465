import { ACCESS_TOKEN_SECONDS } from '@gatehouse/contracts-core';
import {
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_ISSUER,
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
} from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { Injectable } from '@nestjs/common';
import { sign } from 'node:crypto';
import { SIGNING_ALGORITHM, type SigningKey, SigningKeys } from './signing-keys.ts';

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * A compact JWS with ES256. Signing is synchronous: handing 40 µs of work to another thread costs more than the work
 * itself.
 * @param type every verifier requires the type of its own tokens, so that no token passes for one of another kind
 */
export function signedToken({ kid, key }: SigningKey, type: string, claims: object): string {
  const signed = `${encoded({ alg: SIGNING_ALGORITHM, typ: type, kid })}.${encoded(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** The facts about a session that its access tokens carry. */
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

/** Access tokens as in RFC 9068: ES256, 15 minutes. */
@Injectable()
export class AccessTokens {
  constructor(private readonly signingKeys: SigningKeys) {}

  async mint(session: SessionClaims): Promise<string> {
    const signing = await this.signingKeys.signing();
    const iat = Math.floor(Date.now() / 1000);
    const claims = {
      ...claimsOf(session),
      iss: ACCESS_TOKEN_ISSUER,
      aud: ACCESS_TOKEN_AUDIENCE,
      jti: newId(),
      iat,
      exp: iat + ACCESS_TOKEN_SECONDS,
    };
    return signedToken(signing, ACCESS_TOKEN_TYPE, claims);
  }
}
