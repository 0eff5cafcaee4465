import { Api } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeTenant, sql, type Tenant, until } from '../world.ts';
import { type FaultWorld, notServing, pids, startFaultWorld } from './fault-world.ts';
import { checkInvariants } from './invariants.ts';
import { Clients, isServerError } from './load.ts';
import { mayMount, SmallDisk } from './small-disk.ts';

const WRITERS = 4;
const SLACK_MS = 1_000;
const SEGMENT_MB = 16;

const canMount = mayMount();
const onSmallDisks = canMount ? describe : describe.skip;
if (!canMount) process.stderr.write('no right to mount a file system: the tests of full disks are skipped\n');

onSmallDisks('PostgreSQL on a disk that is full', () => {
  let world: FaultWorld;
  let tenant: Tenant;
  let clients: Clients;
  let data: string;
  const disks: SmallDisk[] = [];
  beforeAll(async () => {
    world = await startFaultWorld([]);
    tenant = await makeTenant(world.admin);
    clients = new Clients(world, tenant);
    await clients.round();
    data = (await sql<{ data_directory: string }>(world, 'pam', 'SHOW data_directory'))[0]?.data_directory ?? '';
  });
  afterAll(async () => {
    await world.stop();
    for (const disk of disks) disk.unmount();
  });

  function diskOf(megabytes: number): SmallDisk {
    const disk = SmallDisk.mount(megabytes, statSync(data));
    if (!disk) throw new Error('a file system could be mounted before, and now cannot');
    disks.push(disk);
    return disk;
  }

  function refusedWell(): void {
    const refused = clients.answers.filter(isServerError);
    expect(refused.length).toBeGreaterThan(10);
    for (const answer of refused) expect(answer).toMatchObject({ status: 503, retryAfterSeconds: expect.any(Number) });
    expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(3_000 + SLACK_MS);
  }

  it('R-19 no room for data: writes are 503, reads are as ever, and all goes on by itself when there is room', async () => {
    const disk = diskOf(24);
    await sql(world, 'pam', `CREATE TABLESPACE small LOCATION '${disk.path}'`);
    for (const table of ['pam_rules', 'outbox']) await sql(world, 'pam', `ALTER TABLE ${table} SET TABLESPACE small`);
    const before = pids(world);
    disk.fill();
    await clients.during(WRITERS, async () => {
      await until(async () => clients.answers.filter(isServerError).length > 10, 60);
      const agent = new Api(world.product.baseUrl, tenant.agentToken);
      await world.admin.must('GET', `/pam/rules?orgId=${tenant.orgId}`);
      await world.admin.must('GET', `/pam/elevation-requests?orgId=${tenant.orgId}`);
      await agent.must('GET', `/agents/${tenant.deviceId}/commands?waitSeconds=0`);
      await world.admin.must('POST', '/orgs/sites', { orgId: tenant.orgId, name: 'elsewhere' });
      expect(await notServing(world.product)).toEqual([]);
      disk.makeRoom();
    });
    refusedWell();
    expect(pids(world)).toEqual(before);
    await checkInvariants(world, tenant, clients);
  }, 240_000);

  it('R-20 no room for the log: PostgreSQL gives up and the services do not; with room and a start, what was acknowledged is there', async () => {
    const log = join(data, 'pg_wal');
    const disk = diskOf((readdirSync(log).length + 3) * SEGMENT_MB);
    // The first panic ends the server; otherwise it may recover and panic again for as long as a log segment has room.
    await sql(world, 'pam', 'ALTER SYSTEM SET restart_after_crash = off');
    await world.backing.postgres.stop();
    execFileSync('cp', ['-a', `${log}/.`, disk.path]);
    rmSync(log, { recursive: true });
    symlinkSync(disk.path, log);
    await world.backing.postgres.start();
    const before = pids(world);
    await clients.during(WRITERS, async () => {
      const written = clients.acknowledged.rules.size;
      await until(async () => clients.acknowledged.rules.size > written + 3);
      disk.fill();
      await until(async () => {
        await Promise.race([sql(world, 'pam', 'SELECT pg_switch_wal()').catch(() => undefined), pause(1_000)]);
        return world.backing.postgres.pid === undefined;
      }, 60);
      clients.answers = [];
      await until(async () => clients.answers.filter(isServerError).length > 10);
      expect(await notServing(world.product)).toEqual([]);
      refusedWell();
      disk.makeRoom();
      await world.backing.postgres.start();
    });
    expect(pids(world)).toEqual(before);
    await checkInvariants(world, tenant, clients);
  }, 240_000);
});
