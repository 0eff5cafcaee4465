import { ProblemError } from '@gatehouse/contracts-core';
import { randomToken } from '@gatehouse/crypto';
import { Injectable } from '@nestjs/common';
import { hash as hashPassword, verify as verifyPassword } from '@node-rs/argon2';
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
  if (isCommon(password)) throw new ProblemError('password_too_common', 'This password is too common; choose another.');
}

/**
 * OWASP's minimum for argon2id (the library's default variant): 19 MiB, two passes, one lane; about 30 ms of one core.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** More concurrent hashes would only compete for the cores, and each uses 19 MiB. */
const AT_ONCE = 2;
const MAX_WAITING = 200;

/** Hashes passwords. Every verification costs the same, even if there is no stored password to compare with. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly dummy = hashPassword(randomToken(), COST);

  hash(password: string): Promise<string> {
    return this.limited(() => hashPassword(password.normalize('NFKC'), COST));
  }

  /**
   * @param stored null when the account is unknown or has no password: the check takes equally long and returns false
   */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const against = stored ?? (await this.dummy);
    const matches = await this.limited(() => verifyPassword(against, password.normalize('NFKC')));
    return matches && stored !== null;
  }

  private async limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting.length >= MAX_WAITING)
      throw new ProblemError('unavailable', 'Too many people are signing in at the moment; try again.', {
        retryAfterSeconds: 2,
      });
    if (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
