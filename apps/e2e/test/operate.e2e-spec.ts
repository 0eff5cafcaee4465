import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { connect } from 'nats';
import { operate as runCommand } from './operate.ts';
import { makeTenant, outboxesAreEmpty, sql, startWorld, type Tenant, until, type World } from './world.ts';

describe("the operator's commands", () => {
  let world: World;
  let tenant: Tenant;
  let admin: Api;
  beforeAll(async () => {
    world = await startWorld();
    admin = world.admin;
    tenant = await makeTenant(world.admin);
  });
  afterAll(() => world.stop(), 60_000);

  it('rebuild the copies that other services keep of the hierarchy', async () => {
    for (const table of ['device_ref', 'site_ref', 'org_ref', 'partner_ref'])
      await sql(world, 'pam', `DELETE FROM ${table}`);
    expect(await operate('rebuild', 'tenancy')).toMatchObject({
      code: 0,
      output: expect.stringContaining('"devices":1'),
    });
    await until(
      async () =>
        (await sql(world, 'pam', 'SELECT FROM device_ref WHERE device_id = $1', [tenant.deviceId])).length === 1,
    );
    await until(async () => (await world.admin.call('GET', `/pam/config?orgId=${tenant.orgId}`)).status === 200);
  });

  it('rotate the signing key without refusing a token that is still good', async () => {
    expect(await operate('rotate', 'signing-key')).toMatchObject({
      code: 1,
      output: expect.stringContaining('not every verifier knows it yet'),
    });
    await sql(world, 'identity', `UPDATE signing_keys SET state_since = state_since - interval '10 minutes'`);
    const named = ['--as', 'ada@example.com', '--ticket', 'OPS-7'];
    expect(await operate('rotate', 'signing-key', ...named)).toMatchObject({ code: 0 });
    const entries = await until(async () => {
      const found = await sql(world, 'audit', `SELECT * FROM audit_entries WHERE action = 'signing_key.rotate'`);
      return found.length > 0 && found;
    });
    expect(entries).toMatchObject([
      { actor_type: 'system', actor_name: 'ada@example.com', actor_label: 'operator', details: { ticket: 'OPS-7' } },
    ]);
    expect((await world.admin.call('GET', '/auth/me')).status).toBe(200);
    await until(async () => (await world.admin.signIn(world.product.administrator)).accessToken !== null, 90);
  });

  it('replace every signing key in an emergency: old tokens end at once, refreshing goes on (R-42)', async () => {
    const { email, password, totpSecret } = world.product.administrator;
    // An authenticator code is valid once, and a challenge accepts only a few wrong codes.
    const { accessToken, refreshToken } = await until(async () => {
      const { mfaToken } = await world.admin
        .as('')
        .must<{ mfaToken: string }>('POST', '/auth/login', { email, password });
      return world.admin.as('').must<{ accessToken: string; refreshToken: string }>('POST', '/auth/mfa/verify', {
        mfaToken,
        code: await Api.codeFor(totpSecret),
        method: 'totp',
      });
    }, 90);
    const person = world.admin.as(accessToken);
    await person.must('GET', '/auth/me');
    expect(await operate('rotate', 'signing-key', '--emergency')).toMatchObject({ code: 0 });
    await until(async () => (await person.call('GET', '/auth/me')).body['code'] === 'token_invalid', 20);
    const fresh = await world.admin.as('').must<{ accessToken: string }>('POST', '/auth/refresh', { refreshToken });
    await until(async () => (await world.admin.as(fresh.accessToken).call('GET', '/auth/me')).status === 200, 10);
    admin = world.admin.as(fresh.accessToken);
  });

  const organization = async (): Promise<string> => {
    const name = `org-${randomUUID().slice(0, 8)}`;
    return (
      await admin.must<{ id: string }>('POST', '/orgs/organizations', { partnerId: tenant.partnerId, name, slug: name })
    ).id;
  };
  const isKnownToPam = (orgId: string) => async (): Promise<boolean> =>
    (await admin.call('GET', `/pam/config?orgId=${orgId}`)).status === 200;

  it('R-26: a fact whose effect always fails is a dead letter after eight tries, delays no other, and is replayed once the cause is gone', async () => {
    await sql(
      world,
      'pam',
      `
      CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the cause' USING ERRCODE = 'check_violation'; END $$;
      CREATE TRIGGER poison BEFORE INSERT ON org_ref FOR EACH ROW WHEN (NEW.name LIKE 'poison%') EXECUTE FUNCTION refuse_poison()`,
    );
    const { id: poisoned } = await admin.must<{ id: string }>('POST', '/orgs/organizations', {
      partnerId: tenant.partnerId,
      name: 'poison',
      slug: `poison-${randomUUID().slice(0, 8)}`,
    });
    for (let other = 0; other < 3; other++) await until(isKnownToPam(await organization()), 10);
    await until(
      async () => (await operate('dead-letters', 'list', '--service', 'pam')).output.includes('the cause'),
      120,
    );
    expect(await isKnownToPam(poisoned)()).toBe(false);

    expect(await operate('dead-letters', 'replay', '--service', 'pam')).toMatchObject({
      code: 2,
      output: expect.stringContaining('failed: the cause'),
    });
    await sql(world, 'pam', 'DROP TRIGGER poison ON org_ref');
    expect(await operate('dead-letters', 'replay', '--consumer', 'pam.TENANCY')).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 replayed, 0 failed'),
    });
    await until(isKnownToPam(poisoned), 30);
    expect(await operate('dead-letters', 'list')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^0 waiting$/m),
    });
    await until(
      async () =>
        (await admin.must<{ data: unknown[] }>('GET', '/audit-logs?action=dead_letter.replay')).data.length === 1,
      10,
    );
  }, 240_000);

  it('R-23: publish again what a broker whose store was wiped had, as far as the outboxes hold it, without a second effect', async () => {
    const { nats } = world.backing;
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const audited = async (): Promise<number> =>
      Number((await sql<{ count: string }>(world, 'audit', 'SELECT count(*) FROM audit_entries'))[0]?.count);
    const before = await audited();
    await sql(world, 'pam', 'DELETE FROM org_ref; DELETE FROM inbox');
    const { host, username: user, password: pass } = new URL(nats.url);
    const connection = await connect({ servers: host, user, pass });
    const manager = await connection.jetstreamManager();
    for (const stream of STREAMS) await manager.streams.delete(stream);
    await connection.close();
    await nats.stop();
    await nats.start();
    // Each service itself publishes again the events older than the new streams; the command is for losses that a
    // stream's age does not reveal.
    // A consumer detects by missed heartbeats that the stream that it read is gone.
    await until(isKnownToPam(tenant.orgId), 180);
    expect(await operate('republish', '--since', since)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/tenancy: [1-9]\d* events/),
    });
    await until(isKnownToPam(tenant.orgId), 60);
    await until(() => outboxesAreEmpty(world), 30);
    expect((await admin.must<{ valid: boolean }>('GET', `/audit-logs/verify?chain=${tenant.partnerId}`)).valid).toBe(
      true,
    );
    const doubled = await sql(world, 'audit', 'SELECT id FROM audit_entries GROUP BY id HAVING count(*) > 1');
    expect(doubled).toEqual([]);
    expect(await audited()).toBeGreaterThanOrEqual(before);
  }, 420_000);

  it('admit a new administrator when no other can sign in', async () => {
    const email = 'rescue@example.test';
    expect(await operate('admit', 'administrator', '--email', email, '--name', 'Rescue')).toMatchObject({
      code: 0,
      output: expect.stringContaining('userId'),
    });
    const token = await until(() => world.invitationFor(email));
    const { accessToken } = await world.admin.as('').must<{ accessToken: string }>('POST', '/auth/accept-invite', {
      token,
      password: 'words that nobody else would choose',
    });
    expect((await world.admin.as(accessToken).call('GET', '/auth/me')).body).toMatchObject({ user: { email } });
    expect(await operate('admit', 'administrator', '--email', email, '--name', 'Again')).toMatchObject({
      code: 1,
      output: expect.stringContaining('409'),
    });
  });

  it('name what they are when asked for anything else', async () => {
    expect(await operate('forget', 'everything')).toMatchObject({
      code: 2,
      output: expect.stringContaining('rebuild tenancy'),
    });
  });

  const operate = (...words: string[]) => runCommand({ GATEHOUSE_STACK_DIRECTORY: world.product.directory }, ...words);
});

const STREAMS = ['IDENTITY', 'TENANCY', 'PAM', 'AUDIT'];
