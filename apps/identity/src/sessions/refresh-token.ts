import { randomToken, sha256Hex } from '@gatehouse/crypto';

/** Creates an opaque refresh token and its hash; only the hash is stored. */
export function newRefreshToken(): { token: string; hash: string } {
  const token = randomToken();
  return { token, hash: sha256Hex(token) };
}

/** Binds a sealed successor to the token that it replaced. */
export const successorContext = (tokenHash: string): string => `refresh_token:${tokenHash}`;
