import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  SetMetadata,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { LOGGER, type Logger } from './observability/logging.ts';
import { ServiceConfig } from './config/service.config.ts';

const EVERY = 'gatehouse:every';

interface Schedule {
  readonly name: string;
  readonly every: number | ((config: never) => number);
}

type Task = (stopping: AbortSignal) => Promise<unknown>;

/**
 * Repeats a method of a provider while the service runs. Any number of replicas may run it at the same time; within one
 * process, a long run delays the next one. The method gets a signal that aborts when the service stops.
 * @param every milliseconds, or how the configuration gives them
 */
export const Every = <C extends ServiceConfig>(every: number | ((config: C) => number), name: string) =>
  SetMetadata<string, Schedule>(EVERY, { name, every }) as <T extends Task>(
    prototype: object,
    method: string,
    descriptor: TypedPropertyDescriptor<T>,
  ) => void;

export interface PeriodicTask {
  readonly name: string;
  readonly everyMs: number;
  readonly run: Task;
}

const MS = 1000;
/** A service that restarts every day would never run its daily tasks if the first run waited for a day. */
const MAX_FIRST_MS = 10 * 60 * MS;

/** Runs the methods with {@link Every} of all providers of the service. */
@Injectable()
export class PeriodicTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly timers = new Map<PeriodicTask, NodeJS.Timeout>();
  private readonly running = new Map<PeriodicTask, Promise<void>>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly config: ServiceConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  all(): PeriodicTask[] {
    const instances = new Set(this.discovery.getProviders().map(({ instance }) => instance as unknown));
    return [...instances].flatMap((instance) => this.tasksOf(instance));
  }

  /** The tasks as the contract lists them. */
  table(): { name: string; everySeconds: number }[] {
    return this.all()
      .map(({ name, everyMs }) => ({ name, everySeconds: everyMs / MS }))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  onApplicationBootstrap(): void {
    for (const task of this.all()) this.schedule(task, Math.min(task.everyMs, MAX_FIRST_MS));
  }

  /** Waits until the current runs have finished. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers.values()) clearTimeout(timer);
    await Promise.all(this.running.values());
  }

  private tasksOf(instance: unknown): PeriodicTask[] {
    if (typeof instance !== 'object' || instance === null) return [];
    const methods = instance as Readonly<Record<string, Task>>;
    return this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((method) => {
      const run = methods[method];
      const schedule = run && (Reflect.getMetadata(EVERY, run) as Schedule | undefined);
      if (!schedule) return [];
      const { name, every } = schedule;
      const everyMs = typeof every === 'number' ? every : every(this.config as never);
      return [{ name, everyMs, run: run.bind(instance) }];
    });
  }

  private schedule(task: PeriodicTask, afterMs: number): void {
    const timer = setTimeout(() => this.running.set(task, this.runOnce(task)), afterMs);
    this.timers.set(task, timer.unref());
  }

  private async runOnce(task: PeriodicTask): Promise<void> {
    try {
      await task.run(this.stopping.signal);
    } catch (error) {
      this.log.warn({ err: error, task: task.name }, 'a periodic task failed; it will run again');
    }
    if (!this.stopping.signal.aborted) this.schedule(task, task.everyMs);
  }
}
