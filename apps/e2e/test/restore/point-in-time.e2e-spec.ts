import { Api, type Backing, brokerSettings, connected, startBacking, startProduct } from '@gatehouse/stack';
import { startMigratedBacking, stopwatch } from '@gatehouse/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  auditedIds,
  makeTenant,
  outboxesAreEmpty,
  RATE_LIMITS,
  type Tenant,
  until,
  type World,
  worldOf,
} from '../world.ts';
import { settingsLike } from './copies.ts';

let world: World;
let tenant: Tenant;
let elsewhere: Backing | undefined;
let product: Awaited<ReturnType<typeof startProduct>> | undefined;

beforeAll(async () => {
  mkdirSync(archive);
  chmodSync(directory, 0o711);
  chmodSync(archive, 0o777);
  const backing = await startMigratedBacking(former);
  const { url } = backing.postgres;
  await value(url, 'ALTER SYSTEM SET archive_mode = on');
  await value(url, `ALTER SYSTEM SET archive_command = 'cp %p ${archive}/%f'`);
  await backing.postgres.stop();
  await backing.postgres.start();
  const started = await startProduct({
    DATABASE_ADMIN_URL: url,
    NATS_URL: backing.nats.url,
    ...brokerSettings(backing.nats.url),
    REDIS_URL: backing.redis.url,
    RATE_LIMITS,
  });
  world = await worldOf(started, backing, former);
  tenant = await makeTenant(world.admin);
}, 240_000);

afterAll(async () => {
  await product?.stop();
  await elsewhere?.stop();
  await world?.stop();
  rmSync(directory, { recursive: true, force: true });
});

it('R-117 a base backup and the archived log restore all databases to one moment, with a whole audit log', async () => {
  const { admin } = world;
  const { url } = serverOf(world);
  const site = async (name: string): Promise<string> =>
    (await admin.must<{ id: string }>('POST', '/orgs/sites', { orgId: tenant.orgId, name })).id;

  await baseBackup(url);
  const before = await site('Before');
  const moment = await value(url, 'SELECT clock_timestamp()::text');
  const after = await site('After');
  await until(async () => (await auditedIds(admin, tenant.orgId, 'site.create')).includes(after));
  await value(url, 'SELECT pg_switch_wal()');
  const settings = settingsLike(world);
  await world.product.stop();
  await serverOf(world).stop();

  const spent = stopwatch();
  elsewhere = await restoredTo(moment);
  process.stdout.write(`point in time: restored in ${Math.ceil(spent() / 1000)} s\n`);
  product = await startProduct({
    ...settings,
    DATABASE_ADMIN_URL: elsewhere.postgres.url,
    NATS_URL: elsewhere.nats.url,
    ...brokerSettings(elsewhere.nats.url),
    REDIS_URL: elsewhere.redis.url,
  });
  const again = new Api(product.baseUrl, admin.accessToken);
  expect(await again.must('GET', `/orgs/sites/${before}`)).toMatchObject({ name: 'Before' });
  expect((await again.call('GET', `/orgs/sites/${after}`)).status).toBe(404);
  const restored: World = { ...world, product, backing: elsewhere, admin: again };
  await until(() => outboxesAreEmpty(restored));
  await until(async () => (await auditedIds(again, tenant.orgId, 'site.create')).includes(before));
  expect(await auditedIds(again, tenant.orgId, 'site.create')).not.toContain(after);
  expect(await again.must('GET', `/audit-logs/verify?chain=${tenant.partnerId}`)).toMatchObject({ valid: true });
}, 300_000);

/** What belongs to the running server alone, and its log, which the archive has. */
const NOT_COPIED = ['pg_wal', 'postmaster.pid', 'postmaster.opts'];

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-point-in-time-'));
const [archive, former, later] = ['archive', 'former', 'later'].map((name) => join(directory, name)) as [
  string,
  string,
  string,
];
const data = join(later, 'postgres', 'data');

const serverOf = ({ backing }: World) => backing.postgres;
const value = (url: string, sql: string): Promise<string> =>
  connected(
    url,
    async (client) => Object.values((await client.query<Record<string, string>>(sql)).rows[0] ?? {})[0] ?? '',
  );

/** Copies the files of the running server, as `pg_basebackup` does, which not every installation has. */
async function baseBackup(url: string): Promise<void> {
  await connected(url, async (client) => {
    await client.query(`SELECT pg_backup_start('drill', fast => true)`);
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const from = rows[0]?.data_directory ?? '';
    mkdirSync(data, { recursive: true, mode: 0o700 });
    const names = readdirSync(from).filter((name) => !NOT_COPIED.includes(name));
    const { stderr } = spawnSync('cp', ['-Rp', ...names.map((name) => join(from, name)), data], { encoding: 'utf8' });
    // The running server may delete a file before `cp` reads it; recovery restores its content from the archived log.
    expect(stderr.split('\n').filter((line) => !/^$|: No such file or directory$/.test(line))).toEqual([]);
    mkdirSync(join(data, 'pg_wal'), { mode: 0o700 });
    const label = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    writeFileSync(join(data, 'backup_label'), label.rows[0]?.labelfile ?? '');
    const { uid, gid } = statSync(from);
    for (const name of ['.', '..', 'pg_wal', 'backup_label']) chownSync(join(data, name), uid, gid);
  });
}

/** Starts the copy, which replays the archive up to the time and then takes writes. */
async function restoredTo(time: string): Promise<Backing> {
  execFileSync('cp', ['-p', join(former, 'credentials.json'), later]);
  const settings = [
    'archive_mode = off',
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${time}'`,
    `recovery_target_action = promote`,
  ];
  appendFileSync(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  writeFileSync(join(data, 'recovery.signal'), '');
  const backing = await startBacking({ directory: later, ephemeral: true, log: () => undefined });
  await until(async () => !(await value(backing.postgres.url, 'SELECT pg_is_in_recovery()')));
  return backing;
}
