import { ProblemError, seesOrg, type UserCaller } from '@gatehouse/contracts-core';
import type { MergeRunResponse, MergeTableRecord, RunState } from '@gatehouse/contracts-tenancy';
import { scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { ServiceProgress } from './merge-saga.ts';

interface RunRow {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly survivorId: string;
  readonly state: RunState;
  readonly total: number;
  readonly progress: Record<string, ServiceProgress>;
  readonly tables: MergeTableRecord[];
  readonly warnings: string[];
  readonly error: string | null;
}

const COLUMNS = 'id, partner_id, org_id, survivor_id, state, total, progress, tables, warnings, error';

@Injectable()
export class GetMergeRun {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError merge_run_not_found */
  async execute(caller: UserCaller, jobId: string): Promise<MergeRunResponse> {
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id' })
      .add('id = ?', jobId)
      .raw(`kind = 'merge'`);
    const run = await this.work.read(caller, (reader) =>
      reader.one<RunRow>(`SELECT ${COLUMNS} FROM organization_runs ${where}`, parameters),
    );
    const isInReach =
      run && seesOrg(caller.scope, run.partnerId, run.orgId) && seesOrg(caller.scope, run.partnerId, run.survivorId);
    if (!isInReach) throw new ProblemError('merge_run_not_found', 'Merge run not found.');
    const { id, state, progress, total, tables, warnings, error } = run;
    const moved = Object.values(progress).reduce((sum, { moved: rows }) => sum + rows, 0);
    const done = state === 'completed' ? total : Math.min(moved, total);
    return { jobId: id, state, progress: { done, total }, tables, warnings, ...(error && { error }) };
  }
}
