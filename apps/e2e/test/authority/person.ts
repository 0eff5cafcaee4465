import { SoftAuthenticator } from '@gatehouse/testing/soft-authenticator';
import type { Api } from '@gatehouse/stack';
import type { Mailbox } from './mailbox.ts';

interface Tokens {
  readonly accessToken: string;
}

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
  static async accept(anybody: Api, mailbox: Mailbox, email: string): Promise<Person> {
    const token = await mailbox.invitation(email);
    const { accessToken } = await anybody.must<Tokens>('POST', '/auth/accept-invite', { token, password: PASSWORD });
    return Person.withPasskey(anybody.as(accessToken), email);
  }

  static async withPasskey(api: Api, email: string): Promise<Person> {
    const passkey = new SoftAuthenticator(api.baseUrl);
    const { challenge } = await api.must<{ challenge: string }>('POST', '/auth/mfa/webauthn/register/options', {});
    const registered = await api.must<Tokens>('POST', '/auth/mfa/webauthn/register/verify', {
      response: passkey.register(challenge),
    });
    return new Person(email, passkey, api.as(registered.accessToken));
  }

  /** Accepts a further invitation. @returns the session in the membership that was offered, or null where none is opened */
  async acceptMore(anybody: Api, mailbox: Mailbox): Promise<Api | null> {
    const token = await mailbox.invitation(this.email);
    const { body } = await anybody.call('POST', '/auth/accept-invite', { token, password: PASSWORD });
    return this.finish(anybody, body);
  }

  /** Opens one session for each membership, by password and passkey; none where sign-in is refused. */
  async signIn(anybody: Api): Promise<Api[]> {
    const first = await this.answer(anybody);
    const memberships = first['memberships'] as { id: string }[] | undefined;
    const answers = memberships ? await Promise.all(memberships.map(({ id }) => this.answer(anybody, id))) : [first];
    const sessions: Api[] = [];
    for (const answer of answers) {
      const session = await this.finish(anybody, answer);
      if (session) sessions.push(session);
    }
    return sessions;
  }

  private async answer(anybody: Api, membershipId?: string): Promise<Record<string, unknown>> {
    return (
      await anybody.call('POST', '/auth/login', {
        email: this.email,
        password: PASSWORD,
        ...(membershipId && { membershipId }),
      })
    ).body;
  }

  private async finish(anybody: Api, { accessToken, mfaToken }: Record<string, unknown>): Promise<Api | null> {
    if (typeof accessToken === 'string') return anybody.as(accessToken);
    if (typeof mfaToken !== 'string') return null;
    const { challenge } = await anybody.must<{ challenge: string }>('POST', '/auth/mfa/webauthn/sign-in/options', {
      mfaToken,
    });
    const body = { mfaToken, response: this.passkey.assert(challenge) };
    const verified = await anybody.call('POST', '/auth/mfa/webauthn/sign-in/verify', body);
    return typeof verified.body['accessToken'] === 'string' ? anybody.as(verified.body['accessToken']) : null;
  }
}
