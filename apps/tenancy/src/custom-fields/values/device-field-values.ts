import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CustomFieldType, FieldValueRecord } from '@gatehouse/contracts-tenancy';
import { onConstraint, type Reader, type Tx, UnitOfWork } from '@gatehouse/database';
import { fitsField } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { requireDevice } from '../../devices/change-device.ts';
import { deviceInReach, deviceNotFound } from '../../devices/device.view.ts';

interface AppliedField extends FieldValueRecord {
  readonly options: string[];
  readonly type: CustomFieldType;
}

const VALUES = `
  SELECT f.id AS field_id, f.field_key, f.name, f.type, f.options, v.value FROM devices d
    JOIN custom_fields f ON f.partner_id = d.partner_id AND (f.org_id IS NULL OR f.org_id = d.org_id)
    LEFT JOIN custom_field_values v ON v.field_id = f.id AND v.device_id = d.id
   WHERE d.id = $1 ORDER BY f.field_key, f.org_id NULLS LAST`;
const CLEAR = 'DELETE FROM custom_field_values WHERE device_id = $1 AND field_id = ANY ($2::uuid[])';
const SET = `
  INSERT INTO custom_field_values (device_id, field_id, partner_id, org_id, value)
  SELECT $1, (v->>'fieldId')::uuid, $2, $3, v->'value' FROM jsonb_array_elements($4::jsonb) v
  ON CONFLICT (device_id, field_id) DO UPDATE SET value = EXCLUDED.value, updated_at = now()`;

const justGone = onConstraint({
  custom_field_values_field_id_fkey: () =>
    new ProblemError('custom_field_not_found', 'A custom field has just been deleted.'),
});

const view = ({ fieldId, fieldKey, name, type, value }: AppliedField): FieldValueRecord => ({
  fieldId,
  fieldKey,
  name,
  type,
  value: value ?? null,
});

@Injectable()
export class DeviceFieldValues {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Returns every field that applies to the device, with its value or null.
   * @throws ProblemError device_not_found
   */
  read(caller: UserCaller, deviceId: string): Promise<FieldValueRecord[]> {
    const { where, parameters } = deviceInReach(caller, deviceId);
    return this.work.read(caller, async (reader) => {
      if (!(await reader.one(`SELECT d.id FROM devices d ${where}`, parameters))) throw deviceNotFound();
      return (await this.fieldsOf(reader, deviceId)).map(view);
    });
  }

  /**
   * @throws ProblemError no_updates_provided, device_not_found, custom_field_not_found, validation_failed,
   * organization_frozen
   */
  write(caller: UserCaller, deviceId: string, values: Record<string, unknown>): Promise<FieldValueRecord[]> {
    if (Object.keys(values).length === 0) throw new ProblemError('no_updates_provided', 'No updates provided.');
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { partnerId, orgId, siteId, hostname } = await requireDevice(tx, caller, deviceId);
      const fields = await this.fieldsOf(tx, deviceId);
      const changes = Object.entries(values).map(([key, value]) => ({
        fieldId: fieldFor(fields, key, value).fieldId,
        value,
      }));
      await this.store(tx, { deviceId, partnerId, orgId, changes });
      tx.audit({
        action: 'custom_field.values.update',
        partnerId,
        orgId,
        siteId,
        resource: { type: 'device', id: deviceId, name: hostname },
        details: { changedFields: Object.keys(values) },
      });
      return (await this.fieldsOf(tx, deviceId)).map(view);
    });
  }

  private async store(
    tx: Tx,
    {
      deviceId,
      partnerId,
      orgId,
      changes,
    }: { deviceId: string; partnerId: string; orgId: string; changes: { fieldId: string; value: unknown }[] },
  ): Promise<void> {
    await tx.query(CLEAR, [deviceId, changes.filter(({ value }) => value === null).map(({ fieldId }) => fieldId)]);
    await tx
      .query(SET, [deviceId, partnerId, orgId, JSON.stringify(changes.filter(({ value }) => value !== null))])
      .catch(justGone);
  }

  private fieldsOf(reader: Reader, deviceId: string): Promise<AppliedField[]> {
    return reader.query<AppliedField>(VALUES, [deviceId]);
  }
}

/** A field of the organisation takes precedence over the partner's field with the same key. */
function fieldFor(fields: readonly AppliedField[], key: string, value: unknown): AppliedField {
  const field = fields.find(({ fieldKey }) => fieldKey === key);
  if (!field)
    throw new ProblemError('custom_field_not_found', `No custom field "${key.slice(0, 100)}" applies to this device.`);
  if (value !== null && !fitsField(field, value))
    throw invalid(
      `values.${key}`,
      `must be a ${field.type}${field.type === 'dropdown' ? ` option: ${field.options.join(', ')}` : ''}`,
    );
  return field;
}
