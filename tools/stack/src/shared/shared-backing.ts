import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ALL_PARTS, givenUrl, URL_SETTINGS } from '../backing.ts';
import { credentialsOf } from '../credentials.ts';
import type { Part } from '../parts/running-part.ts';
import { STACK_DIRECTORY } from '../paths.ts';
import { isAlive, type PidRecord, recordOf, waitUntilGone } from '../pid-record.ts';
import { StackError } from '../stack-error.ts';
import { type HostState, readHostState } from './host-state.ts';

const POLL_MS = 40;
/** A first start may download servers. */
const READY_MS = 180_000;
const RESPAWN_MS = 3_000;
const STOP_MS = 60_000;
/** How the services allocate memory (`tools/launch.mjs`); servers keep the blocks that they will need again. */
const OF_SERVICES = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_'];
const HOST_PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'backing-host.js');

export type BackingUrls = Readonly<Record<Part, string>>;

/** The parts of one checkout, shared by all of its programs: taken with `start`, given back with `release`. */
export class SharedBacking {
  private readonly leases = new Leases(STACK_DIRECTORY);
  private readonly logFile = join(STACK_DIRECTORY, 'logs', 'backing.log');
  private readonly own: readonly Part[];
  private told = 0;
  private spawnedAt = -Infinity;

  /** Parts that the environment names are not started. `without` leaves out parts that are not needed. */
  constructor(
    private readonly log: (line: string) => void,
    without: readonly Part[] = [],
  ) {
    this.own = ALL_PARTS.filter((part) => !process.env[URL_SETTINGS[part]] && !without.includes(part));
  }

  /**
   * Waits until every part answers.
   * @throws StackError with one line for a part that cannot be started
   */
  async start(): Promise<Partial<BackingUrls>> {
    mkdirSync(dirname(this.logFile), { recursive: true, mode: 0o700 });
    credentialsOf(STACK_DIRECTORY);
    this.told = existsSync(this.logFile) ? statSync(this.logFile).size : 0;
    const given = Object.fromEntries(ALL_PARTS.map((part) => [part, givenUrl(part)]).filter(([, url]) => url));
    if (this.own.length === 0) return given;
    this.leases.take(this.own);
    return { ...given, ...(await this.untilServed()) };
  }

  /** Starts the parts again, on the same ports, if their host was killed. Called periodically. */
  keep(): void {
    this.tell();
    const host = readHostState(STACK_DIRECTORY);
    if (this.own.length > 0 && (host === undefined || !isAlive(host))) this.spawnHost();
  }

  /** Releases the parts and, if no other process uses them, waits until they have stopped. */
  async release(): Promise<void> {
    this.leases.giveBack();
    const host = readHostState(STACK_DIRECTORY);
    if (host === undefined || this.leases.wanted().size > 0) return;
    if (!(await waitUntilGone(host, STOP_MS))) this.log(`the backing parts have not stopped yet (see ${this.logFile})`);
    this.tell();
  }

  private async untilServed(): Promise<HostState['urls']> {
    const began = Date.now();
    while (Date.now() < began + READY_MS) {
      const host = readHostState(STACK_DIRECTORY);
      this.tell();
      if (host?.phase === 'failed' && host.since >= began)
        throw new StackError(host.failure ?? 'the backing parts do not start');
      if (host === undefined || !isAlive(host)) this.spawnHost();
      else if (this.isServedBy(host)) return host.urls;
      await pause(POLL_MS);
    }
    throw new StackError(`the backing parts are not ready after ${READY_MS / 1000} s (see ${this.logFile})`);
  }

  private isServedBy({ phase, urls }: HostState): boolean {
    return phase === 'serving' && this.own.every((part) => urls[part]);
  }

  private spawnHost(): void {
    if (Date.now() < this.spawnedAt + RESPAWN_MS) return;
    this.spawnedAt = Date.now();
    // Servers that the environment names are used by this program alone; the host runs the checkout's own for all
    // programs.
    const withheld = [...Object.values(URL_SETTINGS), ...OF_SERVICES].map((name) => [name, undefined]);
    const env = { ...process.env, ...Object.fromEntries(withheld) };
    const log = openSync(this.logFile, 'a', 0o600);
    // Started through a shell that ends at once: nx signals every descendant of a program that it stops, so the host
    // must not be a descendant of ours.
    const shell = spawn('/bin/sh', ['-c', '"$0" "$1" &', process.execPath, HOST_PROGRAM], {
      cwd: STACK_DIRECTORY,
      env,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    shell.unref();
  }

  /** Passes on what the host has logged since the last time. */
  private tell(): void {
    if (!existsSync(this.logFile)) return;
    const content = readFileSync(this.logFile);
    const fresh = content.subarray(this.told).toString('utf8');
    const end = fresh.lastIndexOf('\n') + 1;
    this.told += Buffer.byteLength(fresh.slice(0, end));
    for (const line of fresh.slice(0, end).split('\n').filter(Boolean)) this.log(line);
  }
}

interface Lease extends PidRecord {
  readonly parts: readonly Part[];
}

/** The leases on the shared parts: one file for each program, void once the program has ended. */
export class Leases {
  private readonly directory: string;

  constructor(stack: string) {
    this.directory = join(stack, 'run', 'leases');
    mkdirSync(this.directory, { recursive: true });
  }

  take(parts: readonly Part[]): void {
    writeFileSync(this.own, JSON.stringify({ ...recordOf(process.pid), parts }));
  }

  giveBack(): void {
    rmSync(this.own, { force: true });
  }

  /** The parts that a living program uses. */
  wanted(): Set<Part> {
    const living = readdirSync(this.directory)
      .map((file) => this.read(join(this.directory, file)))
      .filter((lease) => lease !== undefined);
    return new Set(living.flatMap(({ parts }) => parts));
  }

  private get own(): string {
    return join(this.directory, `${process.pid}.json`);
  }

  private read(file: string): Lease | undefined {
    try {
      const lease = JSON.parse(readFileSync(file, 'utf8')) as Lease;
      if (isAlive(lease)) return lease;
      rmSync(file, { force: true });
      return undefined;
    } catch {
      // The file is being written or removed at this moment.
      return undefined;
    }
  }
}
