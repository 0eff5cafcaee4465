import { Api } from '@gatehouse/stack';
import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 30_000;
/** How long a code must still be good for when it is typed, on a machine that is busy. */
const USE_MS = 20_000;
const stepAt = (ms: number): number => Math.floor(ms / STEP_MS);

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Someone with a password and an authenticator. */
export class Person {
  /** A code is good once, also the neighbours of the present one: the step of the last that was read. */
  private lastStep = stepAt(Date.now()) - 2;

  constructor(
    readonly email: string,
    readonly password: string,
    readonly totpSecret: string,
  ) {}

  /** Enrols an authenticator for a new account. @param api signed in without a second factor */
  static async enrolled(api: Api, email: string, password: string): Promise<Person> {
    const { secret } = await api.must<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {});
    const person = new Person(email, password, secret);
    await api.must('POST', '/auth/mfa/totp/confirm', { code: await person.nextCode() });
    return person;
  }

  /** A code that was not used before; waits when all that are good now were used. */
  async nextCode(): Promise<string> {
    const step = Math.max(this.lastStep + 1, stepAt(Date.now() + USE_MS) - 1);
    while (step > stepAt(Date.now()) + 1) await pause(STEP_MS / 10);
    this.lastStep = step;
    return Api.codeFor(this.totpSecret, step * STEP_MS);
  }

  /** Signs in through the API, for longer than an access token lives. */
  async signIn(baseUrl: string): Promise<Api> {
    const { mfaToken } = await new Api(baseUrl).must<{ mfaToken: string }>('POST', '/auth/login', {
      email: this.email,
      password: this.password,
    });
    const proof = { mfaToken, code: await this.nextCode(), method: 'totp' };
    const { accessToken, refreshToken } = await new Api(baseUrl).must<Tokens>('POST', '/auth/mfa/verify', proof);
    return new Api(baseUrl, accessToken, refreshToken);
  }
}
