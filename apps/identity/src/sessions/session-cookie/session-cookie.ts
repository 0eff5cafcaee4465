import { invalid, ProblemError } from '@gatehouse/contracts-core';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

const NAME = 'gatehouse_refresh';
/** The routes that read the cookie; single sign-on sets it from another path. */
const PATH = '/api/v1/auth';
/** The lifetime of a refresh token. */
const SECONDS = 7 * 24 * 60 * 60;

/** Tokens of a session, and whether the session keeps its refresh token in a cookie. */
interface ModedTokens {
  readonly refreshToken: string;
  readonly inCookie: boolean;
}

type Delivered<T extends ModedTokens> = Omit<T, keyof ModedTokens> & { refreshToken?: string };

/** The cookie in which a browser keeps its refresh token, out of reach of scripts and of other sites. */
@Injectable()
export class SessionCookie {
  private readonly origin: string;
  private readonly name: string;
  private readonly attributes: string;

  constructor(@Inject(BASE_URL) baseUrl: string) {
    const { origin, protocol } = new URL(baseUrl);
    const isSecure = protocol === 'https:';
    this.origin = origin;
    this.name = isSecure ? `__Secure-${NAME}` : NAME;
    this.attributes = `Path=${PATH}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  isOwnOrigin({ origin }: IncomingHttpHeaders): boolean {
    return origin === this.origin;
  }

  /** @throws ProblemError origin_denied unless a page of this product sends the request */
  requireOwnOrigin(headers: IncomingHttpHeaders): void {
    if (!this.isOwnOrigin(headers)) throw originDenied();
  }

  /**
   * The refresh token of a request: the one in the body, or else the one in the cookie.
   * @throws ProblemError validation_failed for a program without a token; origin_denied; refresh_token_invalid
   *   for a page's, or with several cookies
   */
  shown(inBody: string | undefined, headers: IncomingHttpHeaders): ModedTokens {
    if (inBody !== undefined) return { refreshToken: inBody, inCookie: false };
    if (headers.origin === undefined && this.valuesIn(headers).length === 0)
      throw invalid('refreshToken', 'is required');
    this.requireOwnOrigin(headers);
    const refreshToken = this.tokenIn(headers);
    if (refreshToken === null)
      throw new ProblemError('refresh_token_invalid', 'There is no refresh token; sign in again.');
    return { refreshToken, inCookie: true };
  }

  /** Moves the refresh token of a session that keeps it in a cookie from the answer into the cookie. */
  deliver<T extends ModedTokens>(reply: FastifyReply, { refreshToken, inCookie, ...answer }: T): Delivered<T> {
    if (!inCookie) return { ...answer, refreshToken };
    this.issue(reply, refreshToken);
    return answer;
  }

  issue(reply: FastifyReply, refreshToken: string): void {
    void reply
      .header('cache-control', 'no-store')
      .header('set-cookie', `${this.name}=${refreshToken}; Max-Age=${SECONDS}; ${this.attributes}`);
  }

  /** Clears the cookie of a browser that has one. */
  clear(reply: FastifyReply, headers: IncomingHttpHeaders): void {
    if (this.valuesIn(headers).length > 0)
      void reply.header('set-cookie', `${this.name}=; Max-Age=0; ${this.attributes}`);
  }

  /** Null also for several cookies of the name: one of them may be planted by a neighbouring host. */
  private tokenIn(headers: IncomingHttpHeaders): string | null {
    const [value = '', ...others] = this.valuesIn(headers);
    return value !== '' && others.length === 0 ? value : null;
  }

  private valuesIn({ cookie = '' }: IncomingHttpHeaders): string[] {
    const pairs = cookie.split(';').map((pair) => pair.trim().split(/=(.*)/s));
    return pairs.filter(([name]) => name === this.name).map(([, value = '']) => value);
  }
}

export const originDenied = (): ProblemError =>
  new ProblemError('origin_denied', 'Only the pages of this product can use its session cookie.');
