import type { UserCaller } from '@gatehouse/contracts-core';
import type { ImportValuesDto, ValueRowRecord } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { plannedValuesView } from './import-values.ts';
import { readValueRows, ValuePlanner } from './value-planner.ts';

@Injectable()
export class ValueImportService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly valuePlanner: ValuePlanner,
  ) {}

  preview(caller: UserCaller, batch: ImportValuesDto): Promise<{ rows: (ValueRowRecord & { error?: object })[] }> {
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
