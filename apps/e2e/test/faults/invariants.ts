import { SERVICE_NAMES } from '@gatehouse/contracts-core';
import { expect } from '@jest/globals';
import { OUTBOXES, outboxesAreEmpty, sql, type Tenant, until, type World } from '../world.ts';
import { isReady } from './fault-world.ts';
import type { Clients } from './load.ts';
import { stored, type Stored } from './stream.ts';

/** Seconds within which the product must have recovered by itself. */
const RECOVERY_SECONDS = 30;

interface Id {
  readonly id: string;
}

const idsOf = (rows: readonly Id[]): string[] => rows.map(({ id }) => id).sort();

/** The resource ids of an organisation's audit entries of one action, one for each entry. */
export const auditedOf = async (world: World, { orgId }: Tenant, action: string): Promise<string[]> =>
  idsOf(
    await sql<Id>(
      world,
      'audit',
      `SELECT resource_id AS id FROM audit_entries WHERE org_id = $1 AND action = $2 AND result = 'success'`,
      [orgId, action],
    ),
  );

/** The ids of the events that the outboxes of all services mark as published. */
export async function publishedIds(world: World, subjects = '%'): Promise<string[]> {
  const rows = await Promise.all(
    OUTBOXES.map((database) =>
      sql<Id>(world, database, 'SELECT id FROM outbox WHERE subject LIKE $1 AND published_at IS NOT NULL', [subjects]),
    ),
  );
  return idsOf(rows.flat());
}

const CHANGES = [
  { kind: 'sites', database: 'tenancy', rows: 'SELECT id FROM sites WHERE org_id = $1', action: 'site.create' },
  { kind: 'rules', database: 'pam', rows: 'SELECT id FROM pam_rules WHERE org_id = $1', action: 'pam.rule.create' },
  {
    kind: 'requests',
    database: 'pam',
    rows: 'SELECT id FROM elevation_requests WHERE org_id = $1',
    action: 'pam.elevation_request.submit',
  },
  {
    kind: 'approved',
    database: 'pam',
    rows: 'SELECT id FROM elevation_requests WHERE org_id = $1 AND approved_by IS NOT NULL',
    action: 'pam.elevation_request.approve',
  },
] as const;

/** I1, I2, I6: each acknowledged write exists once; each change has its audit entry, and each entry has its change. */
async function changesAreWhole(world: World, tenant: Tenant, { acknowledged }: Clients): Promise<void> {
  for (const { kind, database, rows, action } of CHANGES) {
    const there = idsOf(await sql<Id>(world, database, rows, [tenant.orgId]));
    expect({ kind, missing: [...acknowledged[kind]].filter((id) => !there.includes(id)) }).toEqual({
      kind,
      missing: [],
    });
    await until(async () => (await auditedOf(world, tenant, action)).length >= there.length, RECOVERY_SECONDS);
    expect({ kind, audited: await auditedOf(world, tenant, action) }).toEqual({ kind, audited: there });
  }
  const doubled = await sql(
    world,
    'tenancy',
    `SELECT name FROM sites WHERE name LIKE 'fault %' GROUP BY name HAVING count(*) > 1`,
  );
  const doubledRules = await sql(
    world,
    'pam',
    'SELECT name FROM pam_rules WHERE org_id = $1 GROUP BY name HAVING count(*) > 1',
    [tenant.orgId],
  );
  const doubledReports = await sql(
    world,
    'pam',
    'SELECT target_executable_path FROM elevation_requests WHERE org_id = $1 GROUP BY 1 HAVING count(*) > 1',
    [tenant.orgId],
  );
  expect([...doubled, ...doubledRules, ...doubledReports]).toEqual([]);
}

/**
 * I3: each event that left an outbox is in its stream, and each consumer has as many effects as events that it
 * received.
 */
async function effectsHappenedOnce(world: World): Promise<void> {
  const published = await publishedIds(world, 'audit.%');
  const audits = await stored(world, 'AUDIT');
  const [messages, events] = [
    new Set(audits.map(({ content }) => content.id)),
    new Set(audits.map(({ envelope }) => envelope.id)),
  ];
  expect(published.filter((id) => !messages.has(id))).toEqual([]);
  // For a bundle that was delivered again, the inbox also holds a row for each of its events.
  const taken = `SELECT (SELECT count(*)::int FROM inbox WHERE consumer LIKE 'audit.%AUDIT'
    AND event_id = ANY ($1::uuid[])) AS messages, (SELECT count(*)::int FROM audit_entries) AS effects`;
  const counted = async (): Promise<{ messages: number; effects: number }> =>
    (await sql<{ messages: number; effects: number }>(world, 'audit', taken, [[...messages]]))[0] ?? {
      messages: 0,
      effects: 0,
    };
  await until(async () => (await counted()).effects >= events.size, RECOVERY_SECONDS);
  expect(await counted()).toEqual({ messages: messages.size, effects: events.size });
  const sites = await sql<Id>(world, 'tenancy', 'SELECT id FROM sites');
  await until(async () => (await sql(world, 'pam', 'SELECT FROM site_ref')).length >= sites.length, RECOVERY_SECONDS);
  expect(idsOf(await sql<Id>(world, 'pam', 'SELECT site_id AS id FROM site_ref'))).toEqual(idsOf(sites));
}

const ORDERED = {
  requested: 0,
  auto_approved: 1,
  approved: 1,
  denied: 1,
  actuating: 2,
  actuated: 3,
  expired: 4,
  revoked: 4,
} as const;
const factOf = (subject: string): keyof typeof ORDERED => subject.split('.')[2] as keyof typeof ORDERED;

function byAggregate(events: readonly Stored[]): Stored[][] {
  const first = new Map(events.toReversed().map((event) => [event.envelope.id, event]));
  const groups = new Map<string, Stored[]>();
  for (const event of [...first.values()].sort((a, b) => a.sequence - b.sequence)) {
    const { aggregateId } = event.envelope;
    groups.set(aggregateId, [...(groups.get(aggregateId) ?? []), event]);
  }
  return [...groups.values()];
}

/** I4, I5: the events of each request follow a legal path in order, with at most one decision. */
async function pathsAreLegal(world: World): Promise<void> {
  const events = (await stored(world, 'PAM')).filter(({ subject }) => subject.startsWith('pam.elevation.'));
  for (const path of byAggregate(events)) {
    const facts = path.map(({ subject }) => factOf(subject));
    const steps = facts.map((fact) => ORDERED[fact]);
    expect({ facts, steps }).toEqual({ facts, steps: [...new Set(steps)].sort((a, b) => a - b) });
  }
  const actuated = `SELECT elevation_request_id FROM device_commands WHERE type = 'actuate_elevation' GROUP BY 1
    HAVING count(*) > 1`;
  expect(await sql(world, 'pam', actuated)).toEqual([]);
}

const BUSY = `SELECT usename, state, query FROM pg_stat_activity WHERE usename LIKE 'gatehouse_%_app'
  AND state LIKE 'idle in transaction%' AND state_change < now() - interval '1 second'`;

/** I8: every service answers again and the pools are idle, without an operator's help. */
async function isCalm(world: World, clients: Clients): Promise<void> {
  await until(
    async () => (await Promise.all(SERVICE_NAMES.map((name) => isReady(world.product, name)))).every(Boolean),
    RECOVERY_SECONDS,
  );
  await until(async () => {
    clients.answers = [];
    await clients.round();
    return clients.answers.every(({ status }) => status > 0 && status < 300);
  }, RECOVERY_SECONDS);
  await until(async () => (await sql(world, 'pam', BUSY)).length === 0, RECOVERY_SECONDS);
}

/** Checks what must hold after every fault (I1 to I8; the row-security tests cover tenant isolation). */
export async function checkInvariants(world: World, tenant: Tenant, clients: Clients): Promise<void> {
  await isCalm(world, clients);
  await until(() => outboxesAreEmpty(world), RECOVERY_SECONDS);
  await changesAreWhole(world, tenant, clients);
  await effectsHappenedOnce(world);
  await pathsAreLegal(world);
  expect(await world.admin.must('GET', `/audit-logs/verify?chain=${tenant.partnerId}`)).toMatchObject({ valid: true });
}
