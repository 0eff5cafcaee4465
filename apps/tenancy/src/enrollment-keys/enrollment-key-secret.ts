import { randomToken, sha256Hex } from '@gatehouse/crypto';

/** Generates a secret, which is shown once and stored as a hash. */
export function newSecret(): { key: string; keyHash: string } {
  const key = randomToken();
  return { key, keyHash: sha256Hex(key) };
}
