import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'otplib';
import type { Answer } from './product-client.ts';

const STEP_MS = 30_000;

export const codeNow = (secret: string): Promise<string> => generate({ secret });

/**
 * Sends a TOTP code. A code counts once (RFC 6238 5.2), so when somebody used this half-minute's already, the next one
 * is waited for.
 * @returns the last answer, right or not
 */
export async function withFreshCode(secret: string, send: (code: string) => Promise<Answer>): Promise<Answer> {
  const first = await send(await codeNow(secret));
  if (first.status < 400) return first;
  await sleep(STEP_MS - (Date.now() % STEP_MS) + 500);
  return send(await codeNow(secret));
}
