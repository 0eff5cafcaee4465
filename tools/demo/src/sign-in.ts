import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'otplib';
import { type Answer, type ProductClient, text } from './product-client.ts';
import type { Administrator } from './settings.ts';

const STEP_MS = 30_000;

const codeNow = (secret: string): Promise<string> =>
  generate({ secret }).catch((cause: unknown) => {
    throw new Error('BOOTSTRAP_ADMIN_TOTP_SECRET is not the secret of an authenticator', { cause });
  });

/**
 * Sends a TOTP code. A code is valid once (RFC 6238 5.2): if the present one was used already, waits for the next.
 * @returns the last answer, also if it is an error
 */
async function withFreshCode(secret: string, send: (code: string) => Promise<Answer>): Promise<Answer> {
  const first = await send(await codeNow(secret));
  if (first.status < 400) return first;
  await sleep(STEP_MS - (Date.now() % STEP_MS) + 500);
  return send(await codeNow(secret));
}

/**
 * Signs the bootstrap administrator in, second factor included; without a factor one is enrolled for this run's needs.
 */
export async function signInAdministrator(
  product: ProductClient,
  { email, password, totpSecret }: Administrator,
): Promise<Answer> {
  const first = await product.post('/auth/login', { email, password });
  if (first.status !== 200) return first;
  if (first.body['mfaRequired'] !== true) return (await enrolTotp(product.as(text(first.body, 'accessToken')))).answer;
  if (!totpSecret) throw new Error('the administrator has a second factor: give BOOTSTRAP_ADMIN_TOTP_SECRET');
  const mfaToken = text(first.body, 'mfaToken');
  return withFreshCode(totpSecret, (code) => product.post('/auth/mfa/verify', { mfaToken, code, method: 'totp' }));
}

/**
 * Enrols a TOTP factor for the person. @returns the answer that confirms it, with tokens that satisfy MFA, and the
 * secret
 */
export async function enrolTotp(person: ProductClient): Promise<{ answer: Answer; secret: string }> {
  const enrolment = await person.post('/auth/mfa/totp/enroll');
  if (enrolment.status >= 300) return { answer: enrolment, secret: '' };
  const secret = text(enrolment.body, 'secret');
  return { answer: await withFreshCode(secret, (code) => person.post('/auth/mfa/totp/confirm', { code })), secret };
}
