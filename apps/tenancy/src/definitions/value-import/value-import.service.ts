import type { UserCaller } from '@gatehouse/contracts-core';
import type { FaultyRowRecord, ImportValuesDto, ValueRowRecord } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type DevicePlace, FieldValuesRepository } from '../custom-fields.repository.ts';
import { type SourceId, ValueImportRepository } from './value-import.repository.ts';
import { type PlannedValue, type PlannedValues, readValueRows, ValuePlanner } from './value-planner.ts';

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

const plannedValuesView = ({ outcome, device, values }: PlannedValues, index: number): ValueRowRecord => ({
  index,
  outcome,
  deviceId: device?.id ?? null,
  fieldIds: values.filter(({ kept }) => !kept || outcome === 'already-applied').map(({ fieldId }) => fieldId),
});

export interface ValueImportOutcome {
  readonly applied: ValueRowRecord[];
  readonly skipped: ValueRowRecord[];
  readonly errors: FaultyRowRecord[];
}

@Injectable()
export class ImportValues {
  constructor(
    private readonly work: UnitOfWork,
    private readonly valuePlanner: ValuePlanner,
    private readonly valueImportRepository: ValueImportRepository,
    private readonly fieldValuesRepository: FieldValuesRepository,
  ) {}

  /** Existing values stay unless the mode says otherwise. */
  import(caller: UserCaller, batch: ImportValuesDto): Promise<ValueImportOutcome> {
    const rows = readValueRows(batch);
    const mode = batch.mode ?? 'skip';
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const preliminary = await this.valuePlanner.plan(tx, caller, rows, { mode, lock: false });
      const orgIds = new Set(preliminary.flatMap(({ device }) => device?.orgId ?? []));
      await this.valueImportRepository.lockOrganizations(tx, [...orgIds]);
      const plan = await this.valuePlanner.plan(tx, caller, rows, { mode, lock: true });
      await this.store(tx, caller, plan);
      return outcomeOf(plan);
    });
  }

  private async store(tx: Tx, caller: UserCaller, plan: readonly PlannedValues[]): Promise<void> {
    const resolved = plan.filter(isResolved);
    await this.fieldValuesRepository.setMany(tx, resolved.flatMap(valuesOf));
    const { orgs, sites } = caller.scope;
    // A source id applies to the whole organisation, so a site-confined caller may not record one.
    if (sites === 'all') await this.valueImportRepository.insertSources(tx, resolved.flatMap(sourceOf), orgs === 'all');
    const applied = resolved.filter(({ outcome }) => outcome !== 'already-applied').map(({ device }) => device);
    for (const orgId of new Set(applied.map((device) => device.orgId))) {
      const own = applied.filter((device) => device.orgId === orgId);
      tx.audit({
        action: 'custom_field.values.import',
        partnerId: own[0]?.partnerId,
        orgId,
        resource: { type: 'organization', id: orgId },
        details: { devices: own.length },
      });
    }
  }
}

type Resolved = PlannedValues & { readonly device: NonNullable<PlannedValues['device']> };
const isResolved = (planned: PlannedValues): planned is Resolved => planned.device !== null && planned.fault === null;
const placeOf = ({ device: { id: deviceId, partnerId, orgId } }: Resolved): DevicePlace => ({
  deviceId,
  partnerId,
  orgId,
});

const valuesOf = (planned: Resolved): (DevicePlace & Pick<PlannedValue, 'fieldId' | 'value'>)[] =>
  planned.values.filter(({ kept }) => !kept).map(({ fieldId, value }) => ({ ...placeOf(planned), fieldId, value }));

/** The source id is stored at the first import, so that the next import finds the device even under another name. */
const sourceOf = (planned: Resolved): (DevicePlace & SourceId)[] => {
  const { sourceSystem, sourceDeviceId } = planned.row ?? {};
  return sourceSystem && sourceDeviceId ? [{ ...placeOf(planned), sourceSystem, sourceDeviceId }] : [];
};

function outcomeOf(plan: readonly PlannedValues[]): ValueImportOutcome {
  const outcome: ValueImportOutcome = { applied: [], skipped: [], errors: [] };
  for (const [index, planned] of plan.entries()) {
    if (planned.fault) outcome.errors.push({ index, ...planned.fault });
    else if (planned.outcome === 'not-found')
      outcome.errors.push({ index, code: 'not-found', message: 'There is no such device.' });
    else
      (planned.outcome === 'already-applied' ? outcome.skipped : outcome.applied).push(
        plannedValuesView(planned, index),
      );
  }
  return outcome;
}
