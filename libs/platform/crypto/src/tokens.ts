import { createHash, hash, timingSafeEqual } from 'node:crypto';
import { v7 } from 'uuid';
import { randomBytes } from './random-bytes.ts';

let newest = { msecs: 0, seq: 0 };

/** A new id: UUID v7, so that ids sort by creation time, even within one millisecond. */
export function newId(): string {
  const random = randomBytes(16);
  const msecs = Date.now();
  newest =
    msecs > newest.msecs ? { msecs, seq: random.readUInt32BE(6) >>> 1 } : { msecs: newest.msecs, seq: newest.seq + 1 };
  return v7({ random, ...newest });
}

/** A random token: 32 bytes make the 43 characters of API keys, agent tokens and enrollment keys. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

export const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
export const sha256Hex = (data: string | Buffer): string => hash('sha256', data, 'hex');

/** Compares two texts of any length in constant time. */
export const sameText = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));
