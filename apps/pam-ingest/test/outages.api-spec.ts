import { stopwatch } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import pg from 'pg';
import { aDevice, aReport, aRule, report, startIngest } from './pam-ingest.harness.ts';

const ingest = await startIngest();
const device = await aDevice(ingest);
afterAll(() => ingest.stop());

describe('reports when something is wrong', () => {
  it('PAM-39 leaves a report to a person when the signer groups are locked, even under auto_deny', async () => {
    const locked = await aDevice(ingest);
    await ingest.sql(
      `INSERT INTO pam_config (org_id, partner_id, default_unmatched_verdict) VALUES ($1, $2, 'auto_deny')`,
      [locked.orgId, locked.partnerId],
    );
    const writer = new pg.Client({ connectionString: ingest.database?.ownerUrl });
    await writer.connect();
    await writer.query('BEGIN; LOCK TABLE signer_groups IN ACCESS EXCLUSIVE MODE');
    expect((await send(locked)).body.status).toBe('pending');
    await writer.query('ROLLBACK');
    await writer.end();
    expect((await send(locked)).body.status).toBe('denied');
  });

  it('goes on after all connections were cut, and loses and doubles nothing', async () => {
    expect((await send()).status).toBe(201);
    const reports = Array.from({ length: 30 }, () => aReport());
    const post = (body: object) => report(ingest.asAgent(device.token), device.id, body);
    const during = Promise.all(reports.map(post));
    await ingest.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid()`,
    );
    for (const { status } of await during) expect([201, 503]).toContain(status);
    const again = await Promise.all(reports.map(post));
    expect(again.every(({ status }) => status === 201)).toBe(true);
    const [row] = await ingest.sql<{ count: number }>(
      'SELECT count(*)::int FROM elevation_requests WHERE observed_at = ANY ($1::timestamptz[])',
      [reports.map((each) => each['observed_at'])],
    );
    expect(row?.count).toBe(reports.length);
  });

  it('hears of commands again after its connection was cut', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const taking = ingest
      .asAgent(device.token)
      .get(`/agents/${device.id}/commands?waitSeconds=20`)
      .then((answer) => answer);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const spent = stopwatch();
    await ingest.sql(
      `INSERT INTO device_commands (id, partner_id, org_id, device_id, type)
        VALUES (gen_random_uuid(), $1, $2, $3, 'uninstall')`,
      [device.partnerId, device.orgId, device.id],
    );
    expect((await taking).body.commands).toHaveLength(1);
    expect(spent()).toBeLessThan(1_500);
  });

  it('stores the others when one report of a batch cannot be stored', async () => {
    const [good, bad] = [await aDevice(ingest), await aDevice(ingest)];
    await aRule(ingest, bad, { match_signer: 'Acme Corp' });
    await ingest.sql(
      `ALTER TABLE elevation_requests ADD CONSTRAINT on_purpose CHECK (pam_rule_name IS NULL OR org_id <> '${bad.orgId}')`,
    );
    const answers = await Promise.all([send(good), send(bad), send(good), send(good)]);
    await ingest.sql('ALTER TABLE elevation_requests DROP CONSTRAINT on_purpose');
    expect(answers.map(({ status }) => status)).toEqual([201, 409, 201, 201]);
  });

  it('PAM-16 ends a body of unstated length at the limit', async () => {
    const { port } = new URL(ingest.url);
    const status = await new Promise((resolve, reject) => {
      const call = request(
        {
          port,
          method: 'POST',
          path: `/api/v1/agents/${device.id}/elevation-requests`,
          headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
        },
        ({ statusCode }) => resolve(statusCode),
      );
      call.on('error', reject);
      call.write('{"reason":"');
      call.write('x'.repeat(33 * 1024));
      call.end('"}');
    });
    expect(status).toBe(413);
  });

  const send = (of = device) => report(ingest.asAgent(of.token), of.id);
});
