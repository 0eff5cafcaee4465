import { newId } from '@gatehouse/crypto';
import { NO_OUTBOX, overlapping as overlappingAt, patient } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { claimsOf, totp } from './identity.harness.ts';
import { NO_LIMITS, SsoHarness, startScriptedIdp, type Tenant } from './sso.harness.ts';

const idp = await startScriptedIdp();
const sso = await SsoHarness.start([idp.issuer], patient(NO_LIMITS));
const tenant = await sso.tenant();
afterAll(async () => {
  await sso.stop();
  await idp.stop();
});

const overlapping = (lock: string, ...calls: Call[]): Promise<Response[]> => overlappingAt(sso.service, lock, ...calls);

describe('a password that was right when it was checked', () => {
  it('opens nothing when it was reset before the session opens', async () => {
    const person = await member();
    const token = await resetTokenOf(person);
    const [done, late] = await overlapping(
      ofCredentials(person),
      () => reset(token),
      () => login(person),
    );
    expect([done?.status, late?.status]).toEqual([200, 401]);
    expect(late?.body).toMatchObject({ code: 'invalid_credentials' });
    expect(await livingSessionsOf(person)).toBe(0);
    expect((await login(person, NEXT)).status).toBe(200);
  });

  it('does not change a password that was reset first', async () => {
    const person = await member();
    const token = await resetTokenOf(person);
    const client = await sso.identity.holding((await login(person)).body.accessToken);
    const change = () =>
      client.post('/auth/change-password').send({ currentPassword: PASSWORD, newPassword: 'chosen by somebody else' });
    const [done, late] = await overlapping(ofCredentials(person), () => reset(token), change);
    expect([done?.status, late?.status]).toEqual([200, 401]);
    expect(late?.body).toMatchObject({ code: 'invalid_credentials' });
    expect((await sso.service.audits('user.password.change')).at(-1)).toMatchObject({
      result: 'failure',
      resource: { id: person.userId },
    });
    expect((await login(person, NEXT)).status).toBe(200);
  });

  it('opens nothing once single sign-on is enforced', async () => {
    const { at, enforce } = await enforcing();
    const person = await member(at);
    const [late, done] = await overlapping(ofCredentials(person), () => login(person), enforce);
    expect([done?.status, late?.status]).toEqual([200, 401]);
    expect(late?.body).toMatchObject({ code: 'invalid_credentials', detail: 'Invalid email or password.' });
    expect(await livingSessionsOf(person)).toBe(0);
  });

  it('opens a session that ends when single sign-on is enforced while it opens', async () => {
    const { at, enforce } = await enforcing();
    const person = await member(at);
    const [opened, done] = await overlapping(NO_TOKENS, () => login(person), enforce);
    expect([opened?.status, done?.status]).toEqual([200, 200]);
    expect(await livingSessionsOf(person)).toBe(0);
  });
});

describe('a session that gains a second factor', () => {
  it('ends with all the others that are ended while it is renewed', async () => {
    const person = await member();
    const { stepUp, leave } = await enrolled(person);
    const [renewed, left] = await overlapping(NO_TOKENS, stepUp, leave);
    expect([renewed?.status, left?.status]).toEqual([200, 200]);
    expect(await livingSessionsOf(person)).toBe(0);
  });

  it('is not renewed once it has ended', async () => {
    const person = await member();
    const { stepUp, leave } = await enrolled(person);
    const [left, late] = await overlapping(NO_OUTBOX, leave, stepUp);
    expect(left?.status).toBe(200);
    expect(late?.body).toMatchObject({ status: 401, code: 'session_revoked' });
    expect(await livingSessionsOf(person)).toBe(0);
  });

  it('stays one session when two codes are shown at once', async () => {
    const person = await member();
    const { stepUp, recoveryCodes, sessionId } = await enrolled(person);
    const lock = `SELECT FROM sessions WHERE id = '${sessionId}' FOR UPDATE`;
    const [first, second] = [() => stepUp(recoveryCodes[0]), () => stepUp(recoveryCodes[1])];
    const answers = await overlapping(lock, first, second);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await livingSessionsOf(person)).toBe(1);
  });

  it('leaves one set of recovery codes when two are made at once', async () => {
    const person = await member();
    const { renewCodes } = await enrolled(person);
    const answers = await overlapping('LOCK TABLE recovery_codes IN SHARE MODE', renewCodes, renewCodes);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const ofPerson = 'SELECT FROM recovery_codes WHERE user_id = $1';
    expect(await sso.service.sql(ofPerson, [person.userId])).toHaveLength(10);
  });

  it('ends with the provider that opened it, also when that is deleted while it is renewed', async () => {
    const at = await sso.tenant();
    const providerId = await sso.provider(at, idp);
    const person = await member(at);
    const { stepUp, sessionId } = await enrolled(person);
    const bySso = `UPDATE sessions SET via = 'sso', provider_id = $2, confined_org_id = $3 WHERE id = $1`;
    await sso.service.sql(bySso, [sessionId, providerId, at.orgId]);
    const remove = () => sso.service.as(at.admin).delete(`/sso/providers/${providerId}`);
    const [renewed, removed] = await overlapping(NO_TOKENS, stepUp, remove);
    expect([renewed?.status, removed?.status]).toEqual([200, 200]);
    expect(await livingSessionsOf(person)).toBe(0);
  });

  async function enrolled(person: Person) {
    const { body } = await login(person);
    const client = await sso.identity.holding(body.accessToken);
    const { secret } = (await client.post('/auth/mfa/totp/enroll')).body as { secret: string };
    const { accessToken, recoveryCodes } = (await client.post('/auth/mfa/totp/confirm').send({ code: totp(secret) }))
      .body as { accessToken: string; recoveryCodes: string[] };
    const holder = await sso.identity.holding(accessToken);
    const stepUp = (code = recoveryCodes[0]) => holder.post('/auth/mfa/step-up').send({ code });
    const renewCodes = () => holder.post('/auth/mfa/recovery-codes');
    const leave = () => holder.post('/auth/logout-all');
    return { stepUp, recoveryCodes, sessionId: claimsOf(accessToken).sid, renewCodes, leave };
  }
});

const PASSWORD = 'a long enough passphrase';
const NEXT = 'another uncommon phrase';
const NO_TOKENS = 'LOCK TABLE refresh_tokens IN SHARE MODE';

interface Person {
  readonly userId: string;
  readonly email: string;
}

type Call = () => PromiseLike<Response>;

async function member({ partnerId, orgId }: Tenant = tenant): Promise<Person> {
  const email = `${newId()}@corp.example`;
  const { userId } = await sso.user({ email, partnerId, orgId, password: PASSWORD });
  return { userId, email };
}

const login = ({ email }: Person, password = PASSWORD) => sso.identity.login(email, password);
const reset = (token: string) => sso.anonymous.post('/auth/reset-password').send({ token, password: NEXT });
const ofCredentials = ({ userId }: Person): string => `SELECT FROM credentials WHERE user_id = '${userId}' FOR UPDATE`;
const livingSessionsOf = async ({ userId }: Person): Promise<number> =>
  (await sso.service.sql('SELECT FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [userId])).length;

async function resetTokenOf({ email }: Person): Promise<string> {
  await sso.anonymous.post('/auth/forgot-password').send({ email });
  return sso.identity.mailedToken(email);
}

async function enforcing(): Promise<{ at: Tenant; enforce: Call }> {
  const at = await sso.tenant();
  const id = await sso.provider(at, idp);
  return {
    at,
    enforce: () => sso.service.as(at.admin).patch(`/sso/providers/${id}?force=true`).send({ enforceSSO: true }),
  };
}
