import type { UserCaller } from '@gatehouse/contracts-core';
import type { FaultyRowRecord, ImportValuesDto, ValueRowRecord } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type PlannedValues, planValues, readValueRows } from './plan-values.ts';

export interface ValueImportOutcome {
  readonly applied: ValueRowRecord[];
  readonly skipped: ValueRowRecord[];
  readonly errors: FaultyRowRecord[];
}

// Locks the organisations until the values are stored.
const HOLD = 'SELECT id FROM organizations WHERE id = ANY ($1::uuid[]) ORDER BY id FOR SHARE';
// If two rows set the same value, the later row wins.
const SET = `
  INSERT INTO custom_field_values (device_id, field_id, partner_id, org_id, value)
  SELECT DISTINCT ON (v->>'deviceId', v->>'fieldId') (v->>'deviceId')::uuid, (v->>'fieldId')::uuid, (v->>'partnerId')::uuid, (v->>'orgId')::uuid, v->'value'
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r(v, position) ORDER BY v->>'deviceId', v->>'fieldId', position DESC
  ON CONFLICT (device_id, field_id) DO UPDATE SET value = EXCLUDED.value, updated_at = now()`;
// If two rows have the same source id, the earlier row wins. A link recorded by an import for the whole partner
// counts in every organisation.
const LINK = `
  INSERT INTO device_sources AS known (device_id, partner_id, org_id, source_system, source_device_id, partner_wide)
  SELECT DISTINCT ON (v->>'orgId', v->>'sourceSystem', v->>'sourceDeviceId')
         (v->>'deviceId')::uuid, (v->>'partnerId')::uuid, (v->>'orgId')::uuid, v->>'sourceSystem', v->>'sourceDeviceId', $2::boolean
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r(v, position)
   ORDER BY v->>'orgId', v->>'sourceSystem', v->>'sourceDeviceId', position
  ON CONFLICT (org_id, source_system, source_device_id) DO UPDATE SET partner_wide = true
   WHERE EXCLUDED.partner_wide AND NOT known.partner_wide AND known.device_id = EXCLUDED.device_id`;

const viewOf = ({ outcome, device, values }: PlannedValues, index: number): ValueRowRecord => ({
  index,
  outcome,
  deviceId: device?.id ?? null,
  fieldIds: values.map(({ fieldId }) => fieldId),
});

@Injectable()
export class ImportValues {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError too_many_rows */
  preview(caller: UserCaller, batch: ImportValuesDto): Promise<{ rows: (ValueRowRecord & { error?: object })[] }> {
    const rows = readValueRows(batch);
    return this.work.read(caller, async (reader) => {
      const plan = await planValues(reader, caller, rows, { mode: batch.mode ?? 'skip', hold: false });
      return {
        rows: plan.map((planned, index) => ({
          ...viewOf(planned, index),
          ...(planned.fault && { error: planned.fault }),
        })),
      };
    });
  }

  /**
   * Existing values stay unless the mode says otherwise.
   * @throws ProblemError too_many_rows
   */
  execute(caller: UserCaller, batch: ImportValuesDto): Promise<ValueImportOutcome> {
    const rows = readValueRows(batch);
    const mode = batch.mode ?? 'skip';
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const orgIds = (await planValues(tx, caller, rows, { mode, hold: false })).flatMap(
        ({ device }) => device?.orgId ?? [],
      );
      await tx.query(HOLD, [[...new Set(orgIds)]]);
      const plan = await planValues(tx, caller, rows, { mode, hold: true });
      await this.store(tx, caller, plan, mode);
      return outcomeOf(plan);
    });
  }

  private async store(
    tx: Tx,
    caller: UserCaller,
    plan: readonly PlannedValues[],
    mode: 'skip' | 'overwrite',
  ): Promise<void> {
    const resolved = plan.filter(isResolved);
    await tx.query(SET, [JSON.stringify(resolved.flatMap((planned) => valuesOf(planned, mode)))]);
    const { orgs, sites } = caller.scope;
    // A source id applies to the whole organisation, so a site-confined caller may not record one.
    if (sites === 'all') await tx.query(LINK, [JSON.stringify(resolved.flatMap(linkOf)), orgs === 'all']);
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
const isResolved = (planned: PlannedValues): planned is Resolved => planned.device !== null;
const placeOf = ({ device: { id: deviceId, partnerId, orgId } }: Resolved) => ({ deviceId, partnerId, orgId });

const valuesOf = (planned: Resolved, mode: 'skip' | 'overwrite'): object[] =>
  planned.values
    .filter(({ present }) => mode === 'overwrite' || !present)
    .map(({ fieldId, value }) => ({ ...placeOf(planned), fieldId, value }));

/** The source id is stored at the first import, so that the next import finds the device even under another name. */
const linkOf = (planned: Resolved): object[] => {
  const { sourceSystem, sourceDeviceId } = planned.row ?? {};
  return sourceSystem && sourceDeviceId ? [{ ...placeOf(planned), sourceSystem, sourceDeviceId }] : [];
};

const UNRESOLVED = {
  ambiguous: 'Several devices match the row; give the organization and a source device id.',
  'not-found': 'There is no such device in your reach.',
} as const;

function outcomeOf(plan: readonly PlannedValues[]): ValueImportOutcome {
  const outcome: ValueImportOutcome = { applied: [], skipped: [], errors: [] };
  for (const [index, planned] of plan.entries()) {
    if (planned.fault) outcome.errors.push({ index, ...planned.fault });
    else if (planned.outcome === 'ambiguous' || planned.outcome === 'not-found')
      outcome.errors.push({ index, code: planned.outcome, message: UNRESOLVED[planned.outcome] });
    else (planned.outcome === 'already-applied' ? outcome.skipped : outcome.applied).push(viewOf(planned, index));
  }
  return outcome;
}
