import { sha256Hex } from '@gatehouse/crypto';
import { randomBytes } from 'node:crypto';

const COUNT = 10;
/**
 * 32 characters, so that a random byte selects each with equal probability; l, o, 0 and 1 are left out because they
 * look alike.
 */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 16;

const newCode = (): string => [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
const grouped = (code: string): string => code.match(/.{4}/g)?.join('-') ?? code;

/** Ignores dashes, spaces and case, which users type in different ways. */
export const hashOfRecoveryCode = (code: string): string => sha256Hex(code.toLowerCase().replace(/[\s-]/g, ''));

/** Ten codes of 80 bits each, in groups of four; only their hashes are stored, and each works once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => grouped(newCode()));
}
