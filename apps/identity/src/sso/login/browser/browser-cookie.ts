import { randomToken } from '@gatehouse/crypto';

/**
 * Binds an exchange code to the browser that returned from the provider, which the state cookie identified as the one
 * that began the sign-in.
 */
const BROWSER_COOKIE = 'svc_sso_browser';
/** Covers the callbacks, which renew the cookie, and the exchange endpoint. */
const PATH = '/api/v1/sso';
/** The lifetime of an exchange code. */
const SECONDS = 120;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** Returns the browser value in a Cookie header, or null when the header has none or several. */
export function browserIn(header: string | undefined): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split(/=(.*)/s));
  const values = pairs.filter(([name]) => name === BROWSER_COOKIE).map(([, value = '']) => value);
  const [value = ''] = values;
  return values.length === 1 && FORM.test(value) ? value : null;
}

/** All tabs of a browser share one value, so that concurrent sign-ins in two tabs do not invalidate each other. */
export const browserOf = (header: string | undefined): string => browserIn(header) ?? randomToken();

export const browserCookie = (browser: string, secure: boolean): string =>
  `${BROWSER_COOKIE}=${browser}; Path=${PATH}; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
