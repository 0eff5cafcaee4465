import type { UserCaller } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import type { Step, StepQuestion } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';
import type { NewRow } from '../rows/insert-row.repository.ts';
import { OrganizationRunEntity, type ServiceProgress } from './organization-run.entity.ts';

const UNDER_WAY = `state IN ('queued', 'running')`;
const IS_DUE = `
  SELECT FROM organization_runs
   WHERE id::text = $1 AND step = $2 AND org_id::text = $3 AND survivor_id::text IS NOT DISTINCT FROM $4 AND ${UNDER_WAY}`;
const LOCK_AT_STEP = `
  SELECT id, partner_id, org_id, survivor_id, step, participants, progress, status_before, started_by, error
    FROM organization_runs WHERE id = $1 AND step = $2 AND ${UNDER_WAY} FOR UPDATE`;
const FIND =
  'SELECT id, partner_id, org_id, survivor_id, state, total, progress, tables, warnings, error FROM organization_runs';

export type RunAtStep = Pick<
  OrganizationRunEntity,
  | 'id'
  | 'partnerId'
  | 'orgId'
  | 'survivorId'
  | 'step'
  | 'participants'
  | 'progress'
  | 'statusBefore'
  | 'startedBy'
  | 'error'
>;

export type MergeRun = Pick<
  OrganizationRunEntity,
  'id' | 'partnerId' | 'orgId' | 'state' | 'total' | 'progress' | 'tables' | 'warnings' | 'error'
> & { readonly survivorId: string };

type Progress = Readonly<Record<string, ServiceProgress>>;

@Injectable()
export class OrganizationRunsRepository {
  /** Stores a new run and returns its id. */
  async insert(tx: Tx, run: NewRow<OrganizationRunEntity>): Promise<string> {
    const id = newId();
    await tx.manager.insert(OrganizationRunEntity, { ...run, id });
    return id;
  }

  /** The caller must still check that both organisations are in its reach. */
  findMerge(reader: Reader, caller: UserCaller, id: string): Promise<MergeRun | null> {
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id' })
      .add('id = ?', id)
      .raw(`kind = 'merge'`);
    return reader.one<MergeRun>(`${FIND} ${where}`, parameters);
  }

  async isDue(reader: Reader, { runId, step, sourceId, targetId }: StepQuestion): Promise<boolean> {
    return (await reader.one(IS_DUE, [runId, step, sourceId, targetId ?? null])) !== null;
  }

  /** Locks the run; null if it has ended or is at another step. */
  lockAtStep(tx: Tx, id: string, step: Step): Promise<RunAtStep | null> {
    return tx.one<RunAtStep>(LOCK_AT_STEP, [id, step]);
  }

  async storeProgress(tx: Tx, id: string, progress: Progress): Promise<void> {
    await tx.manager.update(OrganizationRunEntity, { id }, { state: 'running', progress });
  }

  async enterStep(
    tx: Tx,
    id: string,
    change: { readonly step: Step; readonly progress: Progress; readonly error: string | null },
  ): Promise<void> {
    await tx.manager.update(OrganizationRunEntity, { id }, change);
  }

  async end(tx: Tx, id: string, state: 'completed' | 'failed'): Promise<void> {
    await tx.manager.update(OrganizationRunEntity, { id }, { state, finishedAt: () => 'now()' });
  }
}
