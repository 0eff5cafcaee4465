import type { Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Step, TenantDataRequest } from './tenant-data.events.ts';

/** A step of a merge or purge that this service was asked to perform. */
@Entity('tenant_tasks')
export class TenantTaskEntity {
  @PrimaryColumn('uuid') runId!: string;
  @PrimaryColumn('text') step!: string;
  /** The organisation whose rows are moved or deleted. */
  @Column('uuid') sourceId!: string;
  /** The organisation that takes them over; null for a purge. */
  @Column('uuid', { nullable: true }) targetId!: string | null;
  @Column('bigint', { default: () => '0' }) rowsDone!: number;
  @Column('integer', { default: () => '0' }) attempts!: number;
  /** Until then one replica works on the step. */
  @Column('timestamptz', { default: () => "'-infinity'" }) leasedUntil!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) doneAt!: Date | null;
}

/** A row that a merge moved, as it was before, so that a rollback can move it back. */
@Entity('tenant_moves')
export class TenantMoveEntity {
  @PrimaryColumn('bigint', { generated: 'increment' }) id!: number;
  @Column('uuid') runId!: string;
  @Column('text') tableName!: string;
  @Column('jsonb') rowKey!: Readonly<Record<string, unknown>>;
  @Column('jsonb') before!: Readonly<Record<string, unknown>>;
}

/** The entities of the tables of {@link TenantTasksSchema1700000000002}. */
export const TENANT_TASK_ENTITIES = [TenantTaskEntity, TenantMoveEntity] as const;

const NOTE =
  'INSERT INTO tenant_tasks (run_id, step, source_id, target_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';
/**
 * A rollback ends the move, even a move that is requested later. The statement waits for a running batch, which holds a
 * lock on the row of its task.
 */
const SUPERSEDE = `
  INSERT INTO tenant_tasks AS known (run_id, step, source_id, target_id, done_at) VALUES ($1, 'move', $2, $3, now())
  ON CONFLICT (run_id, step) DO UPDATE SET done_at = coalesce(known.done_at, EXCLUDED.done_at)`;
const CLAIM = `
  UPDATE tenant_tasks SET leased_until = now() + interval '15 seconds'
   WHERE (run_id, step) = (SELECT run_id, step FROM tenant_tasks WHERE done_at IS NULL AND leased_until < now()
     ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING run_id, step, source_id, target_id`;
const HOLD = 'SELECT rows_done FROM tenant_tasks WHERE run_id = $1 AND step = $2 AND done_at IS NULL FOR UPDATE';
const ADVANCE = `UPDATE tenant_tasks SET rows_done = rows_done + $3, attempts = 0,
  leased_until = now() + interval '15 seconds', done_at = CASE WHEN $4 THEN now() END WHERE run_id = $1 AND step = $2`;
const FAIL = `UPDATE tenant_tasks SET attempts = attempts + 1,
  leased_until = now() + (attempts + 1) * interval '1 second' WHERE run_id = $1 AND step = $2 AND done_at IS NULL
  RETURNING attempts, rows_done`;
const POSTPONE = `UPDATE tenant_tasks SET leased_until = now() + interval '1 second' WHERE run_id = $1 AND step = $2
  AND done_at IS NULL`;
const GIVE_UP = 'UPDATE tenant_tasks SET done_at = now() WHERE run_id = $1 AND step = $2';

/** The steps of merges and purges that this service was asked to perform. */
export class TenantTasksRepository {
  async record(tx: Tx, { runId, step, sourceId, targetId }: TenantDataRequest): Promise<void> {
    if (step === 'rollback') await tx.query(SUPERSEDE, [runId, sourceId, targetId]);
    await tx.query(NOTE, [runId, step, sourceId, targetId]);
  }

  /** Takes the oldest open step whose lease is over. */
  claim(tx: Tx): Promise<TenantDataRequest | null> {
    return tx.one<TenantDataRequest>(CLAIM);
  }

  /** Locks an open step; null when it is done. */
  hold(tx: Tx, { runId, step }: TenantDataRequest): Promise<{ rowsDone: number } | null> {
    return tx.one<{ rowsDone: number }>(HOLD, [runId, step]);
  }

  async advance(tx: Tx, { runId, step }: TenantDataRequest, rows: number, finished: boolean): Promise<void> {
    await tx.query(ADVANCE, [runId, step, rows, finished]);
  }

  async postpone(tx: Tx, runId: string, step: Step): Promise<void> {
    await tx.query(POSTPONE, [runId, step]);
  }

  /** Counts a failed attempt and lets the step wait; null when it is done. */
  fail(tx: Tx, { runId, step }: TenantDataRequest): Promise<{ attempts: number; rowsDone: number } | null> {
    return tx.one<{ attempts: number; rowsDone: number }>(FAIL, [runId, step]);
  }

  async giveUp(tx: Tx, runId: string, step: Step): Promise<void> {
    await tx.query(GIVE_UP, [runId, step]);
  }
}
