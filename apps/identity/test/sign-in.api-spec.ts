import { aSystemAdmin, atOnce } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import supertest from 'supertest';
import { ADMIN, claimsOf, IdentityHarness, totp, TOTP_SECRET } from './identity.harness.ts';

describe('password sign-in', () => {
  let identity: IdentityHarness;
  beforeAll(async () => {
    identity = await IdentityHarness.start();
  });
  afterAll(() => identity.stop());

  it('answers tokens, the user and the standing of the second factor', async () => {
    const { status, body } = await identity.login('ROOT@Example.TEST', ADMIN.password);
    expect(status).toBe(200);
    expect(body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresInSeconds: 900,
      user: { id: expect.any(String), email: ADMIN.email, name: 'Administrator' },
      mfa: { satisfied: false, enrolled: false },
    });
    expect(await identity.principalOf(body.accessToken)).toMatchObject({
      kind: 'user',
      level: 'system',
      orgs: 'all',
      sites: 'all',
      permissions: ['*'],
      mfa: false,
      partnerActive: true,
    });
  });

  it('mints access tokens after RFC 9068 that the published keys verify', async () => {
    const { body } = await identity.login(ADMIN.email, ADMIN.password);
    const jwks = (await identity.anonymous.get('/.well-known/jwks.json')).body as JSONWebKeySet;
    const { payload } = await jwtVerify(body.accessToken, createLocalJWKSet(jwks), {
      issuer: 'gatehouse',
      audience: 'gatehouse-api',
      typ: 'at+jwt',
      algorithms: ['ES256'],
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
    expect(payload).toMatchObject({
      sub: body.user.id,
      sid: expect.any(String),
      scope: 'system',
      partnerId: null,
      orgId: null,
      mfa: null,
    });
    expect(JSON.stringify(jwks)).not.toContain('"d"');
    expect(jwks.keys).toHaveLength(2);
  });

  it.each([
    ['an unknown address', 'nobody@example.test', 'whatever it may be'],
    ['a wrong password', ADMIN.email, 'wrong password here'],
    ['a short password', ADMIN.email, 'x'],
  ])('answers %s with the same 401, recorded as a failure', async (_, email, password) => {
    const before = (await identity.service.audits('user.login_failed')).length;
    const { status, body } = await identity.login(email, password);
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: 401,
      code: 'invalid_credentials',
      detail: 'Invalid email or password.',
    });
    const failures = await identity.service.audits('user.login_failed');
    expect(failures.length).toBe(before + 1);
    expect(failures.at(-1)).toMatchObject({ result: 'failure', ip: identity.service.ip });
  });

  it('refuses malformed input with 400', async () => {
    expect(
      (await identity.anonymous.post('/auth/login').send({ email: 'no address', password: ['x'] })).body,
    ).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(
      (await identity.login(ADMIN.email, ADMIN.password, { membershipId: '01900000-0000-7000-8000-000000000009' }))
        .body,
    ).toMatchObject({ status: 400 });
  });

  it('refuses an object of thousands of members at once, before any limit counts', async () => {
    const crowd = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [at, 1]));
    expect((await identity.login(ADMIN.email, ADMIN.password, crowd)).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
      issues: [{ message: expect.stringContaining('1000 members') }],
    });
  });

  it('takes JSON, and no forms of other sites', async () => {
    expect(
      (await identity.anonymous.post('/auth/login').type('form').send({ email: ADMIN.email, password: ADMIN.password }))
        .body,
    ).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it('locks the account after five failures, invisibly, and opens it again after 15 minutes', async () => {
    for (let attempt = 0; attempt < 5; attempt++) await identity.login(ADMIN.email, 'not the password');
    const locked = await identity.login(ADMIN.email, ADMIN.password);
    expect(locked.body).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect((await identity.service.audits('user.login_failed')).at(-1)?.details).toMatchObject({ reason: 'locked' });
    await identity.service.sql(`UPDATE credentials SET locked_until = now() - interval '1 second'`);
    expect((await identity.login(ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('says who is signed in, and ends one session or all of them (TOK-07)', async () => {
    const [one, two] = [
      await identity.login(ADMIN.email, ADMIN.password),
      await identity.login(ADMIN.email, ADMIN.password),
    ];
    const client = await identity.holding(one.body.accessToken);
    expect((await client.get('/auth/me')).body).toMatchObject({
      user: { email: ADMIN.email },
      scope: 'system',
      partnerId: null,
      orgId: null,
      permissions: ['*'],
      mfa: { satisfied: false, enrolled: false },
    });
    expect((await client.post('/auth/logout')).body).toEqual({ success: true });
    expect(await identity.introspect(one.body.accessToken)).toEqual({ active: false, code: 'session_revoked' });
    expect(
      (await identity.anonymous.post('/auth/refresh').send({ refreshToken: one.body.refreshToken })).body,
    ).toMatchObject({ status: 401, code: 'refresh_token_invalid' });
    expect(await identity.introspect(two.body.accessToken)).toMatchObject({ active: true });
    await (await identity.holding(two.body.accessToken)).post('/auth/logout-all');
    expect(await identity.introspect(two.body.accessToken)).toMatchObject({ active: false });
  });

  it('lets one person sign in twenty times at once, on two replicas', async () => {
    const replica = await IdentityHarness.start({}, { replicaOf: identity.service });
    const answers = await atOnce(20, (at) => (at % 2 ? replica : identity).login(ADMIN.email, ADMIN.password));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => claimsOf(body.accessToken).sid)).size).toBe(20);
    await replica.stop();
  });

  it('limits sign-ins per client and account', async () => {
    const limited = await IdentityHarness.start({ RATE_LIMITS: '' }, { replicaOf: identity.service });
    const answers = [];
    for (let attempt = 0; attempt < 6; attempt++)
      answers.push((await limited.login('guessed@example.test', 'wrong password')).status);
    expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
    await limited.stop();
  });

  it('limits the addresses of one IPv6 network as one client', async () => {
    const limited = await IdentityHarness.start({ RATE_LIMITS: '' }, { replicaOf: identity.service });
    const { url } = await limited.service.addressFor(aSystemAdmin(), '/auth/login');
    const guess = async (address: string, attempt: number) =>
      (
        await supertest(url)
          .post('')
          .set('x-forwarded-for', address)
          .send({ email: `guessed-${attempt}@example.test`, password: 'wrong password' })
      ).status;
    const answers = [];
    for (let attempt = 0; attempt < 11; attempt++) answers.push(await guess(`2001:db8:5:6::${attempt}`, attempt));
    expect(answers).toEqual([...Array(10).fill(401), 429]);
    expect(await guess('2001:db8:5:7::1', 11)).toBe(401);
    await limited.stop();
  });
});

describe('refreshing', () => {
  let identity: IdentityHarness;
  let replica: IdentityHarness;
  beforeAll(async () => {
    identity = await IdentityHarness.start();
    replica = await IdentityHarness.start({}, { replicaOf: identity.service });
  });
  afterAll(async () => {
    await replica.stop();
    await identity.stop();
  });
  const refresh = (refreshToken: string, at = identity) => at.anonymous.post('/auth/refresh').send({ refreshToken });
  const ELEVEN_SECONDS_LATER = `UPDATE refresh_tokens SET rotated_at = rotated_at - interval '11 seconds'`;

  it('rotates the token within its session, and stores only hashes (TOK-11, TOK-13)', async () => {
    const { body } = await identity.login(ADMIN.email, ADMIN.password);
    const next = await refresh(body.refreshToken);
    expect(next.status).toBe(200);
    expect(next.body.refreshToken).not.toBe(body.refreshToken);
    expect((await refresh(body.refreshToken)).body.refreshToken).toBe(next.body.refreshToken);
    expect(claimsOf(next.body.accessToken).sid).toBe(claimsOf(body.accessToken).sid);
    expect(JSON.stringify(await identity.service.sql('SELECT * FROM refresh_tokens'))).not.toContain(body.refreshToken);
  });

  it('gives twenty parallel uses on two replicas one and the same successor (TOK-09)', async () => {
    const { body } = await identity.login(ADMIN.email, ADMIN.password);
    const answers = await atOnce(20, (at) => refresh(body.refreshToken, at % 2 ? replica : identity));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.refreshToken)).size).toBe(1);
    expect(
      await identity.service.sql('SELECT FROM refresh_tokens WHERE session_id = $1 AND rotated_at IS NULL', [
        claimsOf(body.accessToken).sid,
      ]),
    ).toHaveLength(1);
  });

  it.each<[string, (successor: string) => PromiseLike<unknown>]>([
    ['ten seconds', () => identity.service.sql(ELEVEN_SECONDS_LATER)],
    ['its successor', refresh],
  ])('ends the family when a token is used again after %s, and records it (TOK-08)', async (_, after) => {
    const { body } = await identity.login(ADMIN.email, ADMIN.password);
    const next = await refresh(body.refreshToken);
    await after(next.body.refreshToken);
    expect((await refresh(body.refreshToken)).body).toMatchObject({ status: 401, code: 'refresh_token_invalid' });
    expect((await refresh(next.body.refreshToken)).status).toBe(401);
    expect(await identity.introspect(next.body.accessToken)).toMatchObject({ active: false });
    expect((await identity.service.audits('session.revoke')).at(-1)?.details).toMatchObject({
      reason: 'refresh_token_reused',
    });
  });

  it('refuses access tokens, strangers and tokens of a person who was suspended (TOK-03, TOK-12)', async () => {
    const { body } = await identity.login(ADMIN.email, ADMIN.password);
    expect((await refresh(body.accessToken.slice(0, 200))).status).toBe(401);
    expect((await refresh('x'.repeat(43))).status).toBe(401);
    await identity.service.sql(`UPDATE users SET status = 'suspended'`);
    expect((await refresh(body.refreshToken)).status).toBe(401);
    expect(await identity.introspect(body.accessToken)).toMatchObject({ active: false });
    await identity.service.sql(`UPDATE users SET status = 'active'`);
  });

  it.each([
    ['seven days after its issue', `refresh_tokens SET expires_at = expires_at - interval '7 days' WHERE session_id`],
    ['with the family ceiling of 30 days', `sessions SET expires_at = expires_at - interval '30 days' WHERE id`],
  ])('ends %s (TOK-12)', async (_, expire) => {
    const { body } = await identity.login(ADMIN.email, ADMIN.password);
    await identity.service.sql(`UPDATE ${expire} = $1`, [claimsOf(body.accessToken).sid]);
    expect((await refresh(body.refreshToken)).status).toBe(401);
  });
});

describe('the second factor', () => {
  let identity: IdentityHarness;
  beforeAll(async () => {
    identity = await IdentityHarness.start();
  });
  afterAll(() => identity.stop());

  it('is enrolled by a user without one, and satisfied from then on', async () => {
    const signedIn = await identity.login(ADMIN.email, ADMIN.password);
    const client = await identity.holding(signedIn.body.accessToken);
    const enrol = (key: string) => client.post('/auth/mfa/totp/enroll').set('idempotency-key', key);
    await enrol('lost-answer');
    expect((await enrol('lost-answer')).body).toMatchObject({ code: 'idempotency_secret_shown' });
    const enrolment = await enrol('next-try');
    expect(enrolment.body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauthUrl: expect.stringContaining('otpauth://totp/Gatehouse:'),
    });
    expect((await client.post('/auth/mfa/totp/confirm').send({ code: '000000' })).body).toMatchObject({
      code: 'mfa_code_invalid',
    });
    const used = totp(enrolment.body.secret);
    const confirmed = await client.post('/auth/mfa/totp/confirm').send({ code: used });
    expect(confirmed.status).toBe(200);
    expect(confirmed.body.recoveryCodes).toHaveLength(10);
    expect(claimsOf(confirmed.body.accessToken).mfa).toMatchObject({ via: 'totp' });
    expect(await identity.principalOf(confirmed.body.accessToken)).toMatchObject({ mfa: true });
    expect(await identity.introspect(signedIn.body.accessToken)).toMatchObject({ active: false });
    const enrolments = await identity.service.audits('user.mfa.enroll');
    expect(enrolments.map(({ result }) => result)).toEqual(['failure', 'success']);
    await signInWith(enrolment.body.secret, used, confirmed.body.recoveryCodes[0]);
  });

  async function signInWith(secret: string, used: string, recoveryCode: string): Promise<void> {
    const first = await identity.login(ADMIN.email, ADMIN.password);
    expect(first.body).toEqual({ mfaRequired: true, mfaToken: expect.any(String), methods: ['totp', 'recovery_code'] });
    const verify = (code: string, mfaToken = first.body.mfaToken as string) =>
      identity.anonymous.post('/auth/mfa/verify').send({ mfaToken, code });
    expect((await verify('000000')).body).toMatchObject({ code: 'mfa_code_invalid' });
    expect((await verify(used)).body.code).toBe('mfa_code_invalid');
    const code = totp(secret, 1);
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    const second = await identity.login(ADMIN.email, ADMIN.password);
    expect((await verify(code, second.body.mfaToken)).body.code).toBe('mfa_code_invalid');
    expect((await verify(recoveryCode.toUpperCase(), second.body.mfaToken)).body).toMatchObject({
      mfa: { satisfied: true, enrolled: true },
    });
    const third = await identity.login(ADMIN.email, ADMIN.password);
    expect((await verify(recoveryCode, third.body.mfaToken)).body.code).toBe('mfa_code_invalid');
    const ended = answers.find(({ status }) => status === 200);
    await identity.service.sql('UPDATE mfa_factors SET last_step = NULL');
    await stepUp(ended?.body.accessToken, totp(secret, 1));
  }

  async function stepUp(accessToken: string, code: string): Promise<void> {
    await identity.service.sql(`UPDATE sessions SET mfa_at = now() - interval '12 hours 1 second' WHERE id = $1`, [
      claimsOf(accessToken).sid,
    ]);
    expect(await identity.principalOf(accessToken)).toMatchObject({ mfa: false });
    const client = await identity.holding(accessToken);
    expect((await client.post('/auth/mfa/totp/enroll')).body.code).toBe('mfa_required');
    const stepped = await client.post('/auth/mfa/step-up').send({ code });
    expect(stepped.status).toBe(200);
    expect(await identity.principalOf(stepped.body.accessToken)).toMatchObject({ mfa: true });
  }

  it('ends a sign-in after five wrong codes', async () => {
    const { body } = await identity.login(ADMIN.email, ADMIN.password);
    const answers = [];
    for (let attempt = 0; attempt < 6; attempt++)
      answers.push(
        (await identity.anonymous.post('/auth/mfa/verify').send({ mfaToken: body.mfaToken, code: '000000' })).body.code,
      );
    expect(answers).toEqual([...Array(5).fill('mfa_code_invalid'), 'mfa_token_invalid']);
  });
});

describe('the first administrator', () => {
  it('is made once by replicas that start together, with the second factor that was given', async () => {
    const first = await IdentityHarness.start({ BOOTSTRAP_ADMIN_EMAIL: '', BOOTSTRAP_ADMIN_PASSWORD: '' });
    const replicas = await Promise.all(
      ['a', 'b', 'c'].map(() =>
        IdentityHarness.start({ BOOTSTRAP_ADMIN_TOTP_SECRET: TOTP_SECRET }, { replicaOf: first.service }),
      ),
    );
    expect(await first.service.sql('SELECT id FROM users')).toHaveLength(1);
    expect(await first.service.audits('user.create')).toHaveLength(1);
    const { body } = await first.login(ADMIN.email, ADMIN.password);
    expect(
      (await first.anonymous.post('/auth/mfa/verify').send({ mfaToken: body.mfaToken, code: totp(TOTP_SECRET) }))
        .status,
    ).toBe(200);
    await Promise.all(replicas.map((replica) => replica.stop()));
    await first.stop();
  });
});

describe('signing keys', () => {
  it('rotate without refusing a token that is still good, and never show private parts (TOK-22)', async () => {
    const identity = await IdentityHarness.start();
    const before = await identity.login(ADMIN.email, ADMIN.password);
    const keys = async () =>
      (
        await supertest(identity.service.url)
          .get('/.well-known/jwks.json')
          .set(await internalHeaders(identity))
      ).body as JSONWebKeySet;
    await identity.service.sql(`UPDATE signing_keys SET state_since = state_since - interval '6 minutes'`);
    const rotated = await identity.service.asService('operator').post('/internal/signing-keys/rotate');
    const after = await identity.login(ADMIN.email, ADMIN.password);
    expect(decodeProtectedHeader(after.body.accessToken).kid).toBe(rotated.body.kid);
    const jwks = await keys();
    expect(jwks.keys).toHaveLength(3);
    for (const { body } of [before, after]) await jwtVerify(body.accessToken, createLocalJWKSet(jwks));
    await identity.service.sql(`UPDATE signing_keys SET state_since = now() - interval '1 hour'`);
    await identity.service.asService('operator').post('/internal/signing-keys/rotate');
    expect((await keys()).keys).toHaveLength(3);
    await identity.stop();
  });
});

/** The headers with which the gateway would ask, taken from a call that was made with them. */
async function internalHeaders(identity: IdentityHarness): Promise<Record<string, string>> {
  const call = identity.service.asService('gateway').get('/.well-known/jwks.json');
  await call;
  return { 'x-gatehouse-identity': String(call.get('x-gatehouse-identity')) };
}
