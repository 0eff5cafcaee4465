import { ProblemError } from '@gatehouse/contracts-core';
import type { FieldValueRecord } from '@gatehouse/contracts-tenancy';
import { onConstraint, type Reader, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CustomFieldEntity } from '../custom-fields.repository.ts';

/** A device's value of a custom field. */
@Entity('custom_field_values')
export class CustomFieldValueEntity {
  @PrimaryColumn('uuid') deviceId!: string;
  @PrimaryColumn('uuid') fieldId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('jsonb') value!: string | number | boolean;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

const OF_DEVICE = `
  SELECT f.id AS field_id, f.field_key, f.name, f.type, f.options, v.value FROM devices d
    JOIN custom_fields f ON f.partner_id = d.partner_id AND (f.org_id IS NULL OR f.org_id = d.org_id)
    LEFT JOIN custom_field_values v ON v.field_id = f.id AND v.device_id = d.id
   WHERE d.id = $1 ORDER BY f.field_key, f.org_id NULLS LAST`;
const STORED = `SELECT device_id, field_id FROM custom_field_values WHERE device_id = ANY ($1::uuid[])
    AND field_id = ANY ($2::uuid[])`;
const CLEAR = 'DELETE FROM custom_field_values WHERE device_id = $1 AND field_id = ANY ($2::uuid[])';
const SET = `
  INSERT INTO custom_field_values (device_id, field_id, partner_id, org_id, value)
  SELECT $1, (v->>'fieldId')::uuid, $2, $3, v->'value' FROM jsonb_array_elements($4::jsonb) v
  ON CONFLICT (device_id, field_id) DO UPDATE SET value = EXCLUDED.value, updated_at = now()`;
// If two rows set the same value, the later row wins.
const SET_MANY = `
  INSERT INTO custom_field_values (device_id, field_id, partner_id, org_id, value)
  SELECT DISTINCT ON (v->>'deviceId', v->>'fieldId') (v->>'deviceId')::uuid, (v->>'fieldId')::uuid,
    (v->>'partnerId')::uuid, (v->>'orgId')::uuid, v->'value'
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r(v, position)
      ORDER BY v->>'deviceId', v->>'fieldId', position DESC
  ON CONFLICT (device_id, field_id) DO UPDATE SET value = EXCLUDED.value, updated_at = now()`;

/** A field that applies to a device, with the device's value. */
export interface AppliedField extends FieldValueRecord {
  readonly options: CustomFieldEntity['options'];
}

export interface DevicePlace {
  readonly deviceId: string;
  readonly partnerId: string;
  readonly orgId: string;
}

const fieldDeletedConcurrently = onConstraint({
  custom_field_values_field_id_fkey: () =>
    new ProblemError('custom_field_not_found', 'A custom field has just been deleted.'),
});

/** The caller of each method must have checked that the devices are in reach. */
@Injectable()
export class FieldValuesRepository {
  /** Every field that applies to the device; the organisation's field comes before the partner's of the same key. */
  ofDevice(reader: Reader, deviceId: string): Promise<AppliedField[]> {
    return reader.query<AppliedField>(OF_DEVICE, [deviceId]);
  }

  /** The devices and fields for which a value is stored. */
  stored(
    reader: Reader,
    deviceIds: readonly string[],
    fieldIds: readonly string[],
  ): Promise<Pick<CustomFieldValueEntity, 'deviceId' | 'fieldId'>[]> {
    return reader.query(STORED, [deviceIds, fieldIds]);
  }

  /** Stores the values of one device; null clears a value. */
  async set(
    tx: Tx,
    { deviceId, partnerId, orgId }: DevicePlace,
    changes: readonly { readonly fieldId: string; readonly value: unknown }[],
  ): Promise<void> {
    const cleared = changes.filter(({ value }) => value === null).map(({ fieldId }) => fieldId);
    const values = JSON.stringify(changes.filter(({ value }) => value !== null));
    await tx.query(CLEAR, [deviceId, cleared]);
    await tx.query(SET, [deviceId, partnerId, orgId, values]).catch(fieldDeletedConcurrently);
  }

  /** Stores the values of many devices. */
  async setMany(
    tx: Tx,
    values: readonly (DevicePlace & Pick<CustomFieldValueEntity, 'fieldId' | 'value'>)[],
  ): Promise<void> {
    await tx.query(SET_MANY, [JSON.stringify(values)]);
  }
}
