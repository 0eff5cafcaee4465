import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ALL_PARTS, startPart } from '../backing.ts';
import type { Part, RunningPart } from '../parts/running-part.ts';
import { STACK_DIRECTORY } from '../paths.ts';
import { recordOf } from '../pid-record.ts';
import { messageOf } from '../stack-error.ts';
import { releaseLock, takeLock } from './exclusive-lock.ts';
import { type HostState, removeHostState, writeHostState } from './host-state.ts';
import { Leases } from './shared-backing.ts';

const POLL_MS = 200;
/** The time that programs have to drain when the host is stopped while they use the parts. */
const END_GRACE_MS = 30_000;

const log = (line: string): boolean => process.stdout.write(`${line}\n`);

/**
 * Runs the backing parts as long as a program holds a lease on them: `npm start`, `nx serve`, or both. It is a separate
 * program, so that the parts stop after the last lease, in whatever order the programs end, even by kill -9.
 */
class BackingHost {
  private readonly leases = new Leases(STACK_DIRECTORY);
  private readonly parts = new Map<Part, RunningPart>();
  private readonly since = Date.now();
  private endsAt = Infinity;

  async run(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => (this.endsAt = Math.min(this.endsAt, Date.now() + END_GRACE_MS)));
    this.publish('serving');
    while (await this.isWanted()) {
      await this.startMissing();
      await pause(POLL_MS);
    }
    await this.stop();
    removeHostState(STACK_DIRECTORY);
  }

  async stop(): Promise<void> {
    // PostgreSQL last: it holds the data, the others are transport and cache.
    for (const part of ['redis', 'nats', 'postgres'] as const) {
      await this.parts.get(part)?.stop();
      if (this.parts.delete(part)) log(`${part} has stopped`);
    }
  }

  publish(phase: HostState['phase'], failure?: string): void {
    const self = recordOf(process.pid);
    if (self === undefined) throw new Error('this system does not tell when a program started');
    const urls = Object.fromEntries([...this.parts].map(([name, { url }]) => [name, url]));
    writeHostState(STACK_DIRECTORY, { ...self, since: this.since, phase, urls, failure });
  }

  /**
   * A program takes a lease before it reads the phase; we publish the ending phase before we read the leases for the
   * last time. So at least one side notices the other.
   */
  private async isWanted(): Promise<boolean> {
    if (Date.now() > this.endsAt) return false;
    if (this.leases.wanted().size > 0) return true;
    this.publish('stopping');
    if (this.leases.wanted().size === 0) return false;
    this.publish('serving');
    return true;
  }

  private async startMissing(): Promise<void> {
    const wanted = this.leases.wanted();
    const starts = await Promise.allSettled(
      ALL_PARTS.filter((part) => wanted.has(part)).map((part) => this.ensure(part)),
    );
    const failed = starts.find((start) => start.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  private async ensure(name: Part): Promise<void> {
    const part = this.parts.get(name);
    if (part?.pid !== undefined) return;
    if (part !== undefined) {
      log(`${name} has ended unexpectedly; starting it again`);
      await part.start();
    } else {
      this.parts.set(name, await startPart(name, { directory: STACK_DIRECTORY, ephemeral: false, log }));
    }
    log(`${name} is ready`);
    this.publish('serving');
  }
}

mkdirSync(join(STACK_DIRECTORY, 'run'), { recursive: true });
const lock = join(STACK_DIRECTORY, 'run', 'backing-host.lock');
if ((await takeLock(lock)) === undefined) {
  const host = new BackingHost();
  try {
    await host.run();
  } catch (error) {
    await host.stop();
    host.publish('failed', messageOf(error));
    log(messageOf(error));
    process.exitCode = 1;
  } finally {
    releaseLock(lock);
  }
}
