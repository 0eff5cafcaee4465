import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { browserCookie } from './browser-cookie.ts';
import type { LoginResult } from '../complete-sso-login.ts';
import { parkedLinkCookie } from './parked-link-cookie.ts';
import { sendBrowser } from './send-browser.ts';
import { StateCookies } from './state-cookies.ts';

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
