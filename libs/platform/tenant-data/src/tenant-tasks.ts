import { asService, type EventEnvelope } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Consumes, countQuestion, EventBus, STEP_QUESTION } from '@gatehouse/messaging';
import { LOGGER, type Logger } from '@gatehouse/service';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { countTables, PERFORM, remarksOn } from './perform-step.ts';
import {
  type CountQuestion,
  type Step,
  type StepReply,
  type TableCounts,
  tenantDataProgressed,
  type TenantDataRequest,
  TenantDataRequested,
} from './tenant-data.events.ts';
import type { TenantRegistry } from './tenant-rows.repository.ts';
import { TenantTasksRepository } from './tenant-tasks.repository.ts';

export const TENANT_REGISTRY = Symbol('tenant registry');

/** Polls for steps that another replica abandoned and for failed steps; a new step is picked up immediately. */
const POLL_MS = 2_000;
/** The time within which the transaction that recorded a step usually commits. */
const COMMITTED_MS = 50;
const ANSWER_WITHIN_MS = 5_000;
/** A step that fails this many times in a row without a finished batch is given up, and the run is rolled back. */
const MAX_ATTEMPTS = 5;
const MAX_ERROR = 500;

/**
 * Performs a service's part of merges and purges: records requested steps, confirms each with tenancy, performs it in
 * batches under a lease and reports the progress.
 */
@Injectable()
export class TenantTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks = new TenantTasksRepository();
  private stopped = false;
  private running: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;

  constructor(
    private readonly work: UnitOfWork,
    private readonly bus: EventBus,
    @Inject(TENANT_REGISTRY) private readonly registry: TenantRegistry,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.registry.service !== 'tenancy')
      this.bus.reply<CountQuestion>(countQuestion(this.registry.service), (question) => this.count(question));
    this.running = this.loop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  @Consumes(TenantDataRequested)
  async note(tx: Tx, { data }: EventEnvelope<TenantDataRequest>): Promise<void> {
    await this.tasks.record(tx, data);
    setTimeout(() => this.wake(), COMMITTED_MS).unref();
  }

  /** Counts the rows of this service that a merge would move or drop, and lists blockers. */
  count(question: CountQuestion): Promise<TableCounts> {
    return this.work.backgroundRead(this.self, async (reader) => {
      const { blockers, warnings } = await remarksOn(reader, this.registry, question);
      return {
        tables: await countTables(reader, this.registry, question),
        blockers: [...blockers],
        warnings: [...warnings],
      };
    });
  }

  private get self() {
    return asService(this.registry.service);
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      const worked = await this.workOne().catch((error: unknown) => {
        this.log.warn({ err: error }, 'steps of merges and purges could not be looked for; trying again');
        return false;
      });
      if (!worked && !this.stopped) await this.rest();
    }
  }

  private async rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** @returns whether a step was found */
  private async workOne(): Promise<boolean> {
    const task = await this.work.background(this.self, (tx) => this.tasks.claim(tx));
    if (!task) return false;
    const due = await this.isDue(task);
    if (due === null) return false;
    if (!due) return this.dropForeign(task);
    try {
      while (!this.stopped && (await this.batch(task)));
    } catch (error) {
      await this.failed(task, error);
    }
    return true;
  }

  /** Tenancy's reply, or null when tenancy does not reply: the step then waits until its lease expires. */
  private async isDue({ runId, step, sourceId, targetId }: TenantDataRequest): Promise<boolean | null> {
    try {
      const { due } = await this.bus.request<StepReply>(
        STEP_QUESTION,
        { runId, step, sourceId, targetId },
        { timeoutMs: ANSWER_WITHIN_MS },
      );
      return due === true;
    } catch (error) {
      this.log.warn(
        { err: error, step, runId },
        'tenancy does not say whether a step of a merge or purge is due; it waits',
      );
      await this.work.background(this.self, (tx) => this.tasks.postpone(tx, runId, step));
      return null;
    }
  }

  /**
   * Drops a request that tenancy did not send, or whose run has moved on. Nothing is reported: if there is such a run,
   * it has already gone on.
   */
  private async dropForeign({ runId, step, sourceId }: TenantDataRequest): Promise<boolean> {
    this.log.error({ step, runId, sourceId }, 'tenancy knows of no such step that is due; nothing was done');
    await this.work.background(this.self, (tx) => this.tasks.giveUp(tx, runId, step));
    return true;
  }

  /** @returns whether batches remain */
  private batch(task: TenantDataRequest): Promise<boolean> {
    return this.work.background(this.self, async (tx) => {
      const held = await this.tasks.hold(tx, task);
      if (!held) return false;
      const rows = await PERFORM[task.step](tx, this.registry, task);
      const finished = rows === 0;
      await this.tasks.advance(tx, task, rows, finished);
      this.report(tx, task, { done: held.rowsDone + rows, finished, error: null });
      return !finished;
    });
  }

  private async failed(task: TenantDataRequest, error: unknown): Promise<void> {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR);
    this.log.warn({ err: error, step: task.step, runId: task.runId }, 'a step of a merge or purge failed');
    await this.work.background(this.self, async (tx) => {
      const state = await this.tasks.fail(tx, task);
      if (!state || state.attempts < MAX_ATTEMPTS || !mayGiveUp(task.step)) return;
      await this.tasks.giveUp(tx, task.runId, task.step);
      this.report(tx, task, { done: state.rowsDone, finished: true, error: reason });
    });
  }

  private report(
    tx: Tx,
    { runId, step }: TenantDataRequest,
    progress: { done: number; finished: boolean; error: string | null },
  ): void {
    tx.emit(
      tenantDataProgressed(this.registry.service),
      { runId, step, service: this.registry.service, ...progress },
      { aggregateId: runId },
    );
  }
}

/** Only the move can be undone: after it a run cannot go back, and a failing step is retried without limit. */
const mayGiveUp = (step: Step): boolean => step === 'move';

/**
 * Lets a service take part in merges and purges of organisations. Its database needs {@link
 * TenantTasksSchema1700000000002}.
 * @example imports: [TenantDataModule.with(pamTenantData)]
 */
@Module({})
export class TenantDataModule {
  static with(registry: TenantRegistry): DynamicModule {
    return {
      module: TenantDataModule,
      providers: [{ provide: TENANT_REGISTRY, useValue: registry }, TenantTasks],
      exports: [TENANT_REGISTRY, TenantTasks],
    };
  }
}
