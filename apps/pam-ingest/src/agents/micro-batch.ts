export interface BatchLimits {
  /** How long a batch stays open after its first item, in milliseconds. */
  readonly waitMs: number;
  readonly maxSize: number;
  /**
   * The most batches to run concurrently. While one is running, further batches start only when full, because several
   * small ones cost more than one large one.
   */
  readonly parallel: number;
  /**
   * Whether an error can be caused by a single item. If so, the items are retried one by one; any other error rejects
   * the whole batch.
   */
  readonly isOfOneItem: (error: unknown) => boolean;
}

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects items that arrive close together and runs them as one batch; each item gets its own result. If one item
 * cannot be stored, the others still are.
 */
export class MicroBatch<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private timer: NodeJS.Timeout | null = null;
  private running = 0;

  constructor(
    private readonly run: (items: readonly T[]) => Promise<readonly R[]>,
    private readonly limits: BatchLimits,
  ) {}

  submit(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.waiting.length >= this.limits.maxSize) this.flush();
      else this.timer ??= setTimeout(() => this.flush(), this.limits.waitMs);
    });
  }

  private flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    while (this.mayStart) void this.start(this.waiting.splice(0, this.limits.maxSize));
  }

  private get mayStart(): boolean {
    const { parallel, maxSize } = this.limits;
    return this.running === 0 ? this.waiting.length > 0 : this.running < parallel && this.waiting.length >= maxSize;
  }

  private async start(batch: readonly Waiting<T, R>[]): Promise<void> {
    this.running++;
    try {
      await this.settle(batch);
    } finally {
      this.running--;
      // Items that arrived while the batch ran have already waited long enough.
      this.flush();
    }
  }

  private async settle(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, at) => resolve(results[at] as R));
    } catch (error) {
      if (batch.length > 1 && this.limits.isOfOneItem(error)) for (const each of batch) await this.settle([each]);
      else for (const { reject } of batch) reject(error);
    }
  }
}

/**
 * Reads for many agents at once: at once while none is under way, otherwise with all that came in the meantime.
 * @param run resolves with a result for each item, in their order
 */
export const batchedReads = <T, R>(run: (items: readonly T[]) => Promise<readonly R[]>): MicroBatch<T, R> =>
  new MicroBatch(run, { waitMs: 0, maxSize: 500, parallel: 2, isOfOneItem: () => false });
