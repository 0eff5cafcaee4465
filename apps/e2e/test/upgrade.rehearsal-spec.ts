import { DATABASES, SERVICES } from '@gatehouse/contracts-core';
import { Api, type Backing, brokerUrlOf, startBacking } from '@gatehouse/stack';
import { Fleet, FLEET_SERVICES } from '@gatehouse/testing/fleet';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eachWrittenOnce } from './ledger-rows.ts';
import { MixedLoad } from './mixed-load.ts';
import { operate } from './operate.ts';
import { buildRelease, previousRevision } from '@gatehouse/testing/previous-release';
import { useShippedBroker } from './release-broker.ts';
import { makeTenant, partnerAdministrator, RATE_LIMITS, type Tenant, worldOf, type World } from './world.ts';

const revision = previousRevision();
if (!revision) throw new Error('the history of this checkout does not reach to the version before');

describe('from the version before to this one, under load (docs/upgrading.md)', () => {
  let directory: string;
  let backing: Backing;
  let checkout: string;
  let fleet: Fleet;
  let world: World<Fleet>;
  let tenant: Tenant;
  let load: MixedLoad;
  let repeated = 0;
  let people = 0;
  let others: Promise<unknown>;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'));
    [checkout, backing] = await Promise.all([
      buildRelease(revision),
      startBacking({ directory, ephemeral: true, log: () => undefined }),
    ]);
    await useShippedBroker(backing, directory, checkout);
    const settings = { RATE_LIMITS, ...DRAINING, SECRET_ENCRYPTION_KEY: SHARED_KEY };
    fleet = await Fleet.start({ backing, replicas: 2, lagMs: LAG_MS, settings, checkout, asReleased: true });
    world = await worldOf(fleet, backing, directory);
    tenant = await makeTenant(world.admin);
    load = await MixedLoad.prepare(world, tenant, SLOWNESS);
  }, 600_000);
  afterAll(async () => {
    over.abort();
    await load?.stop();
    await others;
    await world?.stop();
  });

  it('takes load on the version before', async () => {
    load.start();
    others = Promise.all([
      every(REPEATED_EVERY_MS, repeatedWrite),
      every(PEOPLE_EVERY_MS, newPerson),
      every(SIGN_IN_EVERY_MS, signIn),
    ]);
    await wait(5_000);
    expect(noted()).toEqual([]);
  });

  it('gives the broker its accounts, one login for each service', async () => {
    await useShippedBroker(backing, directory, REPOSITORY);
    await wait(5_000);
    expect(noted()).toEqual([]);
  });

  it('migrates', async () => {
    await fleet.migrate({ NATS_ADMIN_URL: backing.nats.url });
    await wait(2_000);
    expect(noted()).toEqual([]);
  }, 300_000);

  it('replaces one replica after the other, each with a login and a key of its own', async () => {
    for (const service of FLEET_SERVICES)
      for (const at of [0, 1]) {
        await restart(service, at, {
          NATS_URL: brokerUrlOf(backing.nats.url, service),
          SECRET_ENCRYPTION_KEY: '',
          SECRET_ENCRYPTION_KEYS: keysOf(service).release,
        });
        await fleet.whole();
      }
    expect(noted()).toEqual([]);
  }, 1_200_000);

  it('seals with the keys of each service alone', async () => {
    await roll((service) => ({ SECRET_ENCRYPTION_KEYS: keysOf(service).ownFirst }));
    const { directory, endpoints } = fleet;
    const addresses = Object.entries(endpoints.services).map(([name, { url }]) => [
      `${name.toUpperCase().replaceAll('-', '_')}_URL`,
      url,
    ]);
    const env = { GATEHOUSE_STACK_DIRECTORY: directory, ...Object.fromEntries(addresses) };
    const resealed = await operate(env, 'reseal');
    expect(resealed).toMatchObject({ code: 0 });
    await roll((service) => ({ SECRET_ENCRYPTION_KEYS: keysOf(service).alone }));
    expect(noted()).toEqual([]);
  }, 2_400_000);

  it('lets each consumer hold only what its service consumes', async () => {
    await fleet.migrate({ NATS_ADMIN_URL: backing.nats.url, NATS_FILTERED_CONSUMERS: 'true' });
    await wait(5_000);
    expect(noted()).toEqual([]);
  });

  it('has lost nothing, and has done nothing twice', async () => {
    over.abort();
    await load.stop();
    await others;
    const { answered, polls, streams } = load;
    const counts = { answered, polls, streams, repeated, people, failed: noted().length };
    process.stderr.write(`upgrade: ${JSON.stringify(counts)}\n`);
    expect(noted()).toEqual([]);
    await eachWrittenOnce(world, load.ledger);
    expect(await world.admin.must('GET', `/audit-logs/verify?chain=${tenant.partnerId}`)).toMatchObject({
      valid: true,
    });
    for (const count of [repeated, people, polls, streams]) expect(count).toBeGreaterThan(5);
  }, 600_000);

  const over = new AbortController();
  const failures: string[] = [];

  /** A careful client gets the first answer again, whichever replica and version it reaches. */
  async function repeatedWrite(): Promise<void> {
    const body = { orgId: tenant.orgId, name: `again ${randomUUID()}` };
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => world.admin.call('POST', '/orgs/sites', body, headers);
    const [first, second] = [await send(), await send()];
    if (first.status !== 201 || second.body['id'] !== first.body['id'])
      throw new Error(`a repeated write: ${JSON.stringify([first.status, second.status, second.body])}`);
    repeated++;
  }

  /** A secret that one version sealed is opened by whichever answers next. */
  async function newPerson(): Promise<void> {
    const api: Api = await partnerAdministrator(world, tenant.partnerId);
    await api.must('GET', '/auth/me');
    people++;
  }

  async function signIn(): Promise<void> {
    Object.assign(world, { admin: await new Api(fleet.baseUrl).signIn(fleet.administrator) });
  }

  async function every(ms: number, act: () => Promise<void>): Promise<void> {
    const { signal } = over;
    const pause = () => wait(ms, undefined, { signal }).catch(() => undefined);
    for (await pause(); !signal.aborted; await pause())
      await act().catch((error: unknown) => failures.push(`${new Date().toISOString()} ${String(error)}`));
  }

  const noted = (): string[] => [...load.failures, ...failures];

  /** Runs every second replica with other settings, then the rest: all services at nearly the same time. */
  async function roll(settings: (service: string) => Settings): Promise<void> {
    for (const at of [0, 1]) {
      await Promise.all(FLEET_SERVICES.map((service, turn) => restartLater(service, at, turn, settings(service))));
      await fleet.whole();
    }
  }

  async function restartLater(service: string, at: number, turn: number, settings: Settings): Promise<void> {
    await wait(turn * STAGGER_MS);
    await restart(service, at, settings);
  }

  async function restart(service: string, at: number, settings: Settings): Promise<void> {
    const replica = fleet.replicasOf(service)[at];
    replica?.reconfigure(settings);
    expect([service, replica && (await fleet.restart(replica))]).toEqual([service, 0]);
  }
});

// Started by hand: node tools/jest.mjs --selectProjects rehearsals --testPathPatterns upgrade

const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const LAG_MS = 3_000;
const DRAINING = { DRAIN_DELAY_SECONDS: '7', DRAIN_TIMEOUT_SECONDS: '8' };
const REPEATED_EVERY_MS = 500;
const PEOPLE_EVERY_MS = 8_000;
/** A machine that is full fails requests without any upgrade. */
const SLOWNESS = 2;
/** An access token lasts a quarter of an hour, an authenticator's code half a minute. */
const SIGN_IN_EVERY_MS = 120_000;
/** The next rollout begins before the previous one has ended, as when a whole release is applied. */
const STAGGER_MS = 2_000;

type Settings = Readonly<Record<string, string>>;

const key = (): string => randomBytes(32).toString('base64');
const SHARED_KEY = key();
const OWN_KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  [...DATABASES, 'gateway'].map((name) => [name, key()]),
);

/** The keys of a service in each step of docs/upgrading.md. */
const keysOf = (service: string) => {
  const entry = SERVICES.find(({ name }) => name === service);
  const own = `k2:${OWN_KEYS[entry?.database ?? service]}`;
  const shared = `k1:${SHARED_KEY}`;
  return { release: `${shared},${own}`, ownFirst: `${own},${shared}`, alone: own };
};
