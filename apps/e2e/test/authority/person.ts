import { SoftAuthenticator } from '@gatehouse/testing/soft-authenticator';
import { Api } from '@gatehouse/stack';
import type { Mailbox } from './mailbox.ts';

type Tokens = Readonly<Record<string, unknown>>;

/** The session whose tokens an answer holds, or null if it holds none. */
export const sessionIn = ({ accessToken, refreshToken }: Tokens, { baseUrl }: Api): Api | null =>
  typeof accessToken === 'string' ? new Api(baseUrl, accessToken, String(refreshToken)) : null;

/** A test password, not a secret. It is shared because Argon2 takes equally long for each password. */
export const PASSWORD = 'the passphrase of everyone in this test';

/** A person whose password and passkey the test holds. */
export class Person {
  private constructor(
    readonly email: string,
    private readonly passkey: SoftAuthenticator,
    readonly api: Api,
  ) {}

  /** Accepts the invitation that was mailed and enrols a passkey: the session has a second factor from then on. */
  static async accept(anonymous: Api, mailbox: Mailbox, email: string): Promise<Person> {
    const token = await mailbox.invitation(email);
    const answer = await anonymous.must('POST', '/auth/accept-invite', { token, password: PASSWORD });
    return Person.withPasskey(sessionIn(answer, anonymous) ?? anonymous, email);
  }

  static async withPasskey(api: Api, email: string): Promise<Person> {
    const passkey = new SoftAuthenticator(api.baseUrl);
    const { challenge } = await api.must<{ challenge: string }>('POST', '/auth/mfa/webauthn/register/options', {});
    const registered = await api.must('POST', '/auth/mfa/webauthn/register/verify', {
      response: passkey.register(challenge),
    });
    return new Person(email, passkey, sessionIn(registered, api) ?? api);
  }

  /**
   * Accepts a further invitation.
   * @returns the session in the membership that was offered, or null where none is opened
   */
  async acceptMore(anonymous: Api, mailbox: Mailbox): Promise<Api | null> {
    const token = await mailbox.invitation(this.email);
    const { body } = await anonymous.call('POST', '/auth/accept-invite', { token, password: PASSWORD });
    return this.finish(anonymous, body);
  }

  /** Opens one session for each membership, by password and passkey; none where sign-in is refused. */
  async signIn(anonymous: Api): Promise<Api[]> {
    const first = await this.answer(anonymous);
    const memberships = first['memberships'] as { id: string }[] | undefined;
    const answers = memberships ? await Promise.all(memberships.map(({ id }) => this.answer(anonymous, id))) : [first];
    const sessions: Api[] = [];
    for (const answer of answers) {
      const session = await this.finish(anonymous, answer);
      if (session) sessions.push(session);
    }
    return sessions;
  }

  private async answer(anonymous: Api, membershipId?: string): Promise<Record<string, unknown>> {
    return (
      await anonymous.call('POST', '/auth/login', {
        email: this.email,
        password: PASSWORD,
        ...(membershipId && { membershipId }),
      })
    ).body;
  }

  private async finish(anonymous: Api, answer: Tokens): Promise<Api | null> {
    const { mfaToken } = answer;
    if (typeof mfaToken !== 'string') return sessionIn(answer, anonymous);
    const { challenge } = await anonymous.must<{ challenge: string }>('POST', '/auth/mfa/webauthn/sign-in/options', {
      mfaToken,
    });
    const body = { mfaToken, response: this.passkey.assert(challenge) };
    return sessionIn((await anonymous.call('POST', '/auth/mfa/webauthn/sign-in/verify', body)).body, anonymous);
  }
}
