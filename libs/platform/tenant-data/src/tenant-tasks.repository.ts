import type { Tx } from '@gatehouse/database';
import type { Step, TenantDataRequest } from './tenant-data.events.ts';

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
