import { type Api, brokerUrlOf } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, JSONCodec } from 'nats';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  makeOrganization,
  makeTenant,
  outboxesAreEmpty,
  partnerAdministrator,
  sql,
  startWorld,
  type Tenant,
  until,
  type World,
} from './world.ts';

describe('the product, each service of which logs in at the broker as itself', () => {
  let world: World;
  let tenant: Tenant;
  let partner: Api;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await makeTenant(world.admin);
    partner = await partnerAdministrator(world, tenant.partnerId);
  });
  afterAll(() => world.stop(), 60_000);

  it('ATK-03f does everything that it needs, and is refused nothing: a merge and a purge go through every service', async () => {
    const [from, purged] = [
      await makeOrganization(world.admin, tenant.partnerId, 'from'),
      await makeOrganization(world.admin, tenant.partnerId, 'purged'),
    ];
    const { jobId } = await partner.must<{ jobId: string }>('POST', `/orgs/organizations/${from.orgId}/merge`, {
      survivorId: tenant.orgId,
      confirmName: 'from',
    });
    await until(
      async () =>
        (await partner.must<{ state: string }>('GET', `/orgs/organizations/merge-runs/${jobId}`)).state === 'completed',
      60,
    );
    await partner.must('POST', `/orgs/organizations/${purged.orgId}/archive`, { retentionDays: 1 });
    await sql(world, 'tenancy', 'UPDATE organizations SET purge_at = now() WHERE id = $1', [purged.orgId]);
    await until(
      async () =>
        (
          await sql(world, 'tenancy', `SELECT FROM organization_runs WHERE org_id = $1 AND state = 'completed'`, [
            purged.orgId,
          ])
        ).length === 1,
      120,
    );
    await until(() => outboxesAreEmpty(world));
    expect(refusals()).toEqual([]);
  }, 240_000);

  it('ATK-03g performs no step of a purge that tenancy does not know, though it is asked for on the right subject and in the name of tenancy', async () => {
    const before = await sql(world, 'pam', 'SELECT FROM device_ref WHERE org_id = $1', [tenant.orgId]);
    const runId = randomUUID();
    await publishAsAdministrator('tenancy.tenant_data.requested.v1', [
      eventOf('tenancy.tenant_data.requested.v1', 'tenancy', {
        runId,
        step: 'purge',
        sourceId: tenant.orgId,
        targetId: null,
      }),
    ]);
    for (const holder of HOLDERS) {
      await until(
        async () =>
          (
            await sql(
              world,
              holder,
              'SELECT FROM tenant_tasks WHERE run_id = $1 AND done_at IS NOT NULL AND rows_done = 0',
              [runId],
            )
          ).length === 1,
        60,
      );
    }
    expect(before.length).toBeGreaterThan(0);
    expect(await sql(world, 'pam', 'SELECT FROM device_ref WHERE org_id = $1', [tenant.orgId])).toHaveLength(
      before.length,
    );
    expect((await world.admin.call('GET', `/orgs/organizations/${tenant.orgId}`)).status).toBe(200);
    expect((await world.admin.call('GET', `/devices/${tenant.deviceId}`)).status).toBe(200);
  });

  it('ATK-03h believes no event whose source does not state its subject: no device change of pam, no audit entry of another', async () => {
    const device = {
      deviceId: tenant.deviceId,
      partnerId: tenant.partnerId,
      orgId: tenant.orgId,
      siteId: tenant.siteId,
      groupIds: [],
      hostname: 'forged',
      status: 'online',
      agentTokenHash: 'f'.repeat(64),
      deleted: false,
      version: 1_000_000,
    };
    await publishAsAdministrator('tenancy.device.changed.v1', [
      eventOf('tenancy.device.changed.v1', 'pam', device),
      eventOf('tenancy.site.changed.v1', 'tenancy', device),
    ]);
    await publishAsAdministrator('audit.identity', [
      eventOf('audit.identity', 'pam', { id: randomUUID(), action: 'user.login' }),
    ]);
    await until(
      async () =>
        (await sql(world, 'pam', `SELECT FROM dead_letters WHERE subject = 'tenancy.device.changed.v1'`)).length === 2,
      90,
    );
    await until(
      async () =>
        (await sql(world, 'audit', `SELECT FROM dead_letters WHERE error LIKE 'pam is not a source%'`)).length === 1,
      90,
    );
    expect(await sql(world, 'pam', `SELECT FROM device_ref WHERE hostname = 'forged'`)).toEqual([]);
  });

  it('ATK-03i lets no service answer for tenancy, nor for another', async () => {
    const { host, username, password } = new URL(brokerUrlOf(world.backing.nats.url, 'pam'));
    const attacker = await connect({ servers: host, user: username, pass: password, inboxPrefix: '_INBOX.pam' });
    const stolen: string[] = [];
    for (const subject of ['ask.tenant_data.due', 'ask.tenant_data.count.identity', 'ask.tenancy.agents_seen']) {
      attacker.subscribe(subject, {
        queue: subject.endsWith('due') ? 'tenancy' : 'identity',
        callback: (error, message) => void (error ?? stolen.push(message.subject)),
      });
    }
    await attacker.flush();
    const other = await makeOrganization(world.admin, tenant.partnerId, 'other');
    for (let at = 0; at < 5; at++)
      await partner.must('POST', `/orgs/organizations/${other.orgId}/merge-preview`, { survivorId: tenant.orgId });
    await pause(500);
    expect(stolen).toEqual([]);
    await attacker.close();
  });

  async function publishAsAdministrator(subject: string, events: readonly object[]): Promise<void> {
    const { host, username, password } = new URL(world.backing.nats.url);
    const connection = await connect({ servers: host, user: username, pass: password });
    for (const event of events) await connection.jetstream().publish(subject, JSONCodec().encode(event));
    await connection.close();
  }

  const eventOf = (subject: string, source: string, data: object): object => ({
    id: randomUUID(),
    subject,
    source,
    occurredAt: new Date().toISOString(),
    aggregateId: randomUUID(),
    actor: { type: 'system', id: null, name: 'forged' },
    traceparent: null,
    data,
  });
  const refusals = (): string[] => {
    const file = join(world.directory, 'logs', 'nats.log');
    if (!existsSync(file)) throw new Error('the broker writes no log');
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /violation|authorization error/i.test(line));
  };
});

const HOLDERS = ['identity', 'tenancy', 'pam', 'notifier'];
