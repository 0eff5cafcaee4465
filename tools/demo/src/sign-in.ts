import { text, type Answer, type ProductClient } from './product-client.ts';
import { withFreshCode } from './one-time-code.ts';
import type { Administrator } from './settings.ts';

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
