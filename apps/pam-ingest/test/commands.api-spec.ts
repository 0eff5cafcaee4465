import { ElevationActuated, ElevationApproved } from '@gatehouse/contracts-pam';
import { stopwatch } from '@gatehouse/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import {
  aCommand,
  aDevice,
  aGrant,
  type Ingest,
  startIngest,
  type TestDevice,
  WITHDRAWALS,
} from './pam-ingest.harness.ts';

describe('commands of an agent', () => {
  let ingest: Ingest;
  let device: TestDevice;

  beforeAll(async () => {
    ingest = await startIngest();
  });
  afterAll(() => ingest.stop());
  beforeEach(async () => {
    device = await aDevice(ingest);
  });

  it('PAM-47 hands out a queued command with the request id and the timeout and nothing else', async () => {
    const id = await queue();
    const { status, body } = await take();
    expect(status).toBe(200);
    expect(body).toEqual({
      commands: [
        {
          id,
          type: 'actuate_elevation',
          payload: { elevationRequestId: expect.any(String), timeoutMs: 8000 },
          createdAt: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  it('hands a command out again until its result comes', async () => {
    const id = await queue();
    await take();
    expect((await take()).body.commands).toEqual([]);
    await ingest.sql(`UPDATE device_commands SET claimed_at = now() - interval '11 seconds' WHERE id = $1`, [id]);
    expect((await take()).body.commands).toMatchObject([{ id }]);
    expect((await finish(id, { status: 'completed' })).body).toEqual({ id, status: 'completed' });
    await ingest.sql(`UPDATE device_commands SET claimed_at = now() - interval '11 seconds' WHERE id = $1`, [id]);
    expect((await take()).body.commands).toEqual([]);
  });

  it('PAM-08 hands out nothing that was cancelled, has expired or is for another device', async () => {
    await queue({ status: 'cancelled' });
    await queue({ expired: true });
    const other = await aDevice(ingest, { orgId: device.orgId, partnerId: device.partnerId });
    expect((await ingest.asAgent(other.token).get(`/agents/${other.id}/commands`)).body).toEqual({ commands: [] });
    expect((await ingest.asAgent(other.token).get(`/agents/${device.id}/commands`)).body.code).toBe('device_mismatch');
    expect((await take()).body.commands).toEqual([]);
  });

  it.each(WITHDRAWALS)(
    'PAM-301 ATK-142 hands out neither actuation nor approval of a grant that %s',
    async (_, sql) => {
      const elevationRequestId = await anActuatingRequest('approved');
      const outcome = (status: string) =>
        ingest.sql(
          `INSERT INTO device_commands (id, partner_id, org_id, device_id, type, elevation_request_id, payload)
         SELECT gen_random_uuid(), partner_id, org_id, device_id, 'elevation_outcome', $2, $3 FROM device_ref
          WHERE device_id = $1`,
          [device.id, elevationRequestId, { elevationRequestId, status }],
        );
      await queue({ elevationRequestId });
      await outcome('approved');
      await outcome('revoked');
      await ingest.sql(sql, [device.id]);
      expect((await take()).body.commands).toMatchObject([
        { type: 'elevation_outcome', payload: { status: 'revoked' } },
      ]);
    },
  );

  it('PAM-301 hands out no actuation while the partner is not active', async () => {
    const id = await queue();
    const revocation = await queue({ type: 'revoke_elevation' });
    const partnerIs = (status: string) =>
      ingest.sql(
        `INSERT INTO partner_ref (partner_id, name, slug, status, deleted, version) VALUES ($1, 'P', 'p', $2, false, 1)
          ON CONFLICT (partner_id) DO UPDATE SET status = EXCLUDED.status`,
        [device.partnerId, status],
      );
    await partnerIs('suspended');
    expect((await take()).body.commands).toMatchObject([{ id: revocation }]);
    await partnerIs('active');
    expect((await take()).body.commands).toMatchObject([{ id }]);
  });

  it('PAM-301 hands out what a person approved during a hold, and what waited for a freeze to end', async () => {
    const outcome = `INSERT INTO device_commands (id, partner_id, org_id, device_id, type, elevation_request_id, payload)
      SELECT gen_random_uuid(), partner_id, org_id, device_id, 'elevation_outcome', id, '{"status":"approved"}'
        FROM elevation_requests WHERE id = $1`;
    const before = await anActuatingRequest('approved');
    await ingest.sql(WITHDRAWALS.at(-1)![1], [device.id]);
    const after = await anActuatingRequest('approved');
    for (const id of [before, after]) await ingest.sql(outcome, [id]);
    expect((await take()).body.commands).toHaveLength(1);
    await ingest.sql('UPDATE pam_freezes SET ended_at = now() WHERE target_id = $1', [device.id]);
    expect((await take()).body.commands).toHaveLength(1);
  });

  it('wakes a waiting agent as soon as its command is queued', async () => {
    const spent = stopwatch();
    const [answer, id] = await Promise.all([take(20), wait(300).then(() => queue())]);
    expect(answer.body.commands).toMatchObject([{ id }]);
    expect(spent()).toBeLessThan(2_000);
  });

  it('answers an empty list when the time is over, and a wait that was given up at once', async () => {
    const spent = stopwatch();
    const [first, second] = await Promise.all([take(20), wait(200).then(() => take(1))]);
    expect([first.body, second.body]).toEqual([{ commands: [] }, { commands: [] }]);
    expect(spent()).toBeLessThan(3_000);
  });

  it.each(['26', '-1', 'x', '1.5'])('refuses to wait %s seconds', async (waitSeconds) => {
    expect(
      (await ingest.asAgent(device.token).get(`/agents/${device.id}/commands?waitSeconds=${waitSeconds}`)).status,
    ).toBe(400);
  });

  it('notes a completed actuation once, and keeps the window', async () => {
    const elevationRequestId = await anActuatingRequest();
    const id = await queue({ elevationRequestId });
    expect((await finish(id, { status: 'completed' })).status).toBe(200);
    expect((await finish(id, { status: 'completed' })).status).toBe(200);
    expect(await statusOf(elevationRequestId)).toEqual({ status: 'actuating', actuated: true });
    expect(
      (await ingest.emitted(ElevationActuated))
        .filter(({ data }) => data.deviceId === device.id)
        .map(({ data }) => data),
    ).toMatchObject([{ elevationRequestId, status: 'actuating', siteId: device.siteId }]);
    expect(
      (await ingest.audits('device.elevation.result')).filter(({ orgId }) => orgId === device.orgId),
    ).toMatchObject([{ result: 'success', details: { elevationRequestId, status: 'completed' } }]);
    expect((await finish(id, { status: 'failed' })).body).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('gives the approval back when the actuation failed', async () => {
    const elevationRequestId = await anActuatingRequest();
    await finish(await queue({ elevationRequestId }), { status: 'failed', detail: 'prompt was gone' });
    expect(await statusOf(elevationRequestId)).toEqual({ status: 'approved', actuated: false });
    expect(
      (await ingest.emitted(ElevationApproved))
        .filter(({ data }) => data.deviceId === device.id)
        .map(({ data }) => data.elevationRequestId),
    ).toEqual([elevationRequestId]);
    expect(
      (await ingest.audits('device.elevation.result')).filter(({ orgId }) => orgId === device.orgId),
    ).toMatchObject([{ result: 'failure', details: { detail: 'prompt was gone' } }]);
  });

  it.each(['completed', 'failed'])(
    'takes no %s that comes after the time, though no sweep has been there',
    async (status) => {
      const elevationRequestId = await anActuatingRequest();
      const id = await queue({ elevationRequestId, expired: true });
      expect((await finish(id, { status })).body).toMatchObject({
        status: 409,
        code: 'conflict',
        detail: 'This command is already expired.',
      });
      expect(await statusOf(elevationRequestId)).toEqual({ status: 'actuating', actuated: false });
    },
  );

  it('does not bring a revoked request back', async () => {
    const elevationRequestId = await anActuatingRequest('revoked');
    await finish(await queue({ elevationRequestId }), { status: 'failed' });
    expect((await statusOf(elevationRequestId))?.['status']).toBe('revoked');
  });

  it('404s a command of another device, and refuses a bad result', async () => {
    const id = await queue();
    device = await aDevice(ingest);
    expect((await finish(id, { status: 'completed' })).body).toMatchObject({ status: 404, code: 'command_not_found' });
    expect((await finish(id, { status: 'done' })).status).toBe(400);
    expect((await finish('x', { status: 'completed' })).status).toBe(400);
  });

  it.each(['26', '-1', 'x', '1.5'])('refuses to wait for %s seconds', async (seconds) => {
    expect(
      (await ingest.asAgent(device.token).get(`/agents/${device.id}/commands?waitSeconds=${seconds}`)).status,
    ).toBe(400);
  });

  it('still tells the agents of an archived organisation what to do', async () => {
    device = await aDevice(ingest, { orgStatus: 'archived' });
    await queue();
    const id = await queue({ type: 'uninstall' });
    expect((await take()).body.commands).toMatchObject([{ id }]);
  });

  const take = (waitSeconds = 0) =>
    ingest.asAgent(device.token).get(`/agents/${device.id}/commands?waitSeconds=${waitSeconds}`);
  const finish = (commandId: string, body: object) =>
    ingest.asAgent(device.token).post(`/agents/${device.id}/commands/${commandId}/result`).send(body);

  const queue = (overrides?: Parameters<typeof aCommand>[2]) => aCommand(ingest, device, overrides);

  const anActuatingRequest = (status?: string): Promise<string> => aGrant(ingest, device, status);
  const statusOf = async (id: string) =>
    (
      await ingest.sql('SELECT status, actuated_at IS NOT NULL AS actuated FROM elevation_requests WHERE id = $1', [id])
    )[0];
});

describe('an agent that waits', () => {
  let ingest: Ingest;
  let device: TestDevice;
  beforeAll(async () => {
    ingest = await startIngest();
  });
  afterAll(() => ingest.stop());
  beforeEach(async () => {
    device = await aDevice(ingest);
  });

  it('PAM-257 queries nothing while PostgreSQL tells of new commands', async () => {
    await listener();
    const [commands, id] = await Promise.all([take(7), wait(300).then(queueUntold)]);
    expect(commands).toEqual([]);
    expect(await take(0)).toMatchObject([{ id }]);
  });

  it('PAM-257 queries again every five seconds while a command has no result yet', async () => {
    const id = await aCommand(ingest, device);
    expect(await take(0)).toMatchObject([{ id }]);
    await ingest.sql(`UPDATE device_commands SET claimed_at = now() - interval '7 seconds' WHERE id = $1`, [id]);
    const spent = stopwatch();
    expect(await take(20)).toMatchObject([{ id }]);
    expect(spent()).toBeLessThan(8_000);
  });

  it('PAM-257 queries again within five seconds once PostgreSQL does not tell any more', async () => {
    const spent = stopwatch();
    const queued = wait(300).then(async () => {
      const id = await queueUntold();
      await ingest.sql('SELECT pg_terminate_backend($1)', [await listener()]);
      return id;
    });
    const [commands, id] = await Promise.all([take(20), queued]);
    expect(commands).toMatchObject([{ id }]);
    expect(spent()).toBeLessThan(8_000);
  });

  it('PAM-257 gives a connection up that does not answer', async () => {
    const pid = await listener();
    const spent = stopwatch();
    const queued = wait(300).then(async () => {
      const id = await queueUntold();
      process.kill(pid, 'SIGSTOP');
      return id;
    });
    const [commands, id] = await Promise.all([take(20), queued]).finally(() => process.kill(pid, 'SIGCONT'));
    expect(commands).toMatchObject([{ id }]);
    expect(spent()).toBeLessThan(14_000);
  });

  const take = async (waitSeconds: number): Promise<unknown> => {
    const { body } = await ingest.asAgent(device.token).get(`/agents/${device.id}/commands?waitSeconds=${waitSeconds}`);
    return body.commands;
  };
  /** As if the notification was lost: no trigger runs. */
  const queueUntold = (): Promise<string> => aCommand(ingest, device, { untold: true });
  const LISTENERS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN device_commands'`;
  const listener = async (): Promise<number> => {
    const [found] = await ingest.sql<{ pid: number }>(LISTENERS);
    if (!found) throw new Error('no connection listens for commands');
    return found.pid;
  };
});

describe('an agent that asks without end', () => {
  let ingest: Ingest;
  beforeAll(async () => {
    ingest = await startIngest({ env: { RATE_LIMITS: 'agentPoll=20/60' } });
  });
  afterAll(() => ingest.stop());

  it('CAP-07 is refused beyond a rate, waiting or not, with the time after which to ask again; others are not', async () => {
    const [device, other] = [await aDevice(ingest), await aDevice(ingest)];
    const answers = await Promise.all(Array.from({ length: 25 }, (_, at) => take(device, at % 2)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toEqual(Array(5).fill({ status: 429, code: 'rate_limited', retryAfter: expect.any(Number) }));
    expect(Math.min(...refused.map(({ retryAfter }) => retryAfter))).toBeGreaterThan(0);
    expect((await take(other, 0)).status).toBe(200);
  });

  it('CAP-07 has one wait under way, however many it begins', async () => {
    const device = await aDevice(ingest);
    const began = Date.now();
    const ends = await Promise.all(Array.from({ length: 10 }, () => take(device, 6).then(() => Date.now() - began)));
    expect(ends.filter((ms) => ms > 5_500)).toHaveLength(1);
  });

  const take = ({ id, token }: TestDevice, waitSeconds: number) =>
    ingest
      .asAgent(token)
      .get(`/agents/${id}/commands?waitSeconds=${waitSeconds}`)
      .then(({ status, body, headers }) => ({
        status,
        code: body.code as unknown,
        retryAfter: Number(headers['retry-after']),
      }));
});
