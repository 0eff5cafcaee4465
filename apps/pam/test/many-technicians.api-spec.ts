import { asService, type EventEnvelope } from '@gatehouse/contracts-core';
import { ApprovalPushRequested, type ElevationFact, ElevationRequested } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { until } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { RequestApprovals } from '../src/approvals/request-approvals.ts';
import { PamHarness, type Tenant } from './pam.harness.ts';

const TECHNICIANS = 3_000;

const pam = await PamHarness.start();
const acme = await pam.tenant();
await pam.service.sql(
  `INSERT INTO technician_ref SELECT gen_random_uuid(), 'Tech ' || n, 'tech@example.test', true, 1
        FROM generate_series(1, $1::int) n`,
  [TECHNICIANS],
);
await pam.service.sql(
  `INSERT INTO technician_reach SELECT user_id, at, 'partner', $1, true, '{}', '{}', '{devices:execute}'
        FROM technician_ref, generate_series(0, 1) at`,
  [acme.partnerId],
);
await pam.service.sql('INSERT INTO push_reach SELECT user_id, 1, 1 FROM technician_ref');
afterAll(() => pam.stop());

describe('a partner with thousands of technicians', () => {
  it('has each of them asked once about each of many requests, a bounded number of them in one transaction', async () => {
    const ids = await requestsOf(acme, 8);
    await announceTogether(acme, ids);
    await until(async () => (await waiting()) === 0 && (await approvalsOf(ids)) === ids.length * TECHNICIANS);
    const [most] = await pam.service.sql<{ rows: number }>(
      'SELECT count(*)::int AS rows FROM approvals GROUP BY xmin::text ORDER BY 1 DESC LIMIT 1',
    );
    expect(most?.rows).toBeLessThanOrEqual(2_500);
    const pushes = await pam.service.emitted(ApprovalPushRequested);
    expect([pushes.length, new Set(pushes.map(({ data }) => data.approvalId)).size]).toEqual([
      ids.length * TECHNICIANS,
      ids.length * TECHNICIANS,
    ]);
    expect(new Set(pushes.map(({ data }) => data.siteId))).toEqual(new Set([acme.siteId]));
  });

  it('keeps no other partner waiting until all of them are asked', async () => {
    const small = await pam.tenant();
    await pam.technician(small);
    const theirs = await requestsOf(acme, 40);
    const [own = ''] = await requestsOf(small, 1);
    await keep(theirs, acme);
    await wait(300);
    await keep([own], small);
    await until(async () => (await approvalsOf([own])) === 1, 5);
    expect(await waiting()).toBeGreaterThan(10);
    await pam.service.sql(`UPDATE elevation_requests SET status = 'expired' WHERE id = ANY ($1::uuid[])`, [theirs]);
    await until(async () => (await waiting()) === 0);
  });

  it('is asked about one request without a look at the others that are pending', async () => {
    const tenant = await pam.tenant();
    const [id = ''] = await requestsOf(tenant, 1);
    await pam.service.sql(MORE_LIKE_IT, [id]);
    const [before = NaN, after = NaN] = await pam.service.service.app
      .get(UnitOfWork)
      .background(asService('pam'), async (tx) => {
        const lookedAt = async (): Promise<number | undefined> =>
          (await tx.one<{ rows: number }>(ROWS_LOOKED_AT))?.rows;
        const sofar = await lookedAt();
        await pam.service.service.app.get(RequestApprovals).ask(tx, [announcementOf(id, tenant)]);
        return [sofar, await lookedAt()];
      });
    expect(after - before).toBe(1);
  });

  it('asks no technician about a request that was decided in between', async () => {
    const ids = await requestsOf(acme, 3);
    await pam.service.sql(`UPDATE elevation_requests SET status = 'denied' WHERE id = ANY ($1::uuid[])`, [ids]);
    await keep(ids, acme);
    await until(async () => (await waiting()) === 0);
    expect(await approvalsOf(ids)).toBe(0);
  });

  it('asks no technician about a request whose decision is being committed', async () => {
    const [id = ''] = await requestsOf(acme, 1);
    const decider = await new pg.Client({ connectionString: pam.service.database?.ownerUrl }).connect();
    await decider.query(`BEGIN; SELECT set_config('app.system', 'on', true)`);
    await decider.query(`UPDATE elevation_requests SET status = 'denied' WHERE id = $1`, [id]);
    const asked = announceTogether(acme, [id]);
    await until(
      async () =>
        (
          await pam.service.sql(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).length > 0,
    );
    await decider.query('COMMIT');
    await decider.end();
    await asked;
    expect(await approvalsOf([id])).toBe(0);
  });

  /** Each request is one of a device of its own: of one device only some are asked about at once. */
  const devices = new Map<string, string>();
  const factOf = (elevationRequestId: string, { orgId, partnerId, siteId }: Tenant): ElevationFact => ({
    elevationRequestId,
    orgId,
    partnerId,
    siteId,
    deviceId: devices.get(elevationRequestId) ?? newId(),
    flowType: 'uac_intercept',
    status: 'pending',
    decisionSource: null,
  });
  const announcementOf = (id: string, tenant: Tenant): EventEnvelope<ElevationFact> => ({
    id: newId(),
    subject: ElevationRequested.subject,
    occurredAt: new Date().toISOString(),
    source: 'test',
    aggregateId: id,
    actor: { type: 'system', id: null, name: 'test' },
    traceparent: null,
    data: factOf(id, tenant),
  });
  /** As a bundle of the broker brings them. */
  async function announceTogether(tenant: Tenant, ids: readonly string[]): Promise<void> {
    const events = ids.map((id) => announcementOf(id, tenant));
    await pam.service.service.app
      .get(UnitOfWork)
      .background(asService('pam'), (tx) => pam.service.service.app.get(RequestApprovals).ask(tx, events));
  }
  async function requestOf(tenant: Tenant): Promise<string> {
    const deviceId = newId();
    await pam.deviceIs(tenant, { deviceId, siteId: tenant.siteId, version: 1 });
    const id = await pam.request(tenant, { deviceId });
    devices.set(id, deviceId);
    return id;
  }
  const requestsOf = (tenant: Tenant, count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => requestOf(tenant)));
  const approvalsOf = async (ids: readonly string[]): Promise<number> =>
    (await pam.service.sql('SELECT FROM approvals WHERE elevation_request_id = ANY ($1::uuid[])', [ids])).length;
  const waiting = async (): Promise<number> => (await pam.service.sql('SELECT FROM approval_questions')).length;
  /** As more than one transaction could take leave them. */
  const keep = (ids: readonly string[], { partnerId, orgId }: Tenant): Promise<unknown> =>
    pam.service.sql(
      `INSERT INTO approval_questions (elevation_request_id, partner_id, org_id, asked_up_to)
        SELECT id, $2, $3, '00000000-0000-0000-0000-000000000000' FROM unnest($1::uuid[]) id`,
      [ids, partnerId, orgId],
    );
});

const MORE_LIKE_IT = `INSERT INTO elevation_requests
  SELECT (jsonb_populate_record(r, jsonb_build_object('id', overlay(id::text PLACING substr(gen_random_uuid()::text, 15)
  FROM 15)))).* FROM elevation_requests r, generate_series(1, 2000) WHERE id = $1`;
/** By the session that asks this, lately. */
const ROWS_LOOKED_AT = `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS rows
  FROM pg_stat_xact_user_tables WHERE relname LIKE 'elevation\\_requests%'`;
