import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { IdentityHarness, totp } from './identity.harness.ts';

const EVIL = 'https://evil.example';

const identity = await IdentityHarness.start();
const partnerId = await identity.partner();
const orgId = await identity.org(partnerId);
const admin = await identity.administratorOf(partnerId);
afterAll(() => identity.stop());

describe('a session for browsers', () => {
  it('keeps the refresh token in a cookie that scripts and other sites cannot use (IDY-50)', async () => {
    const { email } = await person();
    const answer = await signIn(email);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      accessToken: expect.any(String),
      expiresInSeconds: 900,
      user: expect.objectContaining({ email }),
      mfa: { satisfied: false, enrolled: false },
    });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^gatehouse_refresh=[\w-]{43}; Max-Age=604800; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    const renewed = await refresh(cookieOf(answer) ?? '');
    expect(renewed.body).toEqual({ accessToken: expect.any(String), expiresInSeconds: 900 });
    expect(cookieOf(renewed)).toMatch(/^[\w-]{43}$/);
    expect(cookieOf(renewed)).not.toBe(cookieOf(answer));
    const plain = await identity.login(email, PASSWORD);
    expect(plain.body.refreshToken).toEqual(expect.any(String));
    expect(cookieOf(plain)).toBeUndefined();
  });

  it.each([null, EVIL, 'null'])('refuses sign-in and refresh of another site, origin %s (IDY-51)', async (origin) => {
    const { email, userId } = await person();
    const sessions = () =>
      identity.service.sql('SELECT FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [userId]);
    const cookie = cookieOf(await signIn(email)) ?? '';
    const before = (await sessions()).length;
    for (const refused of [await signIn(email, origin), await refresh(cookie, origin)]) {
      expect(refused.body).toMatchObject({ status: 403, code: 'origin_denied' });
      expect(refused.headers['set-cookie']).toBeUndefined();
    }
    expect(await sessions()).toHaveLength(before);
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('lets two tabs refresh at once, which end with one cookie (IDY-52)', async () => {
    const { email } = await person();
    const cookie = cookieOf(await signIn(email)) ?? '';
    const tabs = await Promise.all([refresh(cookie), refresh(cookie)]);
    expect(tabs.map(({ status }) => status)).toEqual([200, 200]);
    expect(cookieOf(tabs[0])).toBe(cookieOf(tabs[1]));
    expect((await refresh(cookieOf(tabs[0]) ?? '')).status).toBe(200);
  });

  it('prefers a token in the body to the cookie, and refuses a request with neither', async () => {
    const { email } = await person();
    const cookie = cookieOf(await signIn(email)) ?? '';
    const { refreshToken } = (await identity.login(email, PASSWORD)).body as { refreshToken: string };
    const answer = await refresh(cookie, EVIL).send({ refreshToken });
    expect(answer.body.refreshToken).toEqual(expect.any(String));
    expect(cookieOf(answer)).toBeUndefined();
    expect((await identity.anonymous.post('/auth/refresh').set('origin', OWN)).body).toMatchObject({
      status: 401,
      code: 'refresh_token_invalid',
    });
    expect((await signIn(email, OWN, { session: 'header' })).body.code).toBe('validation_failed');
  });

  it('keeps the refresh token in the cookie when the old one is sent in a body (IDY-53)', async () => {
    const { email } = await person();
    const sent = { refreshToken: cookieOf(await signIn(email)) };
    const answers = [];
    for (let at = 0; at < 2; at++) answers.push(await identity.anonymous.post('/auth/refresh').send(sent));
    for (const { body } of answers) expect(body).toEqual({ accessToken: expect.any(String), expiresInSeconds: 900 });
    const [first, again] = answers.map(cookieOf);
    expect(again).toBe(first);
    expect((await refresh(first ?? '')).status).toBe(200);
  });

  it('renews the cookie by enrolment and step-up, and never answers with a refresh token (IDY-53)', async () => {
    const { email } = await person();
    const opened = await signIn(email);
    const client = await identity.holding(opened.body.accessToken);
    const { secret } = (await client.post('/auth/mfa/totp/enroll')).body as { secret: string };
    const confirmed = await client.post('/auth/mfa/totp/confirm').send({ code: totp(secret) });
    expect(confirmed.body).not.toHaveProperty('refreshToken');
    expect(confirmed.body).not.toHaveProperty('inCookie');
    expect((await refresh(cookieOf(opened) ?? '')).status).toBe(401);
    const renewed = await refresh(cookieOf(confirmed) ?? '');
    const again = await identity.holding(renewed.body.accessToken);
    const stepped = await again.post('/auth/mfa/step-up').send({ code: confirmed.body.recoveryCodes[0] });
    expect(stepped.body).toEqual({ accessToken: expect.any(String), expiresInSeconds: 900 });
    expect((await refresh(cookieOf(stepped) ?? '')).status).toBe(200);
    const { mfaToken, ...first } = (await signIn(email)).body as { mfaToken: string };
    expect(first).toEqual({ mfaRequired: true, methods: ['totp', 'recovery_code'] });
    const verify = (origin: string) =>
      identity.anonymous
        .post('/auth/mfa/verify')
        .set('origin', origin)
        .send({ mfaToken, code: confirmed.body.recoveryCodes[1], session: 'cookie' });
    expect((await verify(EVIL)).body.code).toBe('origin_denied');
    const verified = await verify(OWN);
    expect(verified.body).not.toHaveProperty('refreshToken');
    expect((await refresh(cookieOf(verified) ?? '')).status).toBe(200);
  });

  it('ends everywhere at once, and its cookie is cleared (IDY-54)', async () => {
    const { email } = await person();
    const [one, two] = [await signIn(email), await signIn(email)];
    const client = await identity.holding(one.body.accessToken);
    const left = await client.post('/auth/logout-all').set('cookie', `gatehouse_refresh=${cookieOf(one)}`);
    expect(left.body).toEqual({ success: true });
    expect(cookieOf(left)).toBe('');
    for (const { body } of [one, two])
      expect(await identity.introspect(body.accessToken)).toEqual({ active: false, code: 'session_revoked' });
    for (const answer of [one, two])
      expect((await refresh(cookieOf(answer) ?? '')).body).toMatchObject({ code: 'refresh_token_invalid' });
  });

  const asAdmin = () => identity.service.as(aPartnerAdmin(partnerId, { userId: admin }));

  /** A user with a password, in one organisation. */
  async function person(): Promise<{ email: string; userId: string }> {
    const email = `${newId()}@example.test`;
    const membership = { scope: 'organization', orgId, roleId: roleId('Organization Viewer') };
    const { body } = await asAdmin().post('/users').send({ email, name: 'Pat', membership });
    const token = await identity.mailedToken(email);
    await identity.anonymous.post('/auth/accept-invite').send({ token, password: PASSWORD });
    return { email, userId: body.data.id };
  }

  const signIn = (email: string, origin: string | null = OWN, more: object = {}) => {
    const request = identity.anonymous.post('/auth/login');
    if (origin !== null) void request.set('origin', origin);
    return request.send({ email, password: PASSWORD, session: 'cookie', ...more });
  };
  const refresh = (cookie: string, origin: string | null = OWN) => {
    const request = identity.anonymous.post('/auth/refresh').set('cookie', `gatehouse_refresh=${cookie}`);
    return origin === null ? request : request.set('origin', origin);
  };
});

const PASSWORD = 'an uncommon pass phrase';
const OWN = 'http://localhost:3000';
const roleId = (name: string) => SYSTEM_ROLES.find((role) => role.name === name)?.id;

/** The value of the session cookie that an answer sets; '' when it clears it, undefined when it sets none. */
function cookieOf({ headers }: Response): string | undefined {
  const all: readonly string[] = [headers['set-cookie'] ?? []].flat();
  return all.map((cookie) => /^gatehouse_refresh=([^;]*);/.exec(cookie)?.[1]).find((value) => value !== undefined);
}
