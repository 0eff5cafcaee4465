import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { LoginResult } from './complete-sso-login.ts';
import { parkedLinkCookie } from './parked-link-cookie.ts';
import { sendBrowser } from './send-browser.ts';
import { StateCookies } from './state-cookies.ts';

/** The last redirect of a round trip: always to our own address, which comes from configuration alone. */
@Injectable()
export class ReturnToApp {
  constructor(private readonly cookies: StateCookies, @Inject(BASE_URL) private readonly baseUrl: string) {}

  own(path: string): string {
    return `${this.baseUrl}${path}`;
  }

  finish(reply: FastifyReply, result: LoginResult, callbackPath: string): void {
    const cleared = this.cookies.clear(callbackPath);
    if (result.kind === 'parked') return sendBrowser(reply, this.own('/login?error=link_required'), [cleared, parkedLinkCookie(result.token, this.cookies.secure)]);
    const target = result.kind === 'linked' ? '/settings/profile?ssoLinked=1' : `${result.redirectPath}#ssoCode=${result.code}`;
    sendBrowser(reply, this.own(target), [cleared]);
  }
}
