import { SoftAuthenticator } from '@gatehouse/testing/soft-authenticator';
import { newId } from '@gatehouse/crypto';
import { describe, expect, it } from '@jest/globals';
import { besideAnIdp, type SsoHarness, type Tenant } from './sso.harness.ts';
import { claimsOf, totp } from './identity.harness.ts';

const PASSWORD = 'an uncommon pass phrase';
const NEXT = 'another uncommon phrase';

describe('credentials that were changed', () => {
  let sso: SsoHarness;
  let tenant: Tenant;
  besideAnIdp((made) => ({ sso, tenant } = made));

  async function enrol({ client }: Person): Promise<{ secret: string; accessToken: string }> {
    const { secret } = (await client.post('/auth/mfa/totp/enroll')).body as { secret: string };
    const { body } = await client.post('/auth/mfa/totp/confirm').send({ code: totp(secret) });
    return { secret, accessToken: body.accessToken };
  }

  it('ATK-15a: the code that confirmed an authenticator is spent, at a sign-in and at a step-up', async () => {
    const someone = await person();
    const { secret } = (await someone.client.post('/auth/mfa/totp/enroll')).body as { secret: string };
    const code = totp(secret);
    const { accessToken } = (await someone.client.post('/auth/mfa/totp/confirm').send({ code })).body as {
      accessToken: string;
    };
    const { mfaToken } = (await sso.identity.login(someone.email, PASSWORD)).body as { mfaToken: string };
    const verify = (shown: string) => sso.anonymous.post('/auth/mfa/verify').send({ mfaToken, code: shown });
    expect((await verify(code)).body).toMatchObject({ code: 'mfa_code_invalid' });
    const holder = await sso.identity.holding(accessToken);
    expect((await holder.post('/auth/mfa/step-up').send({ code })).body).toMatchObject({ code: 'mfa_code_invalid' });
    expect((await verify(totp(secret, 1))).status).toBe(200);
  });

  const changes: [string, (someone: Person) => Promise<unknown>][] = [
    [
      'another password',
      ({ client }) => client.post('/auth/change-password').send({ currentPassword: PASSWORD, newPassword: NEXT }),
    ],
    ['a new authenticator', (someone) => enrol(someone)],
    [
      'a new passkey',
      async ({ client }) => {
        const passkey = new SoftAuthenticator('http://localhost:3000');
        const { challenge } = (await client.post('/auth/mfa/webauthn/register/options')).body as { challenge: string };
        return client.post('/auth/mfa/webauthn/register/verify').send({ response: passkey.register(challenge) });
      },
    ],
  ];
  it.each(changes)('ATK-15b: a reset link is revoked by %s', async (_, change) => {
    const someone = await person();
    const token = await resetLink(someone);
    await change(someone);
    expect(
      (await sso.anonymous.post('/auth/reset-password').send({ token, password: 'chosen by an attacker' })).body,
    ).toMatchObject({ status: 400, code: 'reset_token_invalid' });
  });

  it('ATK-15b: a reset link is revoked by the removal of a factor, by its owner or by an administrator', async () => {
    for (const remove of ['own', 'administrator']) {
      const someone = await person();
      const holder = await sso.identity.holding((await enrol(someone)).accessToken);
      const token = await resetLink(someone);
      const { data } = (await holder.get('/auth/mfa/factors')).body as { data: { id: string }[] };
      const removed =
        remove === 'own'
          ? await holder.delete(`/auth/mfa/factors/${data[0]?.id}`)
          : await sso.service.as(tenant.admin).delete(`/users/${someone.userId}/mfa`);
      expect(removed.status).toBe(200);
      expect((await sso.anonymous.post('/auth/reset-password').send({ token, password: NEXT })).body.code).toBe(
        'reset_token_invalid',
      );
    }
  });

  it('ATK-15c: a refresh token two generations old yields nothing within the ten seconds either, and ends its family', async () => {
    const {
      tokens: { refreshToken: first, accessToken },
    } = await person();
    const second = (await refresh(first)).body.refreshToken as string;
    expect((await refresh(first)).body.refreshToken).toBe(second);
    const third = (await refresh(second)).body.refreshToken as string;
    expect((await refresh(first)).body).toMatchObject({ status: 401, code: 'refresh_token_invalid' });
    expect((await refresh(third)).status).toBe(401);
    expect(await sso.identity.introspect(accessToken)).toMatchObject({ active: false });
    expect((await sso.service.audits('session.revoke')).at(-1)).toMatchObject({
      resource: { id: claimsOf(accessToken).sid },
      details: { reason: 'refresh_token_reused' },
    });
  });

  async function person() {
    const email = `${newId()}@corp.example`;
    const { userId } = await sso.user({ email, partnerId: tenant.partnerId, orgId: tenant.orgId, password: PASSWORD });
    const { body } = await sso.identity.login(email, PASSWORD);
    return {
      email,
      userId,
      tokens: body as { accessToken: string; refreshToken: string },
      client: await sso.identity.holding(body.accessToken),
    };
  }
  type Person = Awaited<ReturnType<typeof person>>;

  const refresh = (refreshToken: string) => sso.anonymous.post('/auth/refresh').send({ refreshToken });

  async function resetLink({ email }: Person): Promise<string> {
    await sso.anonymous.post('/auth/forgot-password').send({ email });
    return sso.identity.mailedToken(email);
  }
});
