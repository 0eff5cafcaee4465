import { generate } from 'otplib';
import { setTimeout as wait } from 'node:timers/promises';

export interface ApiAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface SignInAs {
  readonly email: string;
  readonly password: string;
  /** Base32 key of the account's authenticator. */
  readonly totpSecret?: string;
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A client of the public API, for tests and measurements that prepare or watch a running product. */
export class Api {
  private renewal: Promise<void> | undefined;

  /** @param refreshToken with which the client renews a session that has expired; without one it tells the refusal */
  constructor(
    readonly baseUrl: string,
    private token: string | null = null,
    public refreshToken: string | null = null,
  ) {}

  get accessToken(): string | null {
    return this.token;
  }

  async call(
    method: Method,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ApiAnswer> {
    const used = this.token;
    const answer = await this.send(method, path, body, headers);
    if (this.refreshToken === null || answer.body['code'] !== 'token_expired') return answer;
    if (this.token === used) await (this.renewal ??= this.renew().finally(() => (this.renewal = undefined)));
    return this.send(method, path, body, headers);
  }

  private async renew(): Promise<void> {
    const { refreshToken } = this;
    const tokens = await this.as('').must<Tokens>('POST', '/auth/refresh', { refreshToken });
    [this.token, this.refreshToken] = [tokens.accessToken, tokens.refreshToken];
  }

  private async send(
    method: Method,
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<ApiAnswer> {
    const response = await fetch(`${this.baseUrl}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text ? JSON.parse(text) : {}) as Record<string, unknown>,
    };
  }

  /** Repeats a call ten times at most while it answers 503: a busy service has changed nothing and asks to retry. */
  async patiently(method: Method, path: string, body?: object): Promise<ApiAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.call(method, path, body);
      if (answer.status !== 503 || attempt === 10) return answer;
      await wait(1000);
    }
  }

  /**
   * The body of an answer that must be a success.
   * @throws Error with the answer if it is not
   */
  async must<T = Record<string, unknown>>(method: Method, path: string, body?: object): Promise<T> {
    const answer = await this.patiently(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  /** Repeats a call until it succeeds: a change reaches the other services within five seconds. */
  async eventually<T = Record<string, unknown>>(
    method: Method,
    path: string,
    body?: object,
    timeoutMs = 60_000,
  ): Promise<T> {
    for (const deadline = Date.now() + timeoutMs; ; await wait(100)) {
      const answer = await this.call(method, path, body);
      if (answer.status < 300) return answer.body as T;
      if (Date.now() > deadline) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }

  as(accessToken: string): Api {
    return new Api(this.baseUrl, accessToken);
  }

  /** The code that an authenticator app shows for a base32 key, now or at another time in milliseconds. */
  static codeFor(secret: string, at = Date.now()): Promise<string> {
    return generate({ secret, epoch: Math.floor(at / 1000) });
  }

  /**
   * Signs in with a password and, when the account has one, the second factor. @param at when the authenticator was
   * read, in milliseconds
   */
  async signIn({ email, password, totpSecret }: SignInAs, at = Date.now()): Promise<Api> {
    const answer = await this.must<Partial<Tokens> & { mfaToken?: string }>('POST', '/auth/login', {
      email,
      password,
    });
    if (answer.accessToken) return new Api(this.baseUrl, answer.accessToken, answer.refreshToken);
    if (!totpSecret) throw new Error(`${email} needs a second factor`);
    const code = await Api.codeFor(totpSecret, at);
    const { accessToken, refreshToken } = await this.must<Tokens>('POST', '/auth/mfa/verify', {
      mfaToken: answer.mfaToken,
      code,
      method: 'totp',
    });
    return new Api(this.baseUrl, accessToken, refreshToken);
  }
}
