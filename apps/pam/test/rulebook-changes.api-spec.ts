import { anOrgAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { PamHarness, type Tenant } from './pam.harness.ts';

const ROUNDS = 150;

describe('rule changes, requests and two replicas', () => {
  let replicas: [PamHarness, PamHarness];
  beforeAll(async () => {
    const first = await PamHarness.start();
    replicas = [first, await PamHarness.start({ replicaOf: first.service })];
  });
  afterAll(async () => {
    await replicas[1].stop();
    await replicas[0].stop();
  });

  it(`decide each of ${ROUNDS} requests by the rule that was acknowledged before it`, async () => {
    const acme = await replicas[0].tenant();
    const id = await aRule(acme, 'require_approval');
    const wrong: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const verdict = round % 3 === 0 ? 'auto_deny' : 'auto_approve';
      // Each replica is asked after changes of its own and of the other.
      await on(round >> 1, acme)
        .patch(`/pam/rules/${id}`)
        .send({ verdict, priority: round })
        .expect(200);
      const got = await ask(round, acme);
      if (got !== (verdict === 'auto_deny' ? 'denied' : 'auto_approved')) wrong.push(`${round}: ${verdict} but ${got}`);
    }
    expect(wrong).toEqual([]);
    const [{ versions } = { versions: 0 }] = await replicas[0].service.sql<{ versions: number }>(
      'SELECT count(DISTINCT rulebook_version)::int AS versions FROM elevation_requests WHERE org_id = $1',
      [acme.orgId],
    );
    expect(versions).toBe(ROUNDS);
  });

  it('acknowledge nothing that a change under way would have decided otherwise', async () => {
    const acme = await replicas[0].tenant();
    const id = await aRule(acme, 'auto_approve');
    expect([await ask(0, acme), await ask(1, acme)]).toEqual(['auto_approved', 'auto_approved']);
    const writer = await aWriter();
    await writer.query('UPDATE rulebook_versions SET version = version + 1 WHERE org_id = $1', [acme.orgId]);
    await writer.query(`UPDATE pam_rules SET verdict = 'auto_deny' WHERE id = $1`, [id]);
    const waiting = Promise.all([ask(0, acme), ask(1, acme)]);
    await writer.query('SELECT pg_sleep(0.3)');
    await writer.query('COMMIT');
    await writer.end();
    expect(await waiting).toEqual(['denied', 'denied']);
  });

  it('read the rules again only when they have changed', async () => {
    const acme = await replicas[0].tenant();
    const id = await aRule(acme, 'auto_approve');
    await replicas[0].service.sql(
      `INSERT INTO pam_rules (id, partner_id, org_id, name, verdict, match_user)
        SELECT gen_random_uuid(), $1, $2, 'r', 'auto_deny', 'u' || n FROM generate_series(1, 4000) n`,
      [acme.partnerId, acme.orgId],
    );
    const read = async (): Promise<number> =>
      Number(
        (
          await replicas[0].service.sql<{ rows: string }>(
            `SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_user_tables WHERE relname = 'pam_rules'`,
          )
        )[0]?.rows,
      );
    const before = await read();
    for (let round = 0; round < 20; round++) expect(await ask(0, acme)).toBe('auto_approved');
    // A connection tells the server what it has read at the end of a transaction, once a second.
    await wait(1_200);
    for (let round = 0; round < 3; round++) expect(await ask(0, acme)).toBe('auto_approved');
    const after = await read();
    expect(after - before).toBeGreaterThan(0);
    // The sweeps read them too, now and then; 23 requests that each read them would read 92 000 rows.
    expect(after - before).toBeLessThan(8 * 4_000);
    await on(1, acme).patch(`/pam/rules/${id}`).send({ verdict: 'auto_deny' }).expect(200);
    expect(await ask(0, acme)).toBe('denied');
  });

  it('leave to a person what a rulebook that cannot be used would have decided, and use it again when it can be', async () => {
    const acme = await replicas[0].tenant();
    await on(0, acme).put('/pam/config').send({ defaultUnmatchedVerdict: 'auto_deny' }).expect(200);
    const {
      body: { signerGroup: group },
    } = await on(0, acme)
      .post('/pam/signer-groups')
      .send({ name: 'Vendors', signers: ['Acme'] })
      .expect(201);
    const {
      body: { rule },
    } = await on(0, acme)
      .post('/pam/rules')
      .send({ name: 'Vendors', verdict: 'auto_deny', matchSignerGroupId: group.id })
      .expect(201);
    expect(await ask(0, acme)).toBe('denied');
    await replicas[0].service.sql(`
      SET session_replication_role = replica; DELETE FROM signer_groups WHERE id = '${group.id}';
      UPDATE rulebook_versions SET version = version + 1 WHERE org_id = '${acme.orgId}';
        SET session_replication_role = origin`);
    expect([await ask(0, acme), await ask(0, acme), await ask(1, acme)]).toEqual(['pending', 'pending', 'pending']);
    await on(0, acme).delete(`/pam/rules/${rule.id}`).expect(200);
    expect([await ask(0, acme), await ask(1, acme)]).toEqual(['denied', 'denied']);
  });

  it('come after a change that waits already, so that no storm of requests keeps it waiting', async () => {
    const acme = await replicas[0].tenant();
    const id = await aRule(acme, 'auto_approve');
    const earlier = await aWriter();
    await earlier.query('SELECT FROM rulebook_versions WHERE org_id = $1 FOR SHARE', [acme.orgId]);
    const change = on(0, acme)
      .patch(`/pam/rules/${id}`)
      .send({ verdict: 'auto_deny' })
      .then(({ status }) => status);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await replicas[0].service.sql(waiting)).length === 0) await wait(10);
    const asked = Promise.all([ask(0, acme), ask(1, acme)]);
    expect(await Promise.race([asked, wait(300, 'they wait')])).toBe('they wait');
    await earlier.query('COMMIT');
    await earlier.end();
    expect([await change, await asked]).toEqual([200, ['denied', 'denied']]);
  });

  const on = (replica: number, tenant: Tenant) =>
    replicas[replica % 2]!.as(anOrgAdmin(tenant.partnerId, tenant.orgId, { email: 'ann@example.test' }));
  const ask = async (replica: number, tenant: Tenant): Promise<string> => {
    const asked = { deviceId: tenant.deviceId, reason: 'patch the printer' };
    return (await on(replica, tenant).post('/pam/elevation-requests').send(asked)).body.status;
  };
  const aRule = async (tenant: Tenant, verdict: string): Promise<string> =>
    (await on(0, tenant).post('/pam/rules').send({ name: 'Rule', verdict, matchUser: 'ann@example.test' }).expect(201))
      .body.rule.id;
  const aWriter = async (): Promise<pg.Client> => {
    const writer = new pg.Client({ connectionString: replicas[0].service.database?.ownerUrl });
    await writer.connect();
    await writer.query(`BEGIN; SELECT set_config('app.system', 'on', true)`);
    return writer;
  };
});
