import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'otplib';
import type { Answer } from './product-client.ts';

const STEP_MS = 30_000;

export const codeNow = (secret: string): Promise<string> => generate({ secret });

/**
 * Sends a TOTP code. A code is valid once (RFC 6238 5.2): if the present one was used already, waits for the next.
 * @returns the last answer, also if it is an error
 */
export async function withFreshCode(secret: string, send: (code: string) => Promise<Answer>): Promise<Answer> {
  const first = await send(await codeNow(secret));
  if (first.status < 400) return first;
  await sleep(STEP_MS - (Date.now() % STEP_MS) + 500);
  return send(await codeNow(secret));
}
