import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PidDirectory } from '../pid-record.ts';
import { endProgram, recordOf } from '../pid-record.ts';
import { messageOf, StackError } from '../stack-error.ts';
import type { RunningPart } from './running-part.ts';

/** How one server is run. */
export interface OwnPartPlan {
  readonly name: string;
  readonly url: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly account?: { readonly uid: number; readonly gid: number };
  readonly stopSignal: NodeJS.Signals;
  /** Resolves if the server answers a real request, and rejects otherwise. */
  answers(): Promise<void>;
}

const READY_MS = 60_000;
const STOP_MS = 20_000;
const POLL_MS = 30;
/** A killed server may hold its lock until the system has released it. */
const LAUNCHES = 15;
const RELAUNCH_MS = 300;
const PAUSING_SIGNALS: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];

/** A server of ours, as a child process in a separate session, so that Ctrl-C in a terminal does not reach it. */
export class OwnPart implements RunningPart {
  private child: ChildProcess | undefined;
  private readonly logFile: string;

  constructor(
    private readonly plan: OwnPartPlan,
    private readonly pids: PidDirectory,
    logs: string,
  ) {
    this.logFile = join(logs, `${plan.name}.log`);
  }

  get url(): string {
    return this.plan.url;
  }

  get pid(): number | undefined {
    return this.isRunning() ? this.child?.pid : undefined;
  }

  async start(): Promise<void> {
    for (let launch = 1; !this.isRunning(); launch += 1) {
      this.launch();
      if (await this.becomesReady()) return;
      if (launch === LAUNCHES)
        throw new StackError(`${this.plan.name} does not start: ${this.lastLogLine()} (see ${this.logFile})`);
      await pause(RELAUNCH_MS);
    }
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child?.pid !== undefined && this.isRunning()) {
      child.ref();
      // Until node handles the end, the server counts as running, and an immediate start would have no effect.
      const heard = once(child, 'exit');
      const record = recordOf(child.pid);
      if (record !== undefined) await endProgram(record, this.plan.stopSignal, STOP_MS);
      await heard;
    }
    this.pids.remove(this.plan.name);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    if (child === undefined || !this.isRunning()) return;
    child.ref();
    const gone = once(child, 'exit');
    child.kill(signal);
    if (!PAUSING_SIGNALS.includes(signal)) await gone;
  }

  private isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  private launch(): void {
    const { name, program, args, cwd, env, account } = this.plan;
    const log = openSync(this.logFile, 'a', 0o600);
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      ...account,
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    // A program that cannot be run is treated like one that ended with an error. Without a listener the error would end
    // this process.
    child.once('error', () => undefined);
    child.unref();
    this.child = child;
    const record = child.pid === undefined ? undefined : recordOf(child.pid);
    if (record !== undefined) this.pids.write(name, record);
  }

  /** False when the server ended before it answered. */
  private async becomesReady(): Promise<boolean> {
    const deadline = Date.now() + READY_MS;
    for (;;) {
      if (!this.isRunning() || this.child?.pid === undefined) return false;
      const failure = await this.plan.answers().then(() => undefined, messageOf);
      if (failure === undefined) return this.isRunning();
      if (Date.now() > deadline)
        throw new StackError(`${this.plan.name} runs but does not answer: ${failure} (see ${this.logFile})`);
      await pause(POLL_MS);
    }
  }

  private lastLogLine(): string {
    return readFileSync(this.logFile, 'utf8').trim().split('\n').at(-1) || 'it ended without a word';
  }
}
