import { asService } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { bumpRulebook } from '@gatehouse/pam-store';
import { stopwatch } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { aDevice, aReport, aRule, type Ingest, report, startIngest, type TestDevice } from './pam-ingest.harness.ts';

const ROUNDS = 300;

describe('rule changes and two replicas', () => {
  let replicas: [Ingest, Ingest];
  let device: TestDevice;
  beforeAll(async () => {
    const first = await startIngest();
    replicas = [first, await startIngest({ replicaOf: first })];
    device = await aDevice(first);
  });
  afterAll(async () => {
    await replicas[1].stop();
    await replicas[0].stop();
  });

  it(`decides each of ${ROUNDS} reports by the rule that was committed before it`, async () => {
    const ruleId = await aRule(replicas[0], device, { match_signer: 'Acme Corp' });
    const wrong: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const verdict = round % 3 === 0 ? 'auto_deny' : 'auto_approve';
      await replicas[0].sql(
        `WITH changed AS (UPDATE pam_rules SET verdict = '${verdict}' WHERE id = $1) UPDATE rulebook_versions
          SET version = version + 1 WHERE org_id = $2`,
        [ruleId, device.orgId],
      );
      const got = await outcome(round);
      if (got !== (verdict === 'auto_deny' ? 'denied' : 'auto_approved')) wrong.push(`${round}: ${verdict} but ${got}`);
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it('acknowledges nothing that an uncommitted change of the rules would have decided otherwise', async () => {
    const ruleId = await aRule(replicas[0], device, { priority: 1, match_signer: 'Acme Corp' });
    expect(await outcome(0)).toBe('auto_approved');
    const writer = new pg.Client({ connectionString: replicas[0].database?.ownerUrl });
    await writer.connect();
    await writer.query(`BEGIN; SELECT set_config('app.system', 'on', true)`);
    await writer.query('UPDATE rulebook_versions SET version = version + 1 WHERE org_id = $1', [device.orgId]);
    await writer.query(`UPDATE pam_rules SET verdict = 'auto_deny' WHERE id = $1`, [ruleId]);
    const waiting = Promise.all([outcome(0), outcome(1)]);
    await writer.query('SELECT pg_sleep(0.3)');
    await writer.query('COMMIT');
    await writer.end();
    expect(await waiting).toEqual(['denied', 'denied']);
  });

  it('lets other organisations report while the rules of one are being changed', async () => {
    const other = await aDevice(replicas[0]);
    await report(replicas[0].asAgent(other.token), other.id);
    const writer = new pg.Client({ connectionString: replicas[0].database?.ownerUrl });
    await writer.connect();
    await writer.query(`BEGIN; SELECT set_config('app.system', 'on', true)`);
    await writer.query('UPDATE rulebook_versions SET version = version + 1 WHERE org_id = $1', [device.orgId]);
    const waiting = outcome(0);
    const spent = stopwatch();
    for (let round = 0; round < 5; round++)
      expect((await report(replicas[0].asAgent(other.token), other.id)).status).toBe(201);
    expect(spent()).toBeLessThan(1_500);
    await writer.query('COMMIT');
    await writer.end();
    expect(await waiting).toBe('denied');
  });

  it('lets a change of the rules through a storm of reports', async () => {
    let storming = true;
    const storm = replicas.flatMap((ingest) =>
      Array.from({ length: 15 }, async () => {
        while (storming) await report(ingest.asAgent(device.token), device.id, aReport());
      }),
    );
    const work = replicas[0].service.platform.store?.work;
    const waits: number[] = [];
    for (let round = 0; round < 10; round++) {
      const started = Date.now();
      await work?.background(asService('pam'), (tx) =>
        bumpRulebook(tx, device, { kind: 'rule', ids: [], editedBy: null }),
      );
      waits.push(Date.now() - started);
    }
    storming = false;
    await Promise.all(storm);
    expect(Math.max(...waits)).toBeLessThan(1_500);
  });

  it('FREEZE-03 FREEZE-04 commits no grant after a freeze of the partner, with reports in flight on both replicas', async () => {
    const frozen = await aDevice(replicas[0]);
    await aRule(replicas[0], frozen, { verdict: 'auto_approve', match_signer: 'Acme Corp' });
    const statuses: string[] = [];
    let storming = true;
    const storm = replicas.flatMap((ingest) =>
      Array.from({ length: 8 }, async () => {
        while (storming)
          statuses.push(String((await report(ingest.asAgent(frozen.token), frozen.id, aReport())).body.status));
      }),
    );
    const grants = async (): Promise<number> =>
      (
        await replicas[0].sql(`SELECT FROM elevation_requests WHERE org_id = $1 AND status = 'auto_approved'`, [
          frozen.orgId,
        ])
      ).length;
    while ((await grants()) < 20);
    const { partnerId } = frozen;
    const id = newId();
    await replicas[0].service.platform.store?.work.background(asService('pam'), async (tx) => {
      await tx.query(
        `INSERT INTO pam_freezes (id, partner_id, level, target_id, mode, reason, created_by, created_by_name, done,
          asked) VALUES ($1, $2, 'partner', $2, 'hold', 'test', $1, 'Test', true, true)`,
        [id, partnerId],
      );
      await bumpRulebook(tx, { partnerId, orgId: null }, { kind: 'freeze', ids: [id], editedBy: null });
    });
    const before = await grants();
    const answered = statuses.length;
    while (statuses.length < answered + 50) await wait(10);
    storming = false;
    await Promise.all(storm);
    expect(await grants()).toBe(before);
    const held = await replicas[0].sql<{ held: string }>(
      `SELECT DISTINCT held FROM elevation_requests WHERE org_id = $1 AND status = 'pending'`,
      [frozen.orgId],
    );
    expect(held).toEqual([{ held: 'frozen' }]);
  });

  it('R-34 records one request of one report that reaches both replicas at once', async () => {
    for (let round = 0; round < 20; round++) {
      const body = aReport();
      const answers = await Promise.all(
        replicas.map((ingest) => report(ingest.asAgent(device.token), device.id, body)),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
      expect(
        await replicas[0].sql('SELECT id FROM elevation_requests WHERE observed_at = $1', [body['observed_at']]),
      ).toHaveLength(1);
    }
  });

  const turn = (round: number): Ingest => replicas[round % 2] as Ingest;
  const outcome = async (round: number): Promise<string> => {
    const answer = await report(turn(round).asAgent(device.token), device.id, aReport());
    return String(answer.body.status);
  };
});
