import { SERVICE_FLAGS } from '@gatehouse/stack';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const READY_MS = 240_000;
const POLL_MS = 100;

export interface ReplicaPlan {
  readonly name: string;
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  readonly port: number;
  readonly adminPort: number;
  /** The file that receives its standard output and error. */
  readonly logFile: string;
}

/** One process of one service, which a test may end, freeze and start again on its ports. */
export class Replica {
  private child: ChildProcess | undefined;
  private ended: Promise<number | null> = Promise.resolve(null);

  constructor(private plan: ReplicaPlan) {}

  get name(): string {
    return this.plan.name;
  }

  get port(): number {
    return this.plan.port;
  }

  get adminPort(): number {
    return this.plan.adminPort;
  }

  get pid(): number {
    if (this.child?.pid === undefined) throw new Error(`${this.name} does not run`);
    return this.child.pid;
  }

  /** @param program another build of the same service, used from now on */
  async start(program = this.plan.program): Promise<void> {
    this.plan = { ...this.plan, program };
    const log = openSync(this.plan.logFile, 'a');
    const child = spawn(process.execPath, [...SERVICE_FLAGS, program], {
      env: this.plan.env,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.child = child;
    this.ended = once(child, 'exit').then(([code]) => code as number | null);
    for (const deadline = Date.now() + READY_MS; !(await this.isReady()); await wait(POLL_MS)) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${this.name} did not become ready (exit code ${child.exitCode}): ${this.lastWords()}`);
    }
  }

  /** Changes its environment from the next start on: the given settings replace existing ones. */
  reconfigure(settings: Readonly<Record<string, string>>): void {
    this.plan = { ...this.plan, env: { ...this.plan.env, ...settings } };
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** Resolves when it has ended. @returns its exit code, or null when a signal ended it */
  exit(): Promise<number | null> {
    return this.ended;
  }

  /** Drains it. @returns its exit code */
  drain(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.exit();
  }

  async kill(): Promise<void> {
    if (this.child?.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGCONT');
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** The end of its log. */
  lastWords(): string {
    return readFileSync(this.plan.logFile, 'utf8').slice(-2_000);
  }

  private isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.adminPort}/health/ready`, { headers: { connection: 'close' } }).then(
      async (answer) => (await answer.body?.cancel(), answer.ok),
      () => false,
    );
  }
}
