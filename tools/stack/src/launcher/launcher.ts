import { keepProvisioned } from '@gatehouse/messaging/broker';
import { join } from 'node:path';
import { credentialsOf } from '../credentials.ts';
import { DemoDns } from '../demo/demo-dns.ts';
import { knownReport } from '../demo/demo.ts';
import { programOf, STACK_DIRECTORY, toolProgram, writeWhole } from '../paths.ts';
import { PidDirectory } from '../pid-record.ts';
import { lastingPort } from '../ports.ts';
import { type DatabaseUrls, databaseUrls, givenUrls, migrateDatabase } from '../services/databases.ts';
import { environmentOf, type Facts, isProduction, portsOf, type ServicePorts } from '../services/environment.ts';
import { answers, answersOk, ServiceChild } from '../services/service-child.ts';
import { DATABASES, GATEWAY, type ServiceEntry, SERVICES, UPSTREAMS } from '@gatehouse/contracts-core/services';
import { releaseLock } from '../shared/exclusive-lock.ts';
import { SharedBacking } from '../shared/shared-backing.ts';
import { messageOf } from '../stack-error.ts';
import {
  endLeftoverServices,
  LAUNCHER_LOCK,
  openStackDirectory,
  requireDiskSpace,
  requireGatewayPort,
  requireSoleLauncher,
} from './preconditions.ts';

const KEEP_BACKING_MS = 2_000;
const IDENTITY_PROVIDER = 'dev-idp';

const isDemo = (): boolean => process.env['DEMO'] !== 'false' && !isProduction(process.env);

/** The whole product on this machine, from nothing to ready and back. */
export class Launcher {
  private readonly pids: PidDirectory;
  private readonly children: ServiceChild[] = [];
  private backing: SharedBacking | undefined;
  private nameServer: DemoDns | undefined;
  private keeper: NodeJS.Timeout | undefined;
  private stopping: Promise<void> | undefined;
  private readonly provisioning = new AbortController();

  constructor(private readonly log: (line: string) => void) {
    openStackDirectory();
    this.pids = new PidDirectory(join(STACK_DIRECTORY, 'run', 'services'));
  }

  /**
   * @param made resolves when the programs of the services are there
   * @throws StackError with the one line that says why the product cannot run here
   */
  async start(made?: Promise<void>): Promise<Facts> {
    requireDiskSpace();
    await requireSoleLauncher();
    await endLeftoverServices(this.pids, this.log);
    const gatewayPort = await requireGatewayPort();
    const facts = await this.gather(gatewayPort);
    await made;
    await this.startServices(facts);
    this.log('starting the gateway');
    await this.startService(GATEWAY, facts);
    writeWhole(join(STACK_DIRECTORY, 'endpoints.json'), JSON.stringify(endpointsOf(facts), null, 2));
    return facts;
  }

  /**
   * Drains the gateway, then the services, then stops the backing parts unless another program uses them. Safe to call
   * twice.
   */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    clearInterval(this.keeper);
    const isGateway = ({ name }: ServiceChild): boolean => name === GATEWAY.name;
    await Promise.all(this.children.filter(isGateway).map((child) => child.drain()));
    await Promise.all(this.children.filter((child) => !isGateway(child)).map((child) => child.drain()));
    if (this.children.length > 0) this.log('all services have drained');
    this.provisioning.abort();
    this.nameServer?.stop();
    await this.backing?.release();
    releaseLock(LAUNCHER_LOCK);
  }

  private async gather(gatewayPort: number): Promise<Facts> {
    const databases = DATABASES;
    const backing = new SharedBacking(this.log, databases.every(givenUrls) ? ['postgres'] : []);
    this.backing = backing;
    this.log('starting PostgreSQL, NATS and Redis');
    const urls = await backing.start();
    this.keeper = setInterval(() => backing.keep(), KEEP_BACKING_MS);
    if (urls.nats)
      void keepProvisioned(process.env['NATS_ADMIN_URL'] || urls.nats, {
        end: this.provisioning.signal,
        report: (error) => this.log(`the broker's streams and consumers cannot be made: ${messageOf(error)}`),
      });
    this.log(`preparing the databases of ${databases.join(', ')}`);
    return {
      user: process.env,
      credentials: credentialsOf(STACK_DIRECTORY),
      backing: urls,
      databases: new Map(
        await Promise.all(
          databases.map(async (name): Promise<[string, DatabaseUrls]> => [
            name,
            await databaseUrls(name, urls.postgres),
          ]),
        ),
      ),
      ports: await assignPorts(gatewayPort),
      nameServer: await this.startNameServer(),
      identityProvider: isDemo() ? `127.0.0.1:${await lastingPort(STACK_DIRECTORY, IDENTITY_PROVIDER)}` : undefined,
    };
  }

  /** A service starts as soon as its own database is migrated, without waiting for the others. */
  private async startServices(facts: Facts): Promise<void> {
    this.log('migrating, and starting the services');
    const migrations = new Map([...facts.databases].map(([name, urls]) => [name, migrateDatabase(name, urls)]));
    const starts = UPSTREAMS.map(async (service) => {
      await migrations.get(service.database ?? '');
      await this.startService(service, facts);
    });
    if (facts.identityProvider !== undefined) starts.push(this.startIdentityProvider(facts.identityProvider));
    const failed = (await Promise.allSettled(starts)).find((start) => start.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  private async startService(service: ServiceEntry, facts: Facts): Promise<void> {
    const { admin } = portsOf(facts, service);
    await this.startChild(service.name, programOf(service.name), environmentOf(facts, service), () =>
      answersOk(`http://127.0.0.1:${admin}/health/ready`),
    );
  }

  /** A name server of the user is left alone. */
  private async startNameServer(): Promise<DemoDns | undefined> {
    if (!isDemo() || process.env['DNS_SERVERS']) return undefined;
    this.nameServer = await DemoDns.start(knownReport()?.records ?? {});
    return this.nameServer;
  }

  private async startIdentityProvider(address: string): Promise<void> {
    const env = { ...process.env, DEV_IDP_PORT: address.split(':')[1] };
    await this.startChild(IDENTITY_PROVIDER, toolProgram(IDENTITY_PROVIDER), env, () => answers(`http://${address}/`));
  }

  private async startChild(
    name: string,
    program: string,
    env: NodeJS.ProcessEnv,
    isReady: () => Promise<void>,
  ): Promise<void> {
    if (this.stopping !== undefined) return;
    const child = new ServiceChild({ name, program, env, isReady }, this.pids, this.log);
    this.children.push(child);
    await child.start();
    this.log(`${name} is ready`);
  }
}

async function assignPorts(gatewayPort: number): Promise<Map<string, ServicePorts>> {
  const ports = new Map<string, ServicePorts>();
  for (const { name } of SERVICES) {
    const http = name === GATEWAY.name ? gatewayPort : await lastingPort(STACK_DIRECTORY, name);
    ports.set(name, { http, admin: await lastingPort(STACK_DIRECTORY, `${name}-admin`) });
  }
  return ports;
}

/** Addresses of all parts, for the demo, the benchmarks and developers. */
function endpointsOf(facts: Facts): object {
  const services = [...facts.ports].map(([name, { http, admin }]) => [
    name,
    { url: `http://127.0.0.1:${http}`, adminUrl: `http://127.0.0.1:${admin}` },
  ]);
  return {
    services: Object.fromEntries(services),
    backing: facts.backing,
    databases: Object.fromEntries(facts.databases),
    identityProvider: facts.identityProvider,
  };
}
