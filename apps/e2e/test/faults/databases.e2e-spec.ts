import { UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { Api } from '@gatehouse/stack';
import { stopwatch } from '@gatehouse/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { makeTenant, partnerAdministrator, sql, type Tenant, until } from '../world.ts';
import {
  closeGate,
  type FaultWorld,
  notServing,
  metric,
  openAllGates,
  openFiles,
  pids,
  startFaultWorld,
} from './fault-world.ts';
import { checkInvariants } from './invariants.ts';
import { type Answer, Clients, isServerError } from './load.ts';

describe('PostgreSQL', () => {
  let world: FaultWorld;
  let tenant: Tenant;
  let clients: Clients;
  let partner: Api;
  beforeAll(async () => {
    world = await startFaultWorld(['pam', 'identity']);
    tenant = await makeTenant(world.admin);
    clients = new Clients(world, tenant);
    partner = await partnerAdministrator(world, tenant.partnerId);
    await clients.round();
  });
  // Restores what a failed test left closed or broken; otherwise all later tests would fail.
  afterEach(async () => {
    await openAllGates();
    world.heal();
  });
  afterAll(() => world.stop(), 60_000);

  it('R-12 restarted under load: 503 with Retry-After, no process ends, and nothing fails five seconds after it is back', async () => {
    const before = pids(world);
    const files = UPSTREAM_NAMES.map((service) => openFiles(world, service));
    let backAt = 0;
    const began = Date.now();
    await clients.during(WRITERS, async () => {
      await pause(500);
      // Writes now the data that the server would have to write when it stops.
      await sql(world, 'pam', 'CHECKPOINT');
      await world.backing.postgres.stop();
      await world.backing.postgres.start();
      backAt = Date.now();
      await pause(7_000);
    });
    refusedWell(clients.answers, backAt - began);
    expect(clients.answers.filter((answer) => isServerError(answer) && answer.at > backAt + 5_000)).toEqual([]);
    expect(pids(world)).toEqual(before);
    await checkInvariants(world, tenant, clients);
    // Each pool may hold more connections than before, but no more than its size.
    UPSTREAM_NAMES.forEach((service, at) =>
      expect(openFiles(world, service)).toBeLessThanOrEqual((files[at] ?? 0) + 14),
    );
  }, 240_000);

  it('R-13 killed under load: what was acknowledged is there after its recovery', async () => {
    const before = pids(world);
    await clients.during(WRITERS, async () => {
      await pause(1_000);
      await world.backing.postgres.kill('SIGKILL');
      await world.backing.postgres.start();
      const written = clients.acknowledged.rules.size;
      await until(async () => clients.acknowledged.rules.size > written + 3);
    });
    expect(pids(world)).toEqual(before);
    await checkInvariants(world, tenant, clients);
  }, 240_000);

  it('R-14 away for 8 s: 503 within 3 s, services stay alive and ready, a queued job resumes, and reports are taken once afterwards', async () => {
    const before = pids(world);
    const [survivor, merged] = await Promise.all(
      ['survivor', 'merged'].map((name) =>
        partner.must<{ id: string; name: string }>('POST', '/orgs/organizations', {
          partnerId: tenant.partnerId,
          name,
          slug: `${name}-${randomUUID().slice(0, 8)}`,
        }),
      ),
    );
    const { jobId } = await partner.must<{ jobId: string }>('POST', `/orgs/organizations/${merged?.id}/merge`, {
      survivorId: survivor?.id,
      confirmName: merged?.name,
    });
    const agent = new Api(world.product.baseUrl, tenant.agentToken);
    const report = {
      subject_username: 'ACME\\ada',
      target_executable_path: `C:\\Tools\\${randomUUID()}.exe`,
      observed_at: new Date().toISOString(),
    };
    const path = `/agents/${tenant.deviceId}/elevation-requests`;
    const during: Answer[] = [];
    await clients.during(WRITERS, async () => {
      await world.backing.postgres.stop();
      clients.answers = [];
      await pause(OUTAGE_MS / 2);
      expect(await notServing(world.product)).toEqual([]);
      await Promise.all(Array.from({ length: 8 }, () => clients.attempt(agent, path, report, randomUUID())));
      await pause(OUTAGE_MS / 2);
      for (const service of UPSTREAM_NAMES) expect(await metric(world, service, 'gatehouse_pool_waiting')).toBe(0);
      during.push(...clients.answers);
      await world.backing.postgres.start();
    });

    refusedWell(during, OUTAGE_MS);
    expect(during.filter(isServerError).length).toBeGreaterThan(WRITERS);
    expect(Math.max(...during.filter(isServerError).map(({ ms }) => ms))).toBeLessThan(3_000 + SLACK_MS);
    expect(pids(world)).toEqual(before);
    const taken = await Promise.all([1, 2, 3].map(() => clients.insist(agent, path, report)));
    expect(new Set(taken.map(({ id }) => id)).size).toBe(1);
    await until(
      async () =>
        (await partner.must<{ state: string }>('GET', `/orgs/organizations/merge-runs/${jobId}`)).state === 'completed',
      40,
    );
    await checkInvariants(world, tenant, clients);
  }, 240_000);

  it('R-16 slow, then stalled: at most 2 s of waiting for a connection, the event loop stays free, and only the client repeats', async () => {
    const { postgres } = world.linksOf('pam');
    const handled = (): Promise<number> =>
      metric(world, 'pam', 'gatehouse_http_request_seconds_count', 'route="/api/v1/pam/rules"');
    const before = await handled();
    clients.answers = [];
    // The delay applies in each direction, so an answer takes 200 ms longer.
    postgres.set({ kind: 'delay', ms: 100 });
    const slow = await Promise.all([
      ...Array.from({ length: 5 }, () => world.admin.call('GET', `/pam/rules?orgId=${tenant.orgId}`)),
      clients.attempt(world.admin, '/pam/rules', rule(randomUUID()), randomUUID()),
    ]);
    expect(slow.map((answer) => answer?.status)).toEqual([...Array(5).fill(200), 201]);

    postgres.set({ kind: 'hold' });
    const stalled = Array.from({ length: 30 }, () =>
      clients.attempt(world.admin, '/pam/rules', rule(randomUUID()), randomUUID()),
    );
    await pause(4_000);
    const refused = clients.answers.filter(isServerError);
    postgres.set({ kind: 'pass' });
    const after = await Promise.all(stalled);
    refusedWell(refused, 5_000);
    expect(refused.length).toBeGreaterThanOrEqual(20);
    expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(2_000 + SLACK_MS);
    expect(after.filter((answer) => answer?.status === 201).length).toBeGreaterThan(0);
    expect((await handled()) - before).toBeLessThanOrEqual(36 * 1.1);
    expect(await metric(world, 'pam', 'nodejs_eventloop_lag_p50_seconds')).toBeLessThan(0.1);
    await checkInvariants(world, tenant, clients);
  });

  it('R-16 silent for ever: a connection that never answers is given up, and the next one works', async () => {
    const { postgres } = world.linksOf('pam');
    postgres.set({ kind: 'hold' });
    clients.answers = [];
    const lost = await clients.attempt(world.admin, '/pam/rules', rule(randomUUID()), randomUUID());
    expect(lost).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    postgres.resetAll();
    postgres.set({ kind: 'pass' });
    await checkInvariants(world, tenant, clients);
  });

  it('R-17 a route that holds every connection of its service answers 503 in 2 s; health, the outbox and all other routes are as ever', async () => {
    const gate = await closeGate(world, 'pam', 'LOCK TABLE pam_rules IN ACCESS EXCLUSIVE MODE');
    clients.answers = [];
    const stuck = Array.from({ length: 25 }, async (_, at) => {
      await pause(at * 40);
      return clients.attempt(world.admin, '/pam/rules', rule(randomUUID()), randomUUID());
    });
    // As many as one tenant may have under way on one collection.
    await until(async () => (await gate.waiting()) >= 3, 3);
    const spent = stopwatch();
    expect(await notServing(world.product)).toEqual([]);
    await world.admin.must('GET', '/auth/me');
    await world.admin.must('GET', '/orgs/organizations');
    expect(spent()).toBeLessThan(2_000);
    await Promise.all(stuck);
    const answers = [...clients.answers];
    await gate.open();
    expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(503));
    refusedWell(answers, 2_000);
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(2_000 + SLACK_MS);
    await checkInvariants(world, tenant, clients);
  });

  it('R-17 a route of identity that holds all connections for requests keeps no signed-in caller out', async () => {
    const gate = await closeGate(world, 'identity', 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const stuck = Array.from({ length: 25 }, () => world.admin.call('GET', '/api-keys'));
    // As many as one person may hold.
    await until(async () => (await gate.waiting()) >= 6, 3);
    // The gateway's two-second cache of this session has expired, so it calls identity.
    const spent = stopwatch();
    await partner.must('GET', '/orgs/organizations');
    expect(spent()).toBeLessThan(SLACK_MS);
    const answers = await Promise.all(stuck);
    await gate.open();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    await checkInvariants(world, tenant, clients);
  });

  describe('R-18', () => {
    it('a serialisation failure is tried again inside the service', async () => {
      await sql(world, 'pam', refuseRules('<= 2'));
      const name = randomUUID();
      const answer = await world.admin.call('POST', '/pam/rules', rule(name));
      expect([answer.status, await tries()]).toEqual([201, 3]);
      await undo();
      expect(await rulesNamed(name)).toHaveLength(1);
      await checkInvariants(world, tenant, clients);
    });

    it('three times at most: then it is 503, and nothing of it is left', async () => {
      await sql(world, 'pam', refuseRules('> 0'));
      const name = randomUUID();
      const answer = await world.admin.call('POST', '/pam/rules', rule(name));
      expect([answer.status, answer.headers.get('retry-after'), await tries()]).toEqual([503, expect.any(String), 3]);
      await undo();
      expect(await rulesNamed(name)).toEqual([]);
      await checkInvariants(world, tenant, clients);
    });

    it('a deadlock ends for the service, which tries again when the other is done', async () => {
      const { rule: made } = await world.admin.must<{ rule: { id: string } }>('POST', '/pam/rules', rule(randomUUID()));
      const deadlocks = async (): Promise<number> =>
        Number(
          (
            await sql<{ count: string }>(
              world,
              'pam',
              'SELECT deadlocks AS count FROM pg_stat_database WHERE datname = current_database()',
            )
          )[0]?.count,
        );
      const before = await deadlocks();
      // The service locks the rule and then the outbox; the other session locks them in the reverse order and is never
      // the one that PostgreSQL aborts.
      const change = async (): Promise<number> => {
        const gate = await closeGate(
          world,
          'pam',
          `SET LOCAL deadlock_timeout = '30s'; LOCK TABLE outbox IN EXCLUSIVE MODE`,
        );
        const changing = world.admin.call('PATCH', `/pam/rules/${made.id}`, { description: randomUUID() });
        await until(async () => (await gate.waiting()) > 0, 2);
        await gate.run(`UPDATE pam_rules SET description = description WHERE id = '${made.id}'`);
        await gate.open();
        return (await changing).status;
      };
      // If a slow machine does not complete the deadlock within the second after which PostgreSQL checks for it, the
      // lock timeout ends the wait.
      await until(
        async () => (await change()) === 200 && (await until(async () => (await deadlocks()) > before, 3)),
        30,
      );
      await checkInvariants(world, tenant, clients);
    });

    const refuseRules = (condition: string): string => `
      CREATE SEQUENCE tries; GRANT USAGE ON SEQUENCE tries TO PUBLIC;
      CREATE FUNCTION refuse_rules() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries') ${condition} THEN RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse_rules BEFORE INSERT ON pam_rules FOR EACH ROW EXECUTE FUNCTION refuse_rules()`;
    const tries = async (): Promise<number> =>
      Number((await sql<{ count: string }>(world, 'pam', 'SELECT last_value AS count FROM tries'))[0]?.count);
    const undo = (): Promise<unknown> =>
      sql(world, 'pam', 'DROP TRIGGER refuse_rules ON pam_rules; DROP FUNCTION refuse_rules; DROP SEQUENCE tries');
  });

  const rule = (name: string): object => ({
    orgId: tenant.orgId,
    name,
    verdict: 'auto_deny',
    matchPathGlob: `C:\\never\\${name}`,
  });
  const rulesNamed = (name: string): Promise<{ id: string }[]> =>
    sql<{ id: string }>(world, 'pam', 'SELECT id FROM pam_rules WHERE name = $1', [name]);

  /**
   * Requires that all problems are 503 with Retry-After, that none arrives later than announced, and that no process
   * ended.
   */
  function refusedWell(answers: readonly Answer[], outageMs: number): void {
    for (const answer of answers.filter(isServerError)) {
      expect(answer).toMatchObject({ status: 503, retryAfterSeconds: expect.any(Number) });
      expect(answer.retryAfterSeconds).toBeLessThanOrEqual(outageMs / 1000 + 2);
    }
  }
});

const WRITERS = 4;
/** Tolerance beyond the limits for a slow machine with two cores. */
const SLACK_MS = 1_000;

/**
 * The product's behaviour no longer changes after the first seconds of an outage, so this outage is shorter than the
 * scenario's half minute.
 */
const OUTAGE_MS = 8_000;
