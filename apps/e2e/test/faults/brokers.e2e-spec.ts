import { Api } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { makeTenant, outboxesAreEmpty, sql, type Tenant, until } from '../world.ts';
import { type FaultWorld, isAlive, isReady, pids, startFaultWorld } from './fault-world.ts';
import { auditedOf, checkInvariants, publishedIds } from './invariants.ts';
import { Clients } from './load.ts';
import { stored } from './stream.ts';

describe('NATS and the network between the parts', () => {
  let world: FaultWorld;
  let tenant: Tenant;
  let clients: Clients;
  beforeAll(async () => {
    world = await startFaultWorld(['pam-ingest']);
    tenant = await makeTenant(world.admin);
    clients = new Clients(world, tenant);
    await clients.round();
  });
  afterAll(() => world.stop(), 60_000);

  it("R-21 away for 12 s: every write succeeds; the outboxes drain within 30 s of its return, in order, without an operator's help", async () => {
    const before = pids(world);
    await world.backing.nats.stop();
    await clients.during(WRITERS, () => pause(OUTAGE_MS));
    expect(clients.answers.filter(({ status }) => status >= 300 || status === 0)).toEqual([]);
    expect(clients.answers.length).toBeGreaterThan(20);
    expect(await outboxesAreEmpty(world)).toBe(false);
    await world.backing.nats.start();
    await until(() => outboxesAreEmpty(world), 30);
    expect(pids(world)).toEqual(before);
    await checkInvariants(world, tenant, clients);
  });

  it('R-22 killed under load and started on the same store: what an outbox counts as published is in its stream', async () => {
    await clients.during(WRITERS, async () => {
      for (let kill = 0; kill < 3; kill++) {
        await pause(1_000);
        await world.backing.nats.kill('SIGKILL');
        await world.backing.nats.start();
      }
    });
    expect(clients.answers.filter(({ status }) => status >= 300 || status === 0)).toEqual([]);
    const published = await publishedIds(world);
    const inStreams = await Promise.all(['IDENTITY', 'TENANCY', 'PAM', 'AUDIT'].map((stream) => stored(world, stream)));
    const there = new Set(inStreams.flat().map(({ content }) => content.id));
    expect(published.length).toBeGreaterThan(50);
    expect(published.filter((id) => !there.has(id))).toEqual([]);
    await checkInvariants(world, tenant, clients);
  });

  it('R-45 thirty clients that repeat themselves through an outage of PostgreSQL and NATS: calm within 30 s of their return', async () => {
    await clients.during(30, async () => {
      await pause(1_000);
      await Promise.all([world.backing.postgres.stop(), world.backing.nats.stop()]);
      await pause(5_000);
      await Promise.all([world.backing.postgres.start(), world.backing.nats.start()]);
    });
    expect(clients.answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
    await checkInvariants(world, tenant, clients);
  });

  it('R-48 a service that reaches any part of PostgreSQL, NATS and Redis: PostgreSQL alone decides whether it answers, and it never answers wrong', async () => {
    const links = world.linksOf('pam-ingest');
    const agent = new Api(world.product.baseUrl, tenant.agentToken);
    const path = `/agents/${tenant.deviceId}/elevation-requests`;
    const before = pids(world);
    const parts = ['postgres', 'nats', 'redis'] as const;
    for (let combination = 0; combination < 8; combination++) {
      const away = parts.filter((_, at) => combination & (1 << at));
      for (const part of parts) links[part].set({ kind: away.includes(part) ? 'reset' : 'pass' });
      await pause(500);
      const body = {
        subject_username: 'ACME\\ada',
        target_executable_path: `C:\\Tools\\${randomUUID()}.exe`,
        observed_at: new Date().toISOString(),
      };
      clients.answers = [];
      await clients.attempt(agent, path, body, '');
      const [answer] = clients.answers;
      expect({ away, status: answer?.status }).toEqual({ away, status: away.includes('postgres') ? 503 : 201 });
      expect(answer?.ms).toBeLessThan(2_000 + SLACK_MS);
      expect([await isAlive(world.product, 'pam-ingest'), await isReady(world.product, 'pam-ingest')]).toEqual([
        true,
        true,
      ]);
      world.heal();
      const { id } = await clients.insist(agent, path, body);
      clients.acknowledged.requests.add(String(id));
      expect(
        await sql(world, 'pam', 'SELECT FROM elevation_requests WHERE target_executable_path = $1', [
          body.target_executable_path,
        ]),
      ).toHaveLength(1);
    }
    expect(pids(world)).toEqual(before);
    await checkInvariants(world, tenant, clients);
    expect(await auditedOf(world, tenant, 'pam.elevation_request.submit')).toEqual(
      [...clients.acknowledged.requests].sort(),
    );
  });

  it('R-48 Redis that is reached but says nothing holds no report up for longer than 150 ms', async () => {
    const { redis } = world.linksOf('pam-ingest');
    redis.set({ kind: 'hold' });
    const took: number[] = [];
    for (let report = 0; report < 10; report++) {
      clients.answers = [];
      await clients.report();
      took.push(...clients.answers.map(({ ms }) => ms));
    }
    expect(clients.answers).toHaveLength(1);
    const median = took.sort((a, b) => a - b)[5] ?? Infinity;
    expect(median).toBeLessThan(150 + SLACK_MS / 2);
    world.heal();
    await checkInvariants(world, tenant, clients);
  });
});

const WRITERS = 3;
/**
 * Clients give up on the broker and reconnect every half second, so a longer outage only repeats what happens in the
 * first seconds.
 */
const OUTAGE_MS = 12_000;
const SLACK_MS = 1_000;
