import { UnitOfWork } from '@gatehouse/database';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { ADMIN, IdentityHarness } from './identity.harness.ts';

const identity = await IdentityHarness.start();
afterAll(() => identity.stop());

describe('password recovery', () => {
  it('answers the same for known and unknown addresses, and mails only the known', async () => {
    const known = await forgot(ADMIN.email);
    const unknown = await forgot('nobody@example.test');
    expect(known.body).toEqual({ success: true, message: expect.any(String) });
    expect(unknown.body).toEqual(known.body);
    await identity.mailedToken(ADMIN.email);
    expect(identity.mails()).toHaveLength(1);
    expect(await identity.service.audits('user.password.reset_request')).toHaveLength(1);
  });

  it('sets the new password once, opens a locked account and ends every session', async () => {
    const session = await identity.login(ADMIN.email, ADMIN.password);
    await identity.service.sql(
      `UPDATE credentials SET failed_attempts = 5, locked_until = now() + interval '15 minutes'`,
    );
    const token = await identity.mailedToken(ADMIN.email);
    expect((await reset(token, 'short')).body.code).toBe('validation_failed');
    expect((await reset(token, 'letmeinletmein')).body.code).toBe('password_too_common');
    const answers = await Promise.all([reset(token, NEXT), reset(token, NEXT), reset(token, NEXT)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await reset(token, NEXT)).body.code).toBe('reset_token_invalid');
    expect(await identity.introspect(session.body.accessToken)).toMatchObject({ active: false });
    expect((await identity.login(ADMIN.email, ADMIN.password)).status).toBe(401);
    expect((await identity.login(ADMIN.email, NEXT)).status).toBe(200);
    expect(await identity.service.audits('user.password.reset')).toHaveLength(1);
  });

  it('refuses an expired link', async () => {
    await forgot(ADMIN.email);
    const token = await identity.mailedToken(ADMIN.email, 1);
    await identity.service.sql(`UPDATE password_resets SET expires_at = now()`);
    expect((await reset(token, NEXT)).body.code).toBe('reset_token_invalid');
  });

  it('is limited per account, silently', async () => {
    const limited = await IdentityHarness.start({ RATE_LIMITS: '' }, { replicaOf: identity.service });
    const before = (await identity.service.audits('user.password.reset_request')).length;
    for (let attempt = 0; attempt < 5; attempt++) expect((await forgot(ADMIN.email, limited)).status).toBe(200);
    expect((await identity.service.audits('user.password.reset_request')).length - before).toBeLessThanOrEqual(3);
    await limited.stop();
  });

  it('changes the password of a signed-in person, who keeps this session only', async () => {
    const [one, other] = [await identity.login(ADMIN.email, NEXT), await identity.login(ADMIN.email, NEXT)];
    const client = await identity.holding(one.body.accessToken);
    const change = (currentPassword: string, newPassword: string) =>
      client.post('/auth/change-password').send({ currentPassword, newPassword });
    expect((await change('not the password', ADMIN.password)).body.code).toBe('invalid_credentials');
    for (const answer of ['lost', 'repeated'])
      expect([answer, (await change(NEXT, ADMIN.password).set('idempotency-key', 'change')).body]).toEqual([
        answer,
        { success: true },
      ]);
    expect(await identity.introspect(one.body.accessToken)).toMatchObject({ active: true });
    expect(await identity.introspect(other.body.accessToken)).toMatchObject({ active: false });
    expect((await identity.login(ADMIN.email, ADMIN.password)).status).toBe(200);
    expect((await identity.service.audits('user.password.change')).map(({ result }) => result)).toEqual([
      'failure',
      'success',
    ]);
  });

  it('answers a repetition as the change that succeeds while the repetition is being looked at', async () => {
    const client = await identity.holding((await identity.login(ADMIN.email, ADMIN.password)).body.accessToken);
    const failures = async () =>
      (await identity.service.audits('user.password.change')).filter(({ result }) => result === 'failure').length;
    const before = await failures();
    const change = () =>
      client
        .post('/auth/change-password')
        .set('idempotency-key', 'change-at-once')
        .send({ currentPassword: ADMIN.password, newPassword: NEXT });
    const answers: unknown[] = [];
    const recalled = jest.spyOn(UnitOfWork.prototype, 'recalled').mockImplementationOnce(async function (
      this: UnitOfWork,
      caller,
      key,
    ) {
      const known = await this.recalled<never>(caller, key);
      answers.push((await change()).body);
      return known;
    });
    answers.push((await change()).body);
    recalled.mockRestore();
    expect([answers, await failures()]).toEqual([[{ success: true }, { success: true }], before]);
  });

  it('keeps mail sealed until it is sent, and sends it when the way is open again', async () => {
    const stuck = await IdentityHarness.start({ MAIL_DIR: '/dev/null/nowhere' });
    await forgot(ADMIN.email, stuck);
    await expect(
      stuck.service.sql<{ mail_sealed: string }>('SELECT mail_sealed FROM mail_outbox'),
    ).resolves.toMatchObject([{ mail_sealed: expect.stringMatching(/^v1\./) }]);
    const open = await IdentityHarness.start({}, { replicaOf: stuck.service });
    await stuck.service.sql('UPDATE mail_outbox SET due_at = now()');
    const retry = setInterval(() => void stuck.service.sql('UPDATE mail_outbox SET due_at = now()'), 300);
    await open.mailedToken(ADMIN.email).finally(() => clearInterval(retry));
    await open.stop();
    await stuck.stop();
  });

  const forgot = (email: string, at = identity) => at.anonymous.post('/auth/forgot-password').send({ email });
  const reset = (token: string, password: string) =>
    identity.anonymous.post('/auth/reset-password').send({ token, password });
});

const NEXT = 'another uncommon phrase';
