import { randomToken } from '@gatehouse/crypto';

/** Ties an exchange code to the browser that came back from the provider: the one that began, by its state cookie. */
const BROWSER_COOKIE = 'svc_sso_browser';
/** Covers the callbacks, which renew the cookie, and the exchange. */
const PATH = '/api/v1/sso';
/** As long as an exchange code lives. */
const SECONDS = 120;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** The browser that a Cookie header names; null when it names none, or several. */
export function browserIn(header: string | undefined): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split(/=(.*)/s));
  const values = pairs.filter(([name]) => name === BROWSER_COOKIE).map(([, value = '']) => value);
  const [value = ''] = values;
  return values.length === 1 && FORM.test(value) ? value : null;
}

/** The same value for all tabs of a browser, so that sign-ins in two of them do not undo each other. */
export const browserOf = (header: string | undefined): string => browserIn(header) ?? randomToken();

export const browserCookie = (browser: string, secure: boolean): string =>
  `${BROWSER_COOKIE}=${browser}; Path=${PATH}; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
