import type { UserCaller } from '@gatehouse/contracts-core';
import type { ImportValuesDto, ValueRowRecord } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { readValueRows, ValuePlanner } from './value-planner.ts';
import { plannedValuesView } from './planned-values.view.ts';

@Injectable()
export class PreviewValueImport {
  constructor(
    private readonly work: UnitOfWork,
    private readonly valuePlanner: ValuePlanner,
  ) {}

  /** @throws ProblemError too_many_rows */
  execute(caller: UserCaller, batch: ImportValuesDto): Promise<{ rows: (ValueRowRecord & { error?: object })[] }> {
    const rows = readValueRows(batch);
    return this.work.read(caller, async (reader) => {
      const plan = await this.valuePlanner.plan(reader, caller, rows, { mode: batch.mode ?? 'skip', lock: false });
      return {
        rows: plan.map((planned, index) => ({
          ...plannedValuesView(planned, index),
          ...(planned.fault && { error: planned.fault }),
        })),
      };
    });
  }
}
