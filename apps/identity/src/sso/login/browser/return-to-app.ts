import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { LoginResult } from '../complete-sso-login.ts';
import { StateCookies } from './state-cookies.ts';
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

const browserCookie = (browser: string, secure: boolean): string =>
  `${BROWSER_COOKIE}=${browser}; Path=${PATH}; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

const PARKED_LINK_COOKIE = 'svc_sso_link';
const LINK_PATH = '/api/v1/sso/link';
const LINK_SECONDS = 600;

/** Carries the token of a parked link to the confirmation route only. */
export const parkedLinkCookie = (token: string, secure: boolean): string =>
  `${PARKED_LINK_COOKIE}=${token}; Path=${LINK_PATH}; Max-Age=${token ? LINK_SECONDS : 0}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

const CARRIED = new RegExp(`(?:^|;\\s*)${PARKED_LINK_COOKIE}=([A-Za-z0-9_-]{43})(?:;|$)`);

/** Returns the token in a Cookie header, or null. */
export const parkedLinkIn = (header: string | undefined): string | null => CARRIED.exec(header ?? '')?.[1] ?? null;

export const FOUND = 302;
export const SEE_OTHER = 303;

/** Redirects the browser, with no caching and no Referer header for the next page. */
export function sendBrowser(reply: FastifyReply, location: string, cookies: readonly string[], status = FOUND): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
  reply
    .status(status)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('location', location)
    .send();
}

export interface ReturnedBrowser {
  /** The path of the browser's state cookie, which is cleared now. */
  readonly callbackPath: string;
  readonly browser: string;
}

/** Sends the last redirect of a round trip. Its target is always our own configured address. */
@Injectable()
export class ReturnToApp {
  constructor(
    private readonly stateCookies: StateCookies,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  own(path: string): string {
    return `${this.baseUrl}${path}`;
  }

  finish(reply: FastifyReply, result: LoginResult, { callbackPath, browser }: ReturnedBrowser): void {
    const cleared = this.stateCookies.clear(callbackPath);
    if (result.kind === 'parked')
      return sendBrowser(reply, this.own(`/login?error=link_required&attempt=${result.attemptId}`), [
        cleared,
        parkedLinkCookie(result.token, this.stateCookies.secure),
      ]);
    if (result.kind === 'tested') return sendBrowser(reply, this.own(result.page), [cleared]);
    if (result.kind === 'linked') return sendBrowser(reply, this.own('/settings/profile?ssoLinked=1'), [cleared]);
    sendBrowser(reply, this.own(`${result.redirectPath}#ssoCode=${result.code}`), [
      cleared,
      browserCookie(browser, this.stateCookies.secure),
    ]);
  }
}
