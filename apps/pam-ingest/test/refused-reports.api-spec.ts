import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aDevice, aReport, type Ingest, report, startIngest, type TestDevice } from './pam-ingest.harness.ts';

describe('reports that are refused', () => {
  let ingest: Ingest;
  let device: TestDevice;

  beforeAll(async () => {
    ingest = await startIngest();
  });
  afterAll(() => ingest.stop());
  beforeEach(async () => {
    device = await aDevice(ingest);
  });

  it.each([
    ['a missing path', { target_executable_path: undefined }, 'target_executable_path'],
    ['NUL in a text', { command_line: 'a\0b' }, ''],
    ['a negative pid', { pid: -1 }, 'pid'],
    ['a pid of 2^31', { pid: 2 ** 31 }, 'pid'],
    ['a pid of 2^53+1', { pid: 2 ** 53 + 1 }, 'pid'],
    ['a fraction as pid', { pid: 1.5 }, 'pid'],
    ['a text as pid', { pid: '12' }, 'pid'],
    ['null as pid', { pid: null }, 'pid'],
    ['a short hash', { target_executable_hash: 'a'.repeat(63) }, 'target_executable_hash'],
    ['a hash that is not hex', { target_executable_hash: 'g'.repeat(64) }, 'target_executable_hash'],
    ...['x', '2024-02-30T10:00:00Z', 'infinity', 'now', 'epoch', '+300000-01-01T00:00:00Z', 1, '2026-01-01'].map(
      (time) => [`${String(time)} as time`, { observed_at: time }, 'observed_at'] as const,
    ),
  ])('PAM-19, PAM-20, PAM-21, PAM-31 refuses %s with 400 and records nothing', async (_, overrides, path) => {
    const answer = await send(aReport(overrides));
    expect([answer.status, answer.body.code, answer.body.issues?.[0]?.path]).toEqual([400, 'validation_failed', path]);
    expect(await rows()).toEqual([]);
  });

  it('PAM-16 takes a body of 32 KB and refuses one byte more', async () => {
    const ofSize = (bytes: number): string => {
      const rest = JSON.stringify(aReport({ reason: 'x', padding: '' })).length;
      return JSON.stringify(aReport({ reason: 'x', padding: ' '.repeat(bytes - rest) }));
    };
    const post = (body: string) =>
      ingest
        .asAgent(device.token)
        .post(`/agents/${device.id}/elevation-requests`)
        .set('content-type', 'application/json')
        .send(body);
    expect((await post(ofSize(32 * 1024))).status).toBe(201);
    expect((await post(ofSize(32 * 1024 + 1))).body).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(await rows()).toHaveLength(1);
  });

  it('PAM-16 refuses an encoded body before it is unpacked', async () => {
    const answer = await ingest
      .asAgent(device.token)
      .post(`/agents/${device.id}/elevation-requests`)
      .set('content-type', 'application/json')
      .set('content-encoding', 'gzip')
      .send('{}');
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('PAM-13, PAM-14 refuses a token that is unknown, of another device, of an inactive device or of an archived organisation', async () => {
    const other = await aDevice(ingest);
    const inactive = await aDevice(ingest, { status: 'decommissioned' });
    const archived = await aDevice(ingest, { orgStatus: 'archived' });
    expect((await report(ingest.asAgent('gha_unknown'), device.id)).body).toMatchObject({
      status: 401,
      code: 'token_invalid',
    });
    expect((await report(ingest.as(null), device.id)).body).toMatchObject({ status: 401, code: 'not_authenticated' });
    expect((await report(ingest.asAgent(other.token), device.id)).body).toMatchObject({
      status: 403,
      code: 'device_mismatch',
    });
    expect((await report(ingest.asAgent(inactive.token), inactive.id)).body).toMatchObject({
      status: 403,
      code: 'device_inactive',
    });
    expect((await report(ingest.asAgent(archived.token), archived.id)).body).toMatchObject({
      status: 403,
      code: 'organization_archived',
    });
    expect(
      await ingest.sql('SELECT id FROM elevation_requests WHERE device_id = ANY ($1)', [
        [device.id, other.id, inactive.id, archived.id],
      ]),
    ).toEqual([]);
  });

  it('PAM-13 records an agent that speaks for another device, once for many tries', async () => {
    const other = await aDevice(ingest);
    const calls = [
      () => report(ingest.asAgent(other.token), device.id),
      () => ingest.asAgent(other.token).get(`/agents/${device.id}/commands`),
      () => report(ingest.asAgent(other.token), device.id),
    ];
    for (const call of calls) expect((await call()).body.code).toBe('device_mismatch');
    const entries = (await ingest.audits('device.impersonate')).filter(({ actor }) => actor.id === other.id);
    expect(entries).toMatchObject([
      {
        result: 'denied',
        orgId: other.orgId,
        siteId: other.siteId,
        actor: { type: 'agent' },
        resource: { type: 'device', id: device.id },
        details: { code: 'device_mismatch' },
      },
    ]);
  });

  it('TEN-29 takes no report for a partner that is not active, but still hands out commands; knows no agent of a deleted one', async () => {
    const suspended = await aDevice(ingest);
    await ingest.sql(
      `INSERT INTO partner_ref (partner_id, name, slug, status, deleted, version)
        VALUES ($1, 'P', 'p', 'suspended', false, 1)`,
      [suspended.partnerId],
    );
    expect((await report(ingest.asAgent(suspended.token), suspended.id)).body).toMatchObject({
      status: 403,
      code: 'partner_inactive',
    });
    expect(await ingest.sql('SELECT id FROM elevation_requests WHERE device_id = $1', [suspended.id])).toEqual([]);
    expect((await ingest.asAgent(suspended.token).get(`/agents/${suspended.id}/commands`)).status).toBe(200);
    const deleted = await aDevice(ingest);
    await ingest.sql(
      `INSERT INTO partner_ref (partner_id, name, slug, status, deleted, version)
        VALUES ($1, 'P', 'p', 'active', true, 1)`,
      [deleted.partnerId],
    );
    expect((await ingest.asAgent(deleted.token).get(`/agents/${deleted.id}/commands`)).body).toMatchObject({
      status: 401,
      code: 'token_invalid',
    });
  });

  const rows = (): Promise<Record<string, unknown>[]> =>
    ingest.sql('SELECT * FROM elevation_requests WHERE device_id = $1 ORDER BY id', [device.id]);
  const send = (body?: object) => report(ingest.asAgent(device.token), device.id, body);
});

describe('the limit of reports', () => {
  it('PAM-17 lets about 10 a second pass for each device, and others are not affected', async () => {
    const ingest = await startIngest({ env: { RATE_LIMITS: '' } });
    const [busy, calm] = [await aDevice(ingest), await aDevice(ingest)];
    const answers = await Promise.all(Array.from({ length: 15 }, () => report(ingest.asAgent(busy.token), busy.id)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await report(ingest.asAgent(calm.token), calm.id)).status).toBe(201);
    await ingest.stop();
  });
});
