import { ProblemError } from '@gatehouse/contracts-core';
import type { MfaMethod } from '@gatehouse/contracts-identity';
import { KeyRing, sha256Hex } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { createGuardrails, generateSecret, generateURI, verifySync } from 'otplib';
import { FactorsRepository, type StoredTotp } from './factors.repository.ts';

const ISSUER = 'Gatehouse';
/** One step to either side, for clocks that differ (RFC 6238 5.2). */
const TOLERANCE_SECONDS = 30;
/** Our secrets have 20 bytes; the first administrator's may come from an app that creates 10-byte secrets. */
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10 });
const CODE = /^\d{6}$/;

/** 160 random bits in base32 (RFC 4226 4, R6). */
export const newTotpSecret = (): string => generateSecret();

/** For the QR code of authenticator apps. */
export const otpauthUrl = (email: string, secret: string): string =>
  generateURI({ issuer: ISSUER, label: email, secret });

/**
 * The time step that the code belongs to, or null when it is wrong.
 * @param atSeconds Unix time
 */
export function matchingStep(secret: string, code: string, atSeconds: number): number | null {
  if (!CODE.test(code)) return null;
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(atSeconds),
    epochTolerance: TOLERANCE_SECONDS,
    guardrails,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

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

export interface ShownCode {
  readonly code: string;
  readonly method?: MfaMethod;
}

export const factorContext = (factorId: string): string => `mfa_factor:${factorId}`;
export const wrongCode = (): ProblemError =>
  new ProblemError('mfa_code_invalid', 'This code is not valid or has already been used.');
const looksLikeTotp = (code: string): boolean => /^\d{6}$/.test(code);

/** Checks the codes that users enter as their second factor. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly keys: KeyRing,
    private readonly factorsRepository: FactorsRepository,
  ) {}

  /** @returns the method that was proved, whose code is now used up; or null when the code is wrong */
  async check(tx: Tx, userId: string, { code, method }: ShownCode): Promise<MfaMethod | null> {
    const means = method ?? (looksLikeTotp(code) ? 'totp' : 'recovery_code');
    const isRight =
      means === 'totp'
        ? await this.isTotpRight(tx, userId, code)
        : await this.factorsRepository.useRecoveryCode(tx, userId, hashOfRecoveryCode(code));
    return isRight ? means : null;
  }

  /** Confirms the pending authenticator app of a user with its first code. @returns false when the code is wrong */
  async confirmTotp(tx: Tx, userId: string, code: string): Promise<boolean> {
    const factor = await this.factorsRepository.lockPendingTotp(tx, userId);
    const step = factor && this.stepOf(factor, code);
    if (!factor || step === null) return false;
    await this.factorsRepository.confirmTotp(tx, factor.id, step);
    return true;
  }

  private async isTotpRight(tx: Tx, userId: string, code: string): Promise<boolean> {
    const factor = await this.factorsRepository.findTotp(tx, userId);
    if (!factor) return false;
    const step = this.stepOf(factor, code);
    return step !== null && this.factorsRepository.useStep(tx, factor.id, step);
  }

  private stepOf({ id, secretSealed, at }: StoredTotp, code: string): number | null {
    return matchingStep(this.keys.open(secretSealed, factorContext(id)), code, at);
  }
}
