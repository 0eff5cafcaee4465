import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { REPOSITORY, STACK_DIRECTORY } from '../paths.ts';
import { endProgram, type PidDirectory, recordOf } from '../pid-record.ts';
import { StackError } from '../stack-error.ts';
import { Lines, LogView } from './log-view.ts';

export interface ChildPlan {
  readonly name: string;
  /** The built program. */
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  /** A developer stops it on purpose; only a crash restarts it. */
  readonly mayEnd?: boolean;
  /** Resolves when it serves; rejects while it does not. */
  isReady(): Promise<void>;
}

const READY_MS = 60_000;
const POLL_MS = 50;
const DRAIN_MS = 15_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;
/** After this time without a crash, the delay before a restart is short again. */
const STEADY_MS = 30_000;

/**
 * The same flags as in the images, unless GATEHOUSE_NODE_OPTIONS names others. A large young generation lets most
 * objects of a request die before the collector copies them. Pretenuring is off: it would place objects in the old
 * generation by a guess from the first seconds, and keep them until a full collection.
 */
export const SERVICE_FLAGS = (
  process.env['GATEHOUSE_NODE_OPTIONS'] || '--max-semi-space-size=32 --no-allocation-site-pretenuring'
).split(' ');

/** A program of the product as our child: its log shown, restarted when it crashes, drained when we end. */
export class ServiceChild {
  private child: ChildProcess | undefined;
  private readonly view: LogView;
  private ending = false;
  private supervised = false;
  private backoff = FIRST_BACKOFF_MS;
  private launchedAt = 0;

  constructor(
    private readonly plan: ChildPlan,
    private readonly pids: PidDirectory,
    private readonly log: (line: string) => void,
  ) {
    this.view = new LogView(plan.name, STACK_DIRECTORY);
  }

  get name(): string {
    return this.plan.name;
  }

  /**
   * Starts it and waits until it is ready; from then on a crash restarts it.
   * @throws StackError with the program's last words when it ends before
   */
  async start(): Promise<void> {
    if (!existsSync(this.plan.program))
      throw new StackError(`${this.name} is not built: ${this.plan.program} is missing`);
    this.launch();
    const deadline = Date.now() + READY_MS;
    while (
      !(await this.plan.isReady().then(
        () => true,
        () => false,
      ))
    ) {
      if (this.ending) return;
      if (!this.isRunning())
        throw new StackError(this.view.lastComplaint || `${this.name} ended while it was starting`);
      if (Date.now() > deadline)
        throw new StackError(`${this.name} is not ready after ${READY_MS / 1000} s (see .stack/logs/${this.name}.log)`);
      await pause(POLL_MS);
    }
    this.supervised = true;
  }

  /** Lets it finish what it is doing, then ends it. */
  async drain(): Promise<void> {
    this.ending = true;
    const record = this.child?.pid === undefined ? undefined : recordOf(this.child.pid);
    if (record !== undefined && this.isRunning()) await endProgram(record, 'SIGTERM', DRAIN_MS);
    this.pids.remove(this.name);
  }

  /** Ends the running program cleanly and starts the newly built one. */
  async replace(): Promise<void> {
    this.supervised = false;
    await this.drain();
    this.ending = false;
    this.launch();
    this.supervised = true;
  }

  private isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  private launch(): void {
    const { name, program, env } = this.plan;
    // A separate session: Ctrl-C in the terminal reaches only the launcher, which stops the services in order.
    const child = spawn(process.execPath, [...SERVICE_FLAGS, program], {
      cwd: REPOSITORY,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      const lines = new Lines((line) => this.view.write(line));
      stream.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
    }
    this.child = child;
    this.launchedAt = Date.now();
    const record = child.pid === undefined ? undefined : recordOf(child.pid);
    if (record !== undefined) this.pids.write(name, record);
    void this.watch(child);
  }

  private async watch(child: ChildProcess): Promise<void> {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (!this.shouldRestart(child, code)) return;
    if (Date.now() - this.launchedAt > STEADY_MS) this.backoff = FIRST_BACKOFF_MS;
    this.log(
      `${this.name} has ended (${signal ?? `exit code ${code}`}); starting it again in ${this.backoff / 1000} s`,
    );
    await pause(this.backoff);
    this.backoff = Math.min(this.backoff * 2, MAX_BACKOFF_MS);
    if (this.shouldRestart(child, code)) this.launch();
  }

  private shouldRestart(child: ChildProcess, code: number | null): boolean {
    if (this.ending || !this.supervised || child !== this.child) return false;
    return !(this.plan.mayEnd && code === 0);
  }
}

const TIMEOUT_MS = 1_000;

/** Rejects unless the address answers 2xx. */
export async function answersOk(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}

/** Rejects unless the address answers at all. */
export async function answers(url: string): Promise<void> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
}
