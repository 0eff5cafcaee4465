import type { Logger } from './logging.ts';

/**
 * Repeats a task at an interval. Any number of replicas may run the task at the same time; within one process, a run
 * that takes longer than the interval delays the next one.
 */
export class Periodic {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly task: () => Promise<unknown>,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.timer = setTimeout(() => void this.tick(), this.everyMs);
    this.timer.unref();
  }

  /** Waits until the current run has finished. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.current;
  }

  private async tick(): Promise<void> {
    this.current = this.task().then(
      () => undefined,
      (error: unknown) => this.log.warn({ err: error, task: this.name }, 'a periodic task failed; it will run again'),
    );
    await this.current;
    if (!this.stopped) this.start();
  }
}
