import { keepProvisioned } from '@gatehouse/messaging/broker';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { credentialsOf } from './credentials.ts';
import { openStackDirectory } from './launcher/preconditions.ts';
import { REPOSITORY, STACK_DIRECTORY } from './paths.ts';
import { endProgram, PidDirectory, recordOf } from './pid-record.ts';
import { buildMark, databaseUrls, givenUrls, migrateDatabase, projectsOf } from './services/databases.ts';
import { environmentOf, type Facts, type ServicePorts } from './services/environment.ts';
import { answersOk, ServiceChild } from './services/service-child.ts';
import { databasesOf, type ServiceEntry, SERVICES } from '@gatehouse/contracts-core/services';
import { SharedBacking } from './shared/shared-backing.ts';
import { messageOf, StackError } from './stack-error.ts';

const POLL_MS = 300;
const ADMIN_OFFSET = 100;
const GRACE_MS = 5_000;

const log = (line: string): boolean => process.stdout.write(`· ${line}\n`);

function serviceNamed(name: string | undefined): ServiceEntry {
  const all = SERVICES;
  const found = all.find((service) => service.name === name);
  if (found === undefined)
    throw new StackError(
      `there is no service "${name ?? ''}"; choose one of ${all.map((service) => service.name).join(', ')}`,
    );
  return found;
}

/** Each service has fixed ports, so that several that are served at the same time find each other. */
function servePorts(served: ServiceEntry): Map<string, ServicePorts> {
  const portOf = (service: ServiceEntry): number =>
    (service === served && Number(process.env['PORT'])) || service.servePort;
  return new Map(
    SERVICES.map((service) => [service.name, { http: portOf(service), admin: portOf(service) + ADMIN_OFFSET }]),
  );
}

/** One service with its backing parts, rebuilt and restarted when its sources change. */
class Server {
  private readonly pids = new PidDirectory(join(STACK_DIRECTORY, 'run', 'served'));
  private readonly backing: SharedBacking;
  private child: ServiceChild | undefined;
  private compiler: ChildProcess | undefined;
  private watcher: NodeJS.Timeout | undefined;
  private readonly provisioning = new AbortController();

  constructor(private readonly service: ServiceEntry) {
    this.backing = new SharedBacking(log, databasesOf([service]).every(givenUrls) ? ['postgres'] : []);
  }

  async start(): Promise<void> {
    await this.endLeftovers();
    const facts = await this.gather();
    for (const [name, urls] of facts.databases) await migrateDatabase(name, urls);
    const { http = 0, admin = 0 } = facts.ports.get(this.service.name) ?? {};
    const program = join(REPOSITORY, 'apps', this.service.name, 'dist/main.js');
    const isReady = (): Promise<void> => answersOk(`http://127.0.0.1:${admin}/health/ready`);
    this.child = new ServiceChild(
      { name: this.service.name, program, env: environmentOf(facts, this.service), mayEnd: true, isReady },
      this.pids,
      log,
    );
    await this.child.start();
    this.watch(this.child);
    log(
      `${this.service.name} serves http://127.0.0.1:${http} (health and metrics: ${admin}); a change in its sources restarts it`,
    );
  }

  async stop(): Promise<void> {
    clearInterval(this.watcher);
    // The compiler's wrapper passes no signal on to the compiler: end its whole group.
    if (this.compiler?.pid !== undefined && this.compiler.exitCode === null)
      process.kill(-this.compiler.pid, 'SIGTERM');
    this.pids.remove(this.compilerName);
    await this.child?.drain();
    this.provisioning.abort();
    await this.backing.release();
  }

  private get compilerName(): string {
    return `${this.service.name}-compiler`;
  }

  private async endLeftovers(): Promise<void> {
    for (const name of [this.service.name, this.compilerName]) {
      const record = this.pids.read(name);
      if (record !== undefined) await endProgram(record, 'SIGTERM', GRACE_MS);
    }
  }

  private async gather(): Promise<Facts> {
    const backing = await this.backing.start();
    if (backing.nats)
      void keepProvisioned(process.env['NATS_ADMIN_URL'] || backing.nats, {
        end: this.provisioning.signal,
        report: (error) => log(`the broker's streams and consumers cannot be made: ${messageOf(error)}`),
      });
    const names = databasesOf([this.service]);
    const databases = await Promise.all(
      names.map(async (name) => [name, await databaseUrls(name, backing.postgres)] as const),
    );
    return {
      user: process.env,
      credentials: credentialsOf(STACK_DIRECTORY),
      backing,
      databases: new Map(databases),
      ports: servePorts(this.service),
    };
  }

  private watch(child: ServiceChild): void {
    const directory = join(REPOSITORY, 'apps', this.service.name);
    const projects = projectsOf(this.service.name);
    this.compiler = spawn(
      process.execPath,
      [
        join(REPOSITORY, 'node_modules/typescript7/bin/tsc'),
        '-b',
        directory,
        '--watch',
        '--preserveWatchOutput',
        '--pretty',
        'false',
      ],
      { stdio: 'inherit', detached: true },
    );
    const record = this.compiler.pid === undefined ? undefined : recordOf(this.compiler.pid);
    if (record !== undefined) this.pids.write(this.compilerName, record);
    let mark = buildMark(projects);
    let replaced = mark;
    // Restarts once the output has been the same for one beat: a build writes many projects.
    this.watcher = setInterval(() => {
      this.backing.keep();
      const now = buildMark(projects);
      if (now === mark && now !== replaced) {
        replaced = now;
        log(`${child.name} was rebuilt; restarting it`);
        void child.replace();
      }
      mark = now;
    }, POLL_MS);
  }
}

async function main(): Promise<void> {
  openStackDirectory();
  const server = new Server(serviceNamed(process.argv[2]));
  let told = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (told) return;
      told = true;
      void server.stop().then(() => process.exit(0));
    });
  }
  try {
    await server.start();
  } catch (error) {
    if (told) return;
    await server.stop();
    throw error;
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`\ncannot serve: ${error instanceof StackError ? error.message : messageOf(error)}\n`);
  process.exit(1);
}
