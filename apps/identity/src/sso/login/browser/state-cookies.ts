import { KeyRing, sameText } from '@gatehouse/crypto';
import {
  parseStateCookie,
  STATE_COOKIE,
  STATE_COOKIE_SECONDS,
  STATE_PURPOSE,
  stateCookieValue,
} from '@gatehouse/identity-domain';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { IdentityConfig } from '../../../identity.config.ts';

/** SSO-11: binds an attempt to the browser that began it. */
@Injectable()
export class StateCookies {
  /** True in production, and wherever our own address uses https: browsers then send the cookies over https only. */
  readonly secure: boolean;

  constructor(
    private readonly keyRing: KeyRing,
    @Inject(BASE_URL) baseUrl: string,
    { isProduction }: IdentityConfig,
  ) {
    this.secure = isProduction || baseUrl.startsWith('https:');
  }

  /** @param path the callback, the only route to which the browser sends the cookie */
  issue(state: string, path: string): string {
    return this.header(stateCookieValue(state, this.keyRing.mac(STATE_PURPOSE, state)), path, STATE_COOKIE_SECONDS);
  }

  clear(path: string): string {
    return this.header('', path, 0);
  }

  /** Returns the state in a Cookie header, or null when there is none or its signature is invalid. */
  stateIn(header: string | undefined): string | null {
    const values = (header ?? '')
      .split(';')
      .map((pair) => pair.trim().split(/=(.*)/s))
      .filter(([name]) => name === STATE_COOKIE);
    const parsed = values.length === 1 ? parseStateCookie(values[0]?.[1]) : null;
    return parsed && this.keyRing.verifies(STATE_PURPOSE, parsed.state, parsed.mac) ? parsed.state : null;
  }

  /** Compares in constant time. */
  matches(header: string | undefined, state: string): boolean {
    const own = this.stateIn(header);
    return own !== null && sameText(own, state);
  }

  private header(value: string, path: string, maxAge: number): string {
    return `${STATE_COOKIE}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${this.secure ? '; Secure' : ''}`;
  }
}
