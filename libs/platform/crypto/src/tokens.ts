import { createHash, hash, timingSafeEqual } from 'node:crypto';
import { v7 } from 'uuid';
import { randomBytes } from './random-bytes.ts';

let newest = { msecs: 0, seq: 0 };

/** A new id of a stored thing: UUID v7, so ids sort by the time of their making, also those of one millisecond. */
export function newId(): string {
  const random = randomBytes(16);
  const msecs = Date.now();
  newest =
    msecs > newest.msecs ? { msecs, seq: random.readUInt32BE(6) >>> 1 } : { msecs: newest.msecs, seq: newest.seq + 1 };
  return v7({ random, ...newest });
}

/** Unguessable text: 32 bytes make the 43 characters that API keys, agent tokens and enrollment keys carry. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

export const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
export const sha256Hex = (data: string | Buffer): string => hash('sha256', data, 'hex');

/** Compares two texts in a time that does not tell where they differ, whatever their lengths. */
export const sameText = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));
