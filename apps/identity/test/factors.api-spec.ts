import type { Client } from '@gatehouse/testing';
import { SoftAuthenticator } from '@gatehouse/testing/soft-authenticator';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ADMIN, claimsOf, IdentityHarness, totp } from './identity.harness.ts';

const ORIGIN = 'http://localhost:3000';

const identity = await IdentityHarness.start();
afterAll(() => identity.stop());

describe('passkeys as a second factor', () => {
  it('are registered with a challenge of ours, once; a wrong answer leaves it (ATK-19e)', async () => {
    const { client } = await signedIn();
    const options = (await client.post('/auth/mfa/webauthn/register/options')).body;
    expect(options).toMatchObject({
      challenge: expect.any(String),
      rp: { id: 'localhost', name: 'Gatehouse' },
      excludeCredentials: [],
    });
    const verify = (from: SoftAuthenticator) =>
      client
        .post('/auth/mfa/webauthn/register/verify')
        .send({ response: from.register(options.challenge), name: 'Laptop' });
    const framed = Object.assign(new SoftAuthenticator(ORIGIN), { crossOrigin: true });
    for (const wrong of [new SoftAuthenticator('https://evil.example'), framed])
      expect((await verify(wrong)).body.code).toBe('mfa_code_invalid');
    const enrolled = await verify(passkey);
    expect((await verify(passkey)).body.code).toBe('mfa_code_invalid');
    expect(enrolled.body).toMatchObject({ factorId: expect.any(String), accessToken: expect.any(String) });
    expect(enrolled.body.recoveryCodes).toHaveLength(10);
    expect(claimsOf(enrolled.body.accessToken).mfa?.via).toBe('webauthn');
  });

  it.each([null, 'internal', [7], ['x'.repeat(33)], Array(17).fill('usb')])(
    'are registered without the transports %j, which say nothing that a browser could use',
    async (transports) => {
      const client = await identity.holding((await signedIn()).accessToken);
      const fresh = new SoftAuthenticator(ORIGIN);
      const { challenge } = (await client.post('/auth/mfa/webauthn/register/options')).body;
      const answer = fresh.register(challenge) as { response: object };
      const enrolled = await client
        .post('/auth/mfa/webauthn/register/verify')
        .send({ response: { ...answer, response: { ...answer.response, transports } } });
      expect(enrolled.status).toBe(200);
      const holder = await identity.holding(enrolled.body.accessToken);
      for (const purpose of ['register', 'step-up'])
        expect((await holder.post(`/auth/mfa/webauthn/${purpose}/options`)).status).toBe(200);
      expect(
        await identity.service.sql('DELETE FROM mfa_factors WHERE id = $1 RETURNING transports', [
          enrolled.body.factorId,
        ]),
      ).toEqual([{ transports: [] }]);
    },
  );

  it('have an id of at most 1023 bytes (WebAuthn 3, 4)', async () => {
    const client = await identity.holding((await signedIn()).accessToken);
    const register = async (length: number) => {
      const { challenge } = (await client.post('/auth/mfa/webauthn/register/options')).body;
      return client
        .post('/auth/mfa/webauthn/register/verify')
        .send({ response: new SoftAuthenticator(ORIGIN, length).register(challenge) });
    };
    for (const length of [1024, 3000])
      expect((await register(length)).body).toMatchObject({ status: 400, code: 'mfa_code_invalid' });
    const longest = await register(1023);
    expect(longest.status).toBe(200);
    await identity.service.sql('DELETE FROM mfa_factors WHERE id = $1', [longest.body.factorId]);
  });

  it('complete a sign-in, and refuse another key, another challenge and a copied authenticator', async () => {
    const { body } = await identity.login(ADMIN.email, ADMIN.password);
    expect(body.methods).toEqual(['webauthn', 'recovery_code']);
    const verify = (response: object) =>
      identity.anonymous.post('/auth/mfa/webauthn/sign-in/verify').send({ mfaToken: body.mfaToken, response });
    const { challenge } = (
      await identity.anonymous.post('/auth/mfa/webauthn/sign-in/options').send({ mfaToken: body.mfaToken })
    ).body;
    const stranger = new SoftAuthenticator(ORIGIN);
    expect((await verify(stranger.assert(challenge))).body.code).toBe('mfa_code_invalid');
    expect((await verify(passkey.assert('another-challenge'))).body.code).toBe('mfa_code_invalid');
    expect((await verify({ id: 7, nonsense: true })).body.code).toBe('mfa_code_invalid');
    passkey.crossOrigin = true;
    expect((await verify(passkey.assert(challenge))).body.code).toBe('mfa_code_invalid');
    passkey.crossOrigin = false;
    expect(
      (await identity.anonymous.post('/auth/mfa/webauthn/sign-in/options').send({ mfaToken: 'x' })).body.code,
    ).toBe('mfa_token_invalid');
    const { accessToken } = await signedIn();
    expect(await identity.principalOf(accessToken)).toMatchObject({ mfa: true });
    passkey.counter = 0;
    expect((await verify(passkey.assert(challenge))).body.code).toBe('mfa_code_invalid');
    passkey.counter = 50;
  });

  it.each(['NULL', `'{NULL}'`, `'{{usb},{nfc}}'`, `array_fill('x'::text, '{17}')`])(
    'of an earlier release are as good as others, though their transports are %s',
    async (transports) => {
      await identity.service.sql(`UPDATE mfa_factors SET transports = ${transports}`);
      const { client } = await signedIn();
      const { mfaToken } = (await identity.login(ADMIN.email, ADMIN.password)).body;
      const named = [{ id: expect.any(String), type: 'public-key' }];
      expect(
        (await identity.anonymous.post('/auth/mfa/webauthn/sign-in/options').send({ mfaToken })).body.allowCredentials,
      ).toEqual(named);
      expect((await client.post('/auth/mfa/webauthn/step-up/options')).body.allowCredentials).toEqual(named);
      expect((await client.post('/auth/mfa/webauthn/register/options')).body.excludeCredentials).toEqual(named);
      expect((await client.get('/auth/mfa/factors')).body.data).toMatchObject([{ kind: 'webauthn', name: 'Laptop' }]);
    },
  );

  it('step up a session whose second factor has grown old', async () => {
    const { accessToken } = await signedIn();
    await identity.service.sql(`UPDATE sessions SET mfa_at = now() - interval '13 hours' WHERE id = $1`, [
      claimsOf(accessToken).sid,
    ]);
    const client = await identity.holding(accessToken);
    expect((await client.post('/auth/mfa/recovery-codes')).body.code).toBe('mfa_required');
    const { challenge } = (await client.post('/auth/mfa/webauthn/step-up/options')).body;
    const response = passkey.assert(challenge);
    const stepped = await client.post('/auth/mfa/webauthn/step-up/verify').send({ response });
    expect(await identity.principalOf(stepped.body.accessToken)).toMatchObject({ mfa: true });
    const renewed = await identity.holding(stepped.body.accessToken);
    expect((await renewed.post('/auth/mfa/webauthn/step-up/verify').send({ response })).body.code).toBe(
      'mfa_code_invalid',
    );
  });

  it('are listed and removed; removal ends the other sessions, and the recovery codes with the last factor', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const { secret } = (await one.client.post('/auth/mfa/totp/enroll')).body;
    const confirmed = await one.client.post('/auth/mfa/totp/confirm').send({ code: totp(secret) });
    const client = await identity.holding(confirmed.body.accessToken);
    expect((await client.post('/auth/mfa/totp/enroll')).body.code).toBe('factor_exists');
    expect((await client.post('/auth/mfa/recovery-codes')).body.recoveryCodes).toHaveLength(10);
    const { data } = (await client.get('/auth/mfa/factors')).body;
    expect(data).toMatchObject([
      { kind: 'webauthn', name: 'Laptop' },
      { kind: 'totp', name: 'Authenticator app' },
    ]);
    for (const { id } of data) expect((await client.delete(`/auth/mfa/factors/${id}`)).body).toEqual({ success: true });
    expect((await client.delete(`/auth/mfa/factors/${data[0].id}`)).body.code).toBe('factor_not_found');
    expect(await identity.introspect(other.accessToken)).toMatchObject({ active: false });
    expect(await identity.introspect(confirmed.body.accessToken)).toMatchObject({ active: true });
    expect(await identity.service.sql('SELECT * FROM recovery_codes')).toHaveLength(0);
    expect((await identity.login(ADMIN.email, ADMIN.password)).body.mfa).toEqual({ satisfied: false, enrolled: false });
  });

  const passkey = new SoftAuthenticator(ORIGIN);

  async function signedIn(): Promise<{ client: Client; accessToken: string }> {
    const first = (await identity.login(ADMIN.email, ADMIN.password)).body;
    if (first.accessToken) return { client: await identity.holding(first.accessToken), accessToken: first.accessToken };
    const { body } = await identity.anonymous
      .post('/auth/mfa/webauthn/sign-in/options')
      .send({ mfaToken: first.mfaToken });
    const answer = await identity.anonymous
      .post('/auth/mfa/webauthn/sign-in/verify')
      .send({ mfaToken: first.mfaToken, response: passkey.assert(body.challenge) });
    expect(answer.body).toMatchObject({ user: { email: ADMIN.email }, mfa: { satisfied: true, enrolled: true } });
    return { client: await identity.holding(answer.body.accessToken), accessToken: answer.body.accessToken };
  }
});
