import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { credentialsOf } from './credentials.ts';
import {
  type Backing,
  ExternalPart,
  type Part,
  type PartSettings,
  type RunningPart,
  type ServerCertificate,
} from './parts/running-part.ts';
import { planNats } from './parts/nats.ts';
import { OwnPart, type OwnPartPlan } from './parts/own-part.ts';
import { planPostgres } from './parts/postgres.ts';
import { planRedis } from './parts/redis.ts';
import { endProgram, PidDirectory, recordOf } from './pid-record.ts';
import { StackError } from './stack-error.ts';

export interface BackingOptions {
  /** Data, credentials and logs live here; it is made when missing. */
  readonly directory: string;
  log(line: string): void;
  /** For tests: nothing is forced to disk, and `stop` removes the data. */
  readonly ephemeral?: boolean;
  /** Only these parts; all three when omitted. */
  readonly only?: readonly Part[];
  /** For tests: the servers present this certificate. */
  readonly tls?: ServerCertificate;
}

/** The setting that names a server to use instead of our own. */
export const URL_SETTINGS: Readonly<Record<Part, string>> = {
  postgres: 'DATABASE_ADMIN_URL',
  nats: 'NATS_URL',
  redis: 'REDIS_URL',
};

const ADDRESSES: Readonly<Record<Part, RegExp>> = {
  postgres: /^postgres(?:ql)?:\/\/./,
  nats: /^(?:nats|tls):\/\/./,
  redis: /^rediss?:\/\/./,
};

export const ALL_PARTS: readonly Part[] = ['postgres', 'nats', 'redis'];

function plan(part: Part, settings: PartSettings): Promise<OwnPartPlan> {
  const { postgresPassword, natsPassword, redisPassword } = credentialsOf(settings.directory);
  if (part === 'postgres') return planPostgres(settings, postgresPassword);
  return part === 'nats' ? planNats(settings, natsPassword) : planRedis(settings, redisPassword);
}

const STARTER = 'starter';
const LEFTOVER_GRACE_MS = 15_000;
/** A younger directory may belong to a run that has not written its record yet. */
const ABANDONED_AFTER_MS = 10_000;

/**
 * Stops the server of a run that was killed, because it holds the port and the data. All three servers stop cleanly on
 * SIGINT.
 */
async function endLeftover(pids: PidDirectory, name: string): Promise<void> {
  const leftover = pids.read(name);
  if (leftover !== undefined) await endProgram(leftover, 'SIGINT', LEFTOVER_GRACE_MS);
}

/**
 * The address of a server that the environment names, if it names one.
 * @throws StackError that names the setting of an address that is none
 */
export function givenUrl(part: Part): string | undefined {
  const setting = URL_SETTINGS[part];
  const url = process.env[setting] || undefined;
  if (url && !ADDRESSES[part].test(url)) throw new StackError(`${setting} must be a ${part}:// address`);
  return url;
}

/** Starts one part, or takes the server that the environment names. Its record lies in `<directory>/run`. */
export async function startPart(part: Part, settings: PartSettings): Promise<RunningPart> {
  const url = givenUrl(part);
  if (url) return new ExternalPart(url, URL_SETTINGS[part]);
  const logs = join(settings.directory, 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const pids = new PidDirectory(join(settings.directory, 'run'));
  await endLeftover(pids, part);
  const running = new OwnPart(await plan(part, settings), pids, logs);
  await running.start();
  return running;
}

function isOldAndOurs(directory: string): boolean {
  const entry = statSync(directory, { throwIfNoEntry: false });
  return entry !== undefined && entry.uid === process.getuid?.() && Date.now() - entry.mtimeMs > ABANDONED_AFTER_MS;
}

/** Removes the directories `<parent>/<prefix>*` of runs that were killed, after stopping their servers. */
export async function sweepAbandoned(parent: string, prefix: string): Promise<void> {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    const directory = join(parent, name);
    if (!isOldAndOurs(directory)) continue;
    const pids = new PidDirectory(join(directory, 'run'));
    const living = pids.living();
    if (living.includes(STARTER)) continue;
    for (const part of living) await endLeftover(pids, part);
    rmSync(directory, { recursive: true, force: true });
  }
}

class Parts implements Backing {
  constructor(
    private readonly running: ReadonlyMap<Part, RunningPart>,
    private readonly afterStop: () => void,
  ) {}

  get postgres(): RunningPart {
    return this.part('postgres');
  }

  get nats(): RunningPart {
    return this.part('nats');
  }

  get redis(): RunningPart {
    return this.part('redis');
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((part) => part.stop()));
    this.afterStop();
  }

  private part(name: Part): RunningPart {
    const part = this.running.get(name);
    if (part === undefined) throw new Error(`${name} was not asked for`);
    return part;
  }
}

/**
 * Starts PostgreSQL, NATS with JetStream and Redis on free ports of 127.0.0.1, with passwords, and waits until each
 * answers.
 * @throws StackError in one line when a server cannot be found or started; then none is left running
 */
export async function startBacking({
  directory,
  log,
  ephemeral = false,
  only = ALL_PARTS,
  tls,
}: BackingOptions): Promise<Backing> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  credentialsOf(directory);
  const starter = recordOf(process.pid);
  if (starter !== undefined) new PidDirectory(join(directory, 'run')).write(STARTER, starter);
  const running = new Map<Part, RunningPart>();
  const backing = new Parts(running, () => {
    if (ephemeral) for (const part of only) rmSync(join(directory, part), { recursive: true, force: true });
  });
  const starts = only.map(async (part) => {
    running.set(part, await startPart(part, { directory, ephemeral, log, tls }));
    log(`${part} is ready`);
  });
  const failed = (await Promise.allSettled(starts)).find((start) => start.status === 'rejected');
  if (failed === undefined) return backing;
  await backing.stop();
  throw failed.reason;
}
