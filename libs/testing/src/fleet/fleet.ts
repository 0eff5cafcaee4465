import {
  DATABASES,
  databaseSettings,
  GATEWAY,
  SERVICE_NAMES,
  type ServiceEntry,
  SERVICES,
} from '@gatehouse/contracts-core';
import {
  credentialsOf,
  environmentOf,
  type Backing,
  type Facts,
  freePort,
  migrateDatabase,
  programOf,
  provisionDatabase,
  type RunningProduct,
  type ServicePorts,
} from '@gatehouse/stack';
import { provisionBroker } from '@gatehouse/messaging/broker';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ordinaryAdministrator } from '../pooler/ordinary-administrator.ts';
import { Balancer } from './balancer.ts';
import { Replica } from './replica.ts';

const WHOLE_MS = 60_000;
const POLL_MS = 50;
const execute = promisify(execFile);

export const FLEET_SERVICES: readonly string[] = SERVICE_NAMES;

export interface FleetOptions {
  readonly backing: Backing;
  /** The number of replicas of each service. */
  readonly replicas: number;
  /** The time, in milliseconds, for which a balancer still sends connections to a replica that is no longer ready. */
  readonly lagMs: number;
  /** The environment of every process. */
  readonly settings?: Settings;
  /** The checkout whose built services run first; this checkout always migrates the databases. */
  readonly checkout?: string;
  /** Whether the services of the checkout themselves make what they need at the broker. */
  readonly asReleased?: boolean;
}

type Settings = Readonly<Record<string, string>>;

const programIn = (checkout: string | undefined, service: string): string =>
  checkout === undefined ? programOf(service, 'main') : join(checkout, 'apps', service, 'dist/main.js');

interface Addresses {
  readonly app: string;
  readonly owner: string;
}

async function provisioned(service: string, { backing }: FleetOptions): Promise<Addresses> {
  const { appUrl, ownerUrl } = await provisionDatabase(await ordinaryAdministrator(backing.postgres.url), service);
  return { app: appUrl, owner: ownerUrl };
}

async function migrate(program: string, service: string, { app, owner }: Addresses, more: Settings): Promise<void> {
  const names = databaseSettings(service);
  const env = { ...process.env, NODE_OPTIONS: '', [names.app]: app, [names.owner]: owner, ...more };
  await execute(process.execPath, [program], { env });
}

/** The built product with several replicas of each service, each service behind a balancer of its own. */
export class Fleet implements RunningProduct {
  private constructor(
    readonly directory: string,
    private readonly facts: Facts,
    readonly balancers: ReadonlyMap<string, Balancer>,
    private readonly members: ReadonlyMap<string, readonly Replica[]>,
  ) {}

  static async start(options: FleetOptions): Promise<Fleet> {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-fleet-'));
    const facts = await factsOf(directory, options);
    const entries = SERVICES;
    const members = new Map<string, readonly Replica[]>();
    for (const entry of entries) members.set(entry.name, await planReplicas(entry, facts, directory, options));
    const balancers = new Map<string, Balancer>();
    for (const { name } of entries)
      balancers.set(
        name,
        await Balancer.start(facts.ports.get(name)?.http ?? 0, members.get(name) ?? [], options.lagMs),
      );
    const fleet = new Fleet(directory, facts, balancers, members);
    try {
      await Promise.all([...members.values()].flat().map((replica) => replica.start()));
      await fleet.whole();
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  get baseUrl(): string {
    return this.balancers.get(GATEWAY.name)?.url ?? '';
  }

  get endpoints(): RunningProduct['endpoints'] {
    const { postgres = '', nats = '', redis = '' } = this.facts.backing;
    const databases = [...this.facts.databases].map(([name, { app, owner = '' }]) => [name, { app, owner }]);
    const services = [...this.facts.ports].map(([name, { http, admin }]) => [
      name,
      { url: `http://127.0.0.1:${http}`, adminUrl: `http://127.0.0.1:${admin}` },
    ]);
    return {
      services: Object.fromEntries(services),
      databases: Object.fromEntries(databases),
      backing: { postgres, nats, redis },
    };
  }

  get administrator(): RunningProduct['administrator'] {
    const { adminPassword: password, adminTotpSecret: totpSecret } = this.facts.credentials;
    return { email: 'admin@gatehouse.example', password, totpSecret };
  }

  get internalIdentityKey(): string {
    return JSON.stringify(this.facts.credentials.internalIdentityKey);
  }

  replicasOf(service: string): readonly Replica[] {
    return this.members.get(service) ?? [];
  }

  balancerOf(service: string): Balancer {
    const balancer = this.balancers.get(service);
    if (!balancer) throw new Error(`there is no service ${service}`);
    return balancer;
  }

  pidOf(service: string): number {
    const [first] = this.replicasOf(service);
    if (!first) throw new Error(`there is no service ${service}`);
    return first.pid;
  }

  pidsOf(service: string): readonly number[] {
    return this.replicasOf(service).map(({ pid }) => pid);
  }

  /** Resolves when every balancer sends connections to all of its replicas. */
  async whole(): Promise<void> {
    const isWhole = (): boolean =>
      [...this.balancers].every(([name, { listed }]) => listed.length === this.replicasOf(name).length);
    for (const deadline = Date.now() + WHOLE_MS; !isWhole(); await wait(POLL_MS)) {
      if (Date.now() > deadline) throw new Error(`replicas are missing after ${WHOLE_MS / 1000} s`);
    }
  }

  /** Runs the migrations of this checkout, as its jobs do. @param settings of the jobs */
  async migrate(settings: Settings): Promise<void> {
    for (const [name, { app, owner = '' }] of this.facts.databases)
      await migrate(programOf(name, 'migrate'), name, { app, owner }, settings);
  }

  /** Ends one replica as a rollout does, and starts it again. @returns its exit code */
  async restart(replica: Replica, checkout?: string): Promise<number | null> {
    const code = await replica.drain();
    await replica.start(programIn(checkout, replica.name));
    return code;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.members.values()].flat().map((replica) => replica.kill()));
    await Promise.all([...this.balancers.values()].map((balancer) => balancer.stop()));
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Uses the balancers' ports, as the gateway and clients do. */
async function factsOf(directory: string, options: FleetOptions): Promise<Facts> {
  const { backing, settings, checkout, asReleased = false } = options;
  if (!asReleased) await provisionBroker(backing.nats.url, { filtered: checkout === undefined });
  const names = DATABASES;
  const databases = await Promise.all(
    names.map(async (name) => {
      const addresses = await provisioned(name, options);
      await migrateDatabase(name, addresses);
      return [name, addresses] as const;
    }),
  );
  const ports = new Map<string, ServicePorts>();
  for (const name of FLEET_SERVICES) ports.set(name, { http: await freePort(), admin: await freePort() });
  // The previous release may log in only as the administrator, until the rollout is over.
  const logins = checkout === undefined ? {} : { NATS_URL: backing.nats.url };
  const user = {
    ...process.env,
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: '',
    PUBLIC_URL: `http://127.0.0.1:${ports.get(GATEWAY.name)?.http}`,
    MAIL_DIR: join(directory, 'mail'),
    ...logins,
    ...settings,
  };
  for (const name of ['mail', 'logs']) mkdirSync(join(directory, name));
  const urls = { postgres: backing.postgres.url, nats: backing.nats.url, redis: backing.redis.url };
  return { user, credentials: credentialsOf(directory), backing: urls, databases: new Map(databases), ports };
}

async function planReplicas(
  entry: ServiceEntry,
  facts: Facts,
  directory: string,
  { replicas, checkout }: FleetOptions,
): Promise<Replica[]> {
  const planned: Replica[] = [];
  for (let at = 0; at < replicas; at++) {
    const [port, adminPort] = [await freePort(), await freePort()];
    const env = environmentOf(facts, entry);
    const own = {
      ...env,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      ...(entry.name === GATEWAY.name && { GATEWAY_PORT: String(port) }),
    };
    planned.push(
      new Replica({
        name: entry.name,
        program: programIn(checkout, entry.name),
        env: own,
        port,
        adminPort,
        logFile: join(directory, 'logs', `${entry.name}-${at}.log`),
      }),
    );
  }
  return planned;
}
