import { Worker } from 'node:worker_threads';

/** A worker's answer to a job: its output, or the reason for its failure. */
export interface JobAnswer<O> {
  readonly output?: O;
  readonly fault?: string;
}

export interface PoolOptions {
  /** A module that answers jobs, as `saml-worker.ts` does. */
  readonly program: URL;
  readonly threads: number;
  /** How long a job may run before its thread is terminated. */
  readonly deadlineMs: number;
  /** How long a job may wait in the queue for a thread. */
  readonly timeoutMs: number;
  /** How many jobs may wait in one lane; `waiting` limits all lanes together. */
  readonly waitingInLane: number;
  readonly waiting: number;
  readonly memoryMb: number;
}

/** The queue was full, or no thread became free in time. The job did not start. */
export class PoolBusy extends Error {
  override readonly name = 'PoolBusy';
}

interface Job<I, O> {
  readonly lane: string;
  readonly input: I;
  readonly resolve: (output: O) => void;
  readonly reject: (error: Error) => void;
  readonly timeout: NodeJS.Timeout;
}

/** A thread that runs one job at a time. It is discarded after a job that missed its deadline. */
class Thread<I, O> {
  private readonly worker: Worker;
  private readonly ready: Promise<void>;

  constructor({ program, memoryMb }: PoolOptions) {
    this.worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    this.worker.unref();
    this.ready = this.next('the worker did not start', () => undefined);
    this.ready.catch(() => undefined);
  }

  /** The deadline counts from the thread's start, because starting takes longer than most jobs. */
  async answer(input: I, deadlineMs: number): Promise<JobAnswer<O>> {
    await this.ready;
    const answered = this.next('the worker ended', (answer: JobAnswer<O>) => answer);
    const late = setTimeout(() => void this.end(), deadlineMs);
    this.worker.postMessage(input);
    return answered.finally(() => clearTimeout(late));
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private next<M, T>(fault: string, read: (message: M) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (done: () => void): void => {
        this.worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        done();
      };
      const onMessage = (message: M): void => settle(() => resolve(read(message)));
      const onError = (error: Error): void => settle(() => reject(error));
      const onExit = (): void => settle(() => reject(new Error(`${fault}, or was terminated at its deadline`)));
      this.worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  }
}

/**
 * Runs jobs in worker threads so that they do not block the main thread. Jobs wait in lanes that are served
 * round-robin, one job of a lane at a time, so a lane full of slow jobs delays another lane by at most one job per
 * thread.
 */
export class WorkerPool<I, O> {
  private readonly lanes = new Map<string, Job<I, O>[]>();
  private readonly running = new Set<string>();
  private readonly idle: Thread<I, O>[] = [];
  private readonly busy = new Set<Thread<I, O>>();
  private waitingCount = 0;
  private isClosed = false;

  constructor(private readonly options: PoolOptions) {}

  /** @throws PoolBusy; Error when the job failed or missed its deadline */
  run(lane: string, input: I): Promise<O> {
    const line = this.lanes.get(lane) ?? [];
    if (this.isClosed || line.length >= this.options.waitingInLane || this.waitingCount >= this.options.waiting) {
      return Promise.reject(new PoolBusy('too many jobs wait for a worker'));
    }
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => this.giveUp(job), this.options.timeoutMs);
      const job: Job<I, O> = { lane, input, resolve, reject, timeout };
      this.lanes.set(lane, [...line, job]);
      this.waitingCount++;
      this.serve();
    });
  }

  /** Terminates the threads and rejects the queued jobs. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const job of [...this.lanes.values()].flat()) this.giveUp(job);
    await Promise.all([...this.idle, ...this.busy].map((thread) => thread.end()));
  }

  private giveUp(job: Job<I, O>): void {
    this.leave(job);
    job.reject(new PoolBusy('no worker became free in time'));
  }

  private leave(job: Job<I, O>): void {
    clearTimeout(job.timeout);
    const line = (this.lanes.get(job.lane) ?? []).filter((other) => other !== job);
    this.waitingCount--;
    // Lanes are served in the order of the map, so a lane that was served moves to the end.
    this.lanes.delete(job.lane);
    if (line.length > 0) this.lanes.set(job.lane, line);
  }

  private serve(): void {
    for (const [lane, [job]] of [...this.lanes]) {
      if (this.busy.size >= this.options.threads) return;
      if (!job || this.running.has(lane)) continue;
      this.leave(job);
      void this.perform(job);
    }
  }

  private async perform({ lane, input, resolve, reject }: Job<I, O>): Promise<void> {
    const thread = this.idle.pop() ?? new Thread<I, O>(this.options);
    this.busy.add(thread);
    this.running.add(lane);
    try {
      const { output, fault } = await thread.answer(input, this.options.deadlineMs);
      if (fault === undefined) resolve(output as O);
      else reject(new Error(fault));
      this.idle.push(thread);
    } catch (error) {
      void thread.end();
      reject(error as Error);
    } finally {
      this.busy.delete(thread);
      this.running.delete(lane);
      this.serve();
    }
  }
}
