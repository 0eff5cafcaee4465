import { asService, type EventEnvelope } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Consumes, countQuestion, EventBus, STEP_QUESTION } from '@gatehouse/messaging';
import { LOGGER, type Logger } from '@gatehouse/service';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
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
import type { TenantRegistry } from './tenant-table.ts';

export const TENANT_REGISTRY = Symbol('tenant registry');

/** For steps that a replica left behind, and those that failed; a new one is looked for at once. */
const POLL_MS = 2_000;
/** Within which a step that was noted is committed, as a rule. */
const COMMITTED_MS = 50;
const ANSWER_WITHIN_MS = 5_000;
/** A step that fails so often without one batch in between is given up, and the run is put back. */
const MAX_ATTEMPTS = 5;
const MAX_ERROR = 500;

const NOTE =
  'INSERT INTO tenant_tasks (run_id, step, source_id, target_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';
/**
 * A put-back ends the move, also one that is asked for later; a batch under way holds its task's row and is waited for.
 */
const SUPERSEDE = `
  INSERT INTO tenant_tasks AS known (run_id, step, source_id, target_id, done_at) VALUES ($1, 'move', $2, $3, now())
  ON CONFLICT (run_id, step) DO UPDATE SET done_at = coalesce(known.done_at, EXCLUDED.done_at)`;
const CLAIM = `
  UPDATE tenant_tasks SET leased_until = now() + interval '15 seconds'
   WHERE (run_id, step) = (SELECT run_id, step FROM tenant_tasks WHERE done_at IS NULL AND leased_until < now() ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING run_id, step, source_id, target_id`;
const HOLD = 'SELECT rows_done FROM tenant_tasks WHERE run_id = $1 AND step = $2 AND done_at IS NULL FOR UPDATE';
const ADVANCE = `UPDATE tenant_tasks SET rows_done = rows_done + $3, attempts = 0, leased_until = now() + interval '15 seconds', done_at = CASE WHEN $4 THEN now() END WHERE run_id = $1 AND step = $2`;
const FAIL = `UPDATE tenant_tasks SET attempts = attempts + 1, leased_until = now() + (attempts + 1) * interval '1 second' WHERE run_id = $1 AND step = $2 AND done_at IS NULL RETURNING attempts, rows_done`;
const POSTPONE = `UPDATE tenant_tasks SET leased_until = now() + interval '1 second' WHERE run_id = $1 AND step = $2 AND done_at IS NULL`;
const GIVE_UP = 'UPDATE tenant_tasks SET done_at = now() WHERE run_id = $1 AND step = $2';

/**
 * A service's part in merges and purges: notes what is asked, makes sure that tenancy wants it now, works it off in
 * batches under a lease, says how far it is.
 */
@Injectable()
export class TenantTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
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
    if (data.step === 'rollback') await tx.query(SUPERSEDE, [data.runId, data.sourceId, data.targetId]);
    await tx.query(NOTE, [data.runId, data.step, data.sourceId, data.targetId]);
    setTimeout(() => this.wake(), COMMITTED_MS).unref();
  }

  /** What a merge would do with the rows of this service, and what stands against it. */
  count(question: CountQuestion): Promise<TableCounts> {
    return this.work.read(this.self, async (reader) => {
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

  /** @returns whether there was something to do */
  private async workOne(): Promise<boolean> {
    const task = await this.work.run(this.self, (tx) => tx.one<TenantDataRequest>(CLAIM));
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

  /** Tenancy's word, or null when it does not answer: the step then waits until its lease is over. */
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
      await this.work.run(this.self, (tx) => tx.query(POSTPONE, [runId, step]));
      return null;
    }
  }

  /**
   * A request that did not come from tenancy, or one that is over by now. Nothing is reported: the run, if there is
   * one, has gone on.
   */
  private async dropForeign({ runId, step, sourceId }: TenantDataRequest): Promise<boolean> {
    this.log.error({ step, runId, sourceId }, 'tenancy knows of no such step that is due; nothing was done');
    await this.work.run(this.self, (tx) => tx.query(GIVE_UP, [runId, step]));
    return true;
  }

  /** @returns whether more is to do */
  private batch(task: TenantDataRequest): Promise<boolean> {
    return this.work.run(this.self, async (tx) => {
      const held = await tx.one<{ rowsDone: number }>(HOLD, [task.runId, task.step]);
      if (!held) return false;
      const rows = await PERFORM[task.step](tx, this.registry, task);
      const finished = rows === 0;
      await tx.query(ADVANCE, [task.runId, task.step, rows, finished]);
      this.report(tx, task, { done: held.rowsDone + rows, finished, error: null });
      return !finished;
    });
  }

  private async failed(task: TenantDataRequest, error: unknown): Promise<void> {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR);
    this.log.warn({ err: error, step: task.step, runId: task.runId }, 'a step of a merge or purge failed');
    await this.work.run(this.self, async (tx) => {
      const state = await tx.one<{ attempts: number; rowsDone: number }>(FAIL, [task.runId, task.step]);
      if (!state || state.attempts < MAX_ATTEMPTS || !mayGiveUp(task.step)) return;
      await tx.query(GIVE_UP, [task.runId, task.step]);
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

/** Only moving can be undone: from there on a run has one way, and goes on trying. */
const mayGiveUp = (step: Step): boolean => step === 'move';
