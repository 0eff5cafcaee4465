import { randomToken, sha256Hex } from '@gatehouse/crypto';

/** An opaque refresh token and the hash under which alone it is stored. */
export function newRefreshToken(): { token: string; hash: string } {
  const token = randomToken();
  return { token, hash: sha256Hex(token) };
}

/** What a sealed successor is bound to: the token that it replaced. */
export const successorContext = (tokenHash: string): string => `refresh_token:${tokenHash}`;
