import { DATABASES, databaseSettings } from '@gatehouse/contracts-core';
import {
  Api,
  type Backing,
  brokerSettings,
  connected,
  freePort,
  provisionDatabase,
  startBacking,
  startProduct,
  withDatabase,
} from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkInvariants } from '../faults/invariants.ts';
import { Clients } from '../faults/load.ts';
import { operate } from '../operate.ts';
import { makeTenant, partnerAdministrator, startWorld, type Tenant, until, type World } from '../world.ts';
import { contentOf, settingsLike, shapeOf } from './copies.ts';
import { postgresPrograms } from './postgres-programs.ts';

const programs = postgresPrograms();
if (programs === null)
  process.stderr.write('SKIPPED: no directory holds postgres, initdb, pg_dump and pg_restore; nothing was restored\n');

(programs === null ? describe.skip : describe)('a backup under load, restored on other servers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-restore-'));
  const backups = join(directory, 'backups');
  const quiet = join(directory, 'quiet');
  let first: World;
  let second: World;
  let elsewhere: Backing;
  let tenant: Tenant;
  let clients: Clients;
  let agent: Api;
  let partner: Api;
  let done: Command;
  const sessions: { accessToken: string; refreshToken: string }[] = [];
  /** What was acknowledged before the backup began. */
  let owed: Clients['acknowledged'];
  let settings: Record<string, string>;

  beforeAll(async () => {
    process.env['GATEHOUSE_TEST_POSTGRES'] = programs ?? '';
    for (const path of [backups, quiet]) mkdirSync(path);
    const beside = startBacking({ directory: join(directory, 'servers'), ephemeral: true, log: () => undefined });
    [first, elsewhere] = await Promise.all([startWorld({ DRAIN_DELAY_SECONDS: '0' }), beside]);
    settings = settingsLike(first);
    tenant = await makeTenant(first.admin);
    partner = await partnerAdministrator(first, tenant.partnerId);
    clients = new Clients({ ...first, admin: partner }, tenant);
    agent = new Api(first.product.baseUrl, tenant.agentToken);
  }, 240_000);
  afterAll(async () => {
    await second?.product.stop();
    await first?.stop();
    await elsewhere?.stop();
    rmSync(directory, { recursive: true, force: true });
  }, 240_000);

  const owner = (world: World, name: string): string => world.product.endpoints.databases[name]?.owner ?? '';
  const backup = (...words: string[]): ReturnType<typeof operate> =>
    operate(ownersOf(Object.fromEntries(DATABASES.map((name) => [name, owner(first, name)]))), 'backup', ...words);

  it('is taken while agents report and people sign in, and decide, at one point of all databases', async () => {
    const person = await invited(first, tenant.partnerId);
    await asked(clients, partner, tenant);
    done = await carriedOut(agent, tenant);
    const signedIn = async (): Promise<void> => {
      sessions.push(await first.admin.as('').must('POST', '/auth/login', person));
    };
    await clients.during(WRITERS, async () => {
      for (let round = 0; round < ROUNDS; round++) await signedIn();
      await until(async () => clients.acknowledged.approved.size > ROUNDS * WRITERS);
      const { sites, rules, requests, approved } = clients.acknowledged;
      owed = { sites: new Set(sites), rules: new Set(rules), requests: new Set(requests), approved: new Set(approved) };
      expect(await backup('--to', backups)).toMatchObject({ code: 0, output: expect.stringContaining('is whole') });
      const { size } = clients.acknowledged.approved;
      await until(async () => clients.acknowledged.approved.size > size + WRITERS);
    });
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^gatehouse-\d{8}T\d{6}Z$/)]);
  }, 240_000);

  it('is an exact copy of databases that stand still: rows, policies, functions, grants', async () => {
    await first.product.stop();
    expect(await backup('--to', quiet, '--keep', '1')).toMatchObject({ code: 0 });
    const owners = await provisioned(elsewhere.postgres.url, '_copy');
    expect(await operate(ownersOf(owners), 'restore', '--from', quiet)).toMatchObject({ code: 0 });
    for (const name of DATABASES) {
      const [from, to] = [
        withDatabase(first.backing.postgres.url, `gatehouse_${name}`),
        withDatabase(elsewhere.postgres.url, `gatehouse_${name}_copy`),
      ];
      expect({ name, content: await contentOf(to) }).toEqual({ name, content: await contentOf(from) });
      expect(shapeOf(to, programs ?? '')).toEqual(shapeOf(from, programs ?? ''));
    }
    await first.backing.stop();
  }, 240_000);

  it('R-110 is verified by a restoration that leaves nothing, and is refused when its audit log lacks an entry', async () => {
    const { url } = elsewhere.postgres;
    const verify = (...words: string[]): ReturnType<typeof operate> =>
      operate({ PG_PROGRAMS: programs ?? '' }, 'verify-backup', '--from', quiet, '--into', url, ...words);
    const port = await freePort();
    const scrape = async (): Promise<string | null> =>
      (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()) || null;
    const [whole, told] = await Promise.all([verify('--metrics', String(port)), until(scrape, 120)]);
    // It has ended, because its numbers were read.
    expect(told.match(/^gatehouse_backup_(verified_timestamp|taken_timestamp|restore)_seconds \d+$/gm)).toHaveLength(3);
    expect([whole.code, whole.output]).toEqual([0, expect.stringMatching(/audit: [1-9]\d* rows .*restored in \d+ s/s)]);
    process.stdout.write(`restore: ${whole.output.trim().split('\n').at(-1) ?? ''}\n`);

    const copies = Object.fromEntries(DATABASES.map((name) => [name, withDatabase(url, `gatehouse_${name}_copy`)]));
    await connected(copies['audit'] ?? '', async (client) => {
      await client.query('SET session_replication_role = replica');
      await client.query('DELETE FROM audit_entries WHERE sequence = 2');
    });
    expect(await operate(ownersOf(copies), 'backup', '--to', quiet, '--keep', '1')).toMatchObject({ code: 0 });
    expect(await verify()).toMatchObject({ code: 1, output: expect.stringContaining('in the chains ') });
    const left = "SELECT FROM pg_database WHERE datname LIKE '%verified%'";
    expect((await connected(url, (client) => client.query(left))).rowCount).toBe(0);
  }, 240_000);

  it('is restored into empty databases only, and the product starts on them', async () => {
    const owners = await provisioned(elsewhere.postgres.url);
    const restore = () => operate(ownersOf(owners), 'restore', '--from', backups);
    expect(await restore()).toMatchObject({ code: 0, output: expect.stringContaining('restored from') });
    expect(await restore()).toMatchObject({ code: 1, output: expect.stringContaining('not empty: identity, tenancy') });
    const product = await startProduct({
      ...settings,
      DATABASE_ADMIN_URL: elsewhere.postgres.url,
      NATS_URL: elsewhere.nats.url,
      ...brokerSettings(elsewhere.nats.url),
      REDIS_URL: elsewhere.redis.url,
    });
    second = { ...first, product, backing: elsewhere, admin: new Api(product.baseUrl, partner.accessToken) };
  }, 240_000);

  it('holds all that was acknowledged before it began, once, with its audit entries and effects', async () => {
    const again = new Clients(second, tenant);
    for (const kind of ['sites', 'rules', 'requests', 'approved'] as const)
      for (const id of owed[kind]) again.acknowledged[kind].add(id);
    await checkInvariants(second, tenant, again);
  }, 240_000);

  it('lets agents and people go on: tokens, sessions and commands, none of which comes twice', async () => {
    const survivor = new Api(second.product.baseUrl, tenant.agentToken);
    expect((await waiting(survivor, tenant)).map(({ id }) => id)).not.toContain(done.id);
    await asked(new Clients(second, tenant), second.admin, tenant);
    expect((await carriedOut(survivor, tenant)).id).not.toBe(done.id);
    for (const { refreshToken } of sessions) {
      const fresh = await survivor.as('').must<{ accessToken: string }>('POST', '/auth/refresh', { refreshToken });
      expect(await survivor.as(fresh.accessToken).call('GET', '/auth/me')).toMatchObject({ status: 200 });
    }
    const mails = join(second.product.directory, 'mail');
    expect(existsSync(mails) ? readdirSync(mails) : []).toEqual([]);
  }, 240_000);
});

const WRITERS = 3;
const ROUNDS = 5;

interface Person {
  readonly email: string;
  readonly password: string;
}

/** A technician of the partner who signs in with a password alone. */
async function invited({ admin, invitationFor }: World, partnerId: string): Promise<Person> {
  const { data: roles } = await admin.must<{ data: { id: string; name: string }[] }>('GET', '/roles?axis=partner');
  const roleId = roles.find(({ name }) => name === 'Partner Technician')?.id;
  const person = { email: `drill-${randomUUID()}@example.test`, password: `a long passphrase ${randomUUID()}` };
  const membership = { scope: 'partner', partnerId, roleId, orgAccess: 'all' };
  await admin.must('POST', '/users', { email: person.email, name: 'Drill', membership });
  const token = await until(() => invitationFor(person.email));
  await admin.as('').must('POST', '/auth/accept-invite', { token, password: person.password });
  return person;
}

interface Command {
  readonly id: string;
  readonly type: string;
}

/** Asks an agent to carry out an approved elevation. */
async function asked(clients: Clients, partner: Api, { deviceId }: Tenant): Promise<void> {
  const elevationRequestId = await clients.report();
  await clients.approve(elevationRequestId);
  await partner.must('POST', `/devices/${deviceId}/actuate-elevation`, { elevationRequestId });
}

/** The commands that wait for an agent. */
async function waiting(agent: Api, { deviceId }: Tenant): Promise<readonly Command[]> {
  const path = `/agents/${deviceId}/commands?waitSeconds=0`;
  const { commands } = await agent.must<{ commands: Command[] }>('GET', path);
  return commands.filter(({ type }) => type === 'actuate_elevation');
}

/** The first command that comes, carried out. */
async function carriedOut(agent: Api, tenant: Tenant): Promise<Command> {
  const command = await until(async () => (await waiting(agent, tenant))[0] ?? null);
  await agent.must('POST', `/agents/${tenant.deviceId}/commands/${command.id}/result`, { status: 'completed' });
  return command;
}

const ownersOf = (owners: Readonly<Record<string, string>>): Record<string, string> => ({
  PG_PROGRAMS: programs ?? '',
  ...Object.fromEntries(DATABASES.map((name) => [databaseSettings(name).owner, owners[name] ?? ''])),
});

async function provisioned(adminUrl: string, suffix = ''): Promise<Record<string, string>> {
  const owners: Record<string, string> = {};
  for (const name of DATABASES) owners[name] = (await provisionDatabase(adminUrl, name, suffix)).ownerUrl;
  return owners;
}
