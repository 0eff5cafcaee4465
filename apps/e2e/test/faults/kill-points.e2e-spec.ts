import type { Fault } from '@gatehouse/testing';
import { Dice } from '../authority/dice.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { makeTenant, outboxesAreEmpty, sql, type Tenant, until } from '../world.ts';
import { closeGate, crash, type FaultWorld, openAllGates, startFaultWorld } from './fault-world.ts';
import { auditedOf, checkInvariants } from './invariants.ts';
import { Clients } from './load.ts';
import { consumerOf, publishAgain, stored } from './stream.ts';

describe('a service that dies at a chosen point', () => {
  let world: FaultWorld;
  let tenant: Tenant;
  let clients: Clients;
  beforeAll(async () => {
    world = await startFaultWorld(['pam', 'pam-ingest', 'audit', 'tenancy']);
    tenant = await makeTenant(world.admin);
    clients = new Clients(world, tenant);
    await clients.round();
  });
  // Restores what a failed test left closed or broken; otherwise all later tests would fail.
  afterEach(async () => {
    await openAllGates();
    world.heal();
  });
  afterAll(() => world.stop(), 60_000);

  it('R-04 kill -9 inside the transaction: all of it is rolled back, and the retry is the first', async () => {
    const name = randomUUID();
    const gate = await closeGate(world, 'pam', 'LOCK TABLE pam_rules IN EXCLUSIVE MODE');
    const lost = world.admin.call('POST', '/pam/rules', rule(name)).then(({ status }) => status);
    await until(async () => (await gate.waiting()) > 0);
    const pam = crash(world, 'pam');
    await gate.open();
    expect(await lost).toBe(503);
    await pam.back();
    expect(await rulesNamed(name)).toEqual([]);
    const answer = await world.admin.call('POST', '/pam/rules', rule(name));
    expect(answer.status).toBe(201);
    await checkInvariants(world, tenant, clients);
  });

  it('R-05 kill -9 after the commit, before anything is published: it is published after the restart, with one effect', async () => {
    silenceRelays({ kind: 'hold' });
    await clients.rule();
    const [id = ''] = [...clients.acknowledged.rules].slice(-1);
    const [pam, ingest] = [crash(world, 'pam'), crash(world, 'pam-ingest')];
    expect(await isStored(world, 'AUDIT', id)).toBe(false);
    silenceRelays({ kind: 'pass' });
    await Promise.all([pam.back(), ingest.back()]);
    await until(() => isStored(world, 'AUDIT', id));
    await checkInvariants(world, tenant, clients);
  });

  it('R-06 kill -9 after the broker stored it, before the outbox is marked: published again under the same id, with one effect', async () => {
    silenceRelays({ kind: 'hold' });
    await clients.rule();
    const [id = ''] = [...clients.acknowledged.rules].slice(-1);
    // Lets the relays read the waiting events, and blocks them where they would mark the events as published.
    const gate = await closeGate(world, 'pam', 'LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE');
    silenceRelays({ kind: 'pass' });
    await until(() => isStored(world, 'AUDIT', id));
    await until(async () => (await gate.waiting()) > 0);
    const [pam, ingest] = [crash(world, 'pam'), crash(world, 'pam-ingest')];
    expect(await outboxesAreEmpty(world)).toBe(false);
    await gate.open();
    await Promise.all([pam.back(), ingest.back()]);
    await until(() => outboxesAreEmpty(world));
    expect((await stored(world, 'AUDIT')).filter(({ envelope }) => JSON.stringify(envelope).includes(id))).toHaveLength(
      1,
    );
    expect((await auditedOf(world, tenant, 'pam.rule.create')).filter((audited) => audited === id)).toHaveLength(1);
    await checkInvariants(world, tenant, clients);
  });

  it('R-07, R-08 kill -9 of a consumer before its ack, and of another amid its effect: redelivery does nothing twice, and is acknowledged', async () => {
    const { nats } = world.linksOf('audit');
    nats.set({ kind: 'hold', only: 'requests' });
    await clients.rule();
    const [ruleId = ''] = [...clients.acknowledged.rules].slice(-1);
    await until(async () => (await auditedOf(world, tenant, 'pam.rule.create')).includes(ruleId));
    const audit = crash(world, 'audit');
    nats.set({ kind: 'pass' });

    const gate = await closeGate(world, 'pam', 'LOCK TABLE site_ref IN SHARE ROW EXCLUSIVE MODE');
    await clients.site();
    const [siteId = ''] = [...clients.acknowledged.sites].slice(-1);
    await until(async () => (await gate.waiting()) > 0);
    const pam = crash(world, 'pam');
    await gate.open();
    await Promise.all([audit.back(), pam.back()]);
    expect(await sql(world, 'pam', 'SELECT FROM site_ref WHERE site_id = $1', [siteId])).toHaveLength(0);

    // The broker redelivers a message that is not acknowledged within 30 s.
    for (const [stream, durable] of [
      ['AUDIT', 'audit'],
      ['TENANCY', 'pam'],
    ] as const) {
      await until(async () => {
        const { num_ack_pending, num_pending } = await consumerOf(world, stream, durable);
        return num_ack_pending === 0 && num_pending === 0;
      }, 60);
    }
    expect(await sql(world, 'pam', 'SELECT FROM site_ref WHERE site_id = $1', [siteId])).toHaveLength(1);
    await checkInvariants(world, tenant, clients);
  });

  it('R-15 a commit whose answer is lost: 503, and the retry under the same key gets the first result', async () => {
    const name = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    const happened = world.linksOf('pam').postgres.loseAnswer(name, 'COMMIT');
    const lost = await world.admin.call('POST', '/pam/rules', rule(name), key);
    await happened;
    expect([lost.status, lost.body['code'], Number(lost.headers.get('retry-after'))]).toEqual([
      503,
      'unavailable',
      expect.any(Number),
    ]);
    const row = await until(async () => (await rulesNamed(name))[0] ?? false);
    const again = await world.admin.call('POST', '/pam/rules', rule(name), key);
    expect([again.status, again.body]).toEqual([
      201,
      expect.objectContaining({ rule: expect.objectContaining({ id: row.id }) }),
    ]);
    expect(await rulesNamed(name)).toHaveLength(1);
    await checkInvariants(world, tenant, clients);
  });

  it('R-15 a decision or a report whose commit is in doubt: 409 or the same result, never a second effect', async () => {
    const id = await clients.report();
    // The reason marks the transaction: others name the request too, while the service tells who may decide it.
    const reason = randomUUID();
    const decided = world.linksOf('pam').postgres.loseAnswer(reason, 'COMMIT');
    const respond = (): ReturnType<typeof world.admin.call> =>
      world.admin.call('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'approve', reason });
    expect((await respond()).status).toBe(503);
    await decided;
    const second = await respond();
    expect([second.status, second.body['code']]).toEqual([409, 'not_pending']);
    clients.acknowledged.approved.add(id);

    const path = randomUUID();
    const body = {
      subject_username: 'ACME\\ada',
      target_executable_path: `C:\\Tools\\${path}.exe`,
      observed_at: new Date().toISOString(),
    };
    const agent = world.admin.as(tenant.agentToken);
    const stored = world.linksOf('pam-ingest').postgres.loseAnswer(path);
    const report = (): ReturnType<typeof agent.call> =>
      agent.call('POST', `/agents/${tenant.deviceId}/elevation-requests`, body);
    expect((await report()).status).toBe(503);
    await stored;
    await until(async () => (await report()).status === 201);
    expect(
      await sql(world, 'pam', 'SELECT FROM elevation_requests WHERE target_executable_path LIKE $1', [`%${path}%`]),
    ).toHaveLength(1);
    await checkInvariants(world, tenant, clients);
  });

  it('R-24 five deliveries of everything, in any order: effects once, and an older state never replaces a newer one', async () => {
    const names = Array.from({ length: 5 }, (_, at) => `renamed ${at}`);
    for (const name of names) await world.admin.must('PATCH', `/orgs/organizations/${tenant.orgId}`, { name });
    const nameThere = async (): Promise<string | undefined> =>
      (await sql<{ name: string }>(world, 'pam', 'SELECT name FROM org_ref WHERE org_id = $1', [tenant.orgId]))[0]
        ?.name;
    await until(async () => (await nameThere()) === names.at(-1));
    const states = (await stored(world, 'TENANCY')).filter(({ envelope }) => envelope.aggregateId === tenant.orgId);
    expect(states.length).toBeGreaterThan(names.length);
    const audits = (await stored(world, 'AUDIT')).slice(-20);
    const copies = [...states, ...audits].flatMap(({ subject, content }) =>
      Array.from({ length: 5 }, () => ({ subject, envelope: content, messageId: randomUUID() })),
    );
    // A state event that is published again, as by a rebuild, has a new event id: only its version shows that it is
    // old.
    const retold = states.map(({ subject, envelope }) => ({
      subject,
      envelope: { ...envelope, id: randomUUID() },
      messageId: randomUUID(),
    }));
    const shuffled = new Dice(process.env['GATEHOUSE_SEED'] ?? '').shuffled([...copies, ...retold]);

    // The acknowledgements of the first deliveries are lost too.
    const { nats } = world.linksOf('audit');
    nats.set({ kind: 'hold', only: 'requests' });
    await publishAgain(world, shuffled);
    nats.set({ kind: 'reset' });
    nats.set({ kind: 'pass' });
    await until(async () => (await consumerOf(world, 'TENANCY', 'pam')).num_pending === 0);
    expect(await nameThere()).toBe(names.at(-1));
    await checkInvariants(world, tenant, clients);
    expect(await nameThere()).toBe(names.at(-1));
  });

  /** Stops the relays of both services, because both relay the events of the one database. */
  const silenceRelays = (fault: Fault): void =>
    [world.linksOf('pam'), world.linksOf('pam-ingest')].forEach(({ nats }) => nats.set(fault));

  const rule = (name: string): object => ({
    orgId: tenant.orgId,
    name,
    verdict: 'auto_deny',
    matchPathGlob: `C:\\never\\${name}`,
  });
  const rulesNamed = (name: string): Promise<{ id: string }[]> =>
    sql<{ id: string }>(world, 'pam', 'SELECT id FROM pam_rules WHERE name = $1', [name]);
});

const isStored = async (world: FaultWorld, stream: string, id: string): Promise<boolean> =>
  (await stored(world, stream)).some(({ envelope }) => JSON.stringify(envelope).includes(id));
