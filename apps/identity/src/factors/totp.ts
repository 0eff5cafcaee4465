import { createGuardrails, generateSecret, generateURI, verifySync } from 'otplib';

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
