import { signInAs } from '@gatehouse/dev-idp';
import type { Answer, ProductClient } from './product-client.ts';

/** The cookies that an answer sets, as a browser sends them back. */
export const cookiesOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');

/**
 * Starts the sign-in of an organisation; returns the cookie that the browser keeps and the address that it is sent to.
 */
export async function startSignIn(
  product: ProductClient,
  orgId: string,
): Promise<{ answer: Answer; cookie: string; location: string }> {
  const answer = await product.get(`/sso/login/${orgId}?redirect=/dashboard`);
  return { answer, cookie: cookiesOf(answer), location: answer.headers.get('location') ?? '' };
}

/** Brings the browser back from the identity provider to the product's callback. */
export function comeBack(product: ProductClient, callbackUrl: string, cookie: string): Promise<Answer> {
  const { pathname, search } = new URL(callbackUrl);
  return product.fetch(`${pathname}${search}`, { headers: { cookie } });
}

/** Exchanges the one-time code of a sign-in, as the page that it ends at does. */
export function exchangeCode(
  product: ProductClient,
  { code, cookie }: { code: string; cookie: string },
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(cookie && { cookie }) };
  return product.fetch('/api/v1/sso/exchange', { method: 'POST', headers, body: JSON.stringify({ code }) });
}

/**
 * The whole sign-in of one user.
 * @returns the callback's answer, and the request that would replay it
 */
export async function roundTrip(product: ProductClient, orgId: string, email: string) {
  const { cookie, location } = await startSignIn(product, orgId);
  const callbackUrl = await signInAs(email, location);
  return { answer: await comeBack(product, callbackUrl, cookie), callbackUrl, cookie };
}
