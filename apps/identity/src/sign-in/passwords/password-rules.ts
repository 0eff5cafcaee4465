import { ProblemError } from '@gatehouse/contracts-core';
import { COMMON_PASSWORDS } from './common-passwords.ts';

const MIN_DIFFERENT_CHARACTERS = 5;

/**
 * Whether attackers would guess the password first: it is listed, listed with digits or symbols appended, or has few
 * different characters.
 */
export function isCommon(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  const stem = folded.replace(/[\d\W_]+$/, '');
  return COMMON_PASSWORDS.has(folded) || COMMON_PASSWORDS.has(stem) || new Set(folded).size < MIN_DIFFERENT_CHARACTERS;
}

export function requireUncommon(password: string): void {
  if (isCommon(password))
    throw new ProblemError(
      'password_too_common',
      'This password is among those that are guessed first; choose another.',
    );
}
