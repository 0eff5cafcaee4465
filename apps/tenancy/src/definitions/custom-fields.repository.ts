import { invalid, type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  type CreateCustomFieldDto,
  type CustomFieldQuery,
  type CustomFieldResponse,
  type CustomFieldType,
  type FieldImportRowDto,
  type FieldValueRecord,
  FROZEN_STATUSES,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments } from '../scope/rows.repository.ts';
import { listPage } from '../scope/list-page.sql.ts';
import { listedInReach, oneInReach, ownedInReach, type Owner, requireOwned } from '../scope/owner.ts';

/** The definition of a field for which devices have values. */
@Entity('custom_fields')
export class CustomFieldEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null: the field belongs to the whole partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('varchar') name!: string;
  @Column('varchar') fieldKey!: string;
  @Column('text') type!: CustomFieldType;
  /** The values to choose from; only dropdowns have options. */
  @Column('text', { array: true, default: () => "'{}'::text[]" }) options!: string[];
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

const COLUMNS = `id, partner_id, org_id, CASE WHEN org_id IS NULL THEN 'partner' ELSE 'organization' END AS owner_scope,
  name, field_key, type, options, created_at, updated_at`;
const INSERT = `
  INSERT INTO custom_fields (id, partner_id, org_id, name, field_key, type, options) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT ON CONSTRAINT custom_field_key_unique DO NOTHING RETURNING id`;

export type FieldDefinition = Pick<CreateCustomFieldDto, 'name' | 'fieldKey' | 'type' | 'options'>;

const fieldNotFound = (): ProblemError => new ProblemError('custom_field_not_found', 'There is no such custom field.');
export const optionsMismatch = (): ProblemError =>
  invalid('options', 'a dropdown needs options, and only a dropdown has them');
const mismatch = onConstraint({ custom_field_options_for_dropdowns: optionsMismatch });

@Injectable()
export class CustomFieldsRepository {
  /** With orgId, lists the fields that apply to that organisation: its own and the partner's. */
  list(reader: Reader, caller: UserCaller, query: CustomFieldQuery): Promise<Page<CustomFieldResponse>> {
    return listPage<CustomFieldResponse>(reader, query, {
      columns: COLUMNS,
      from: 'custom_fields',
      conditions: listedInReach(caller).add('(org_id = ? OR org_id IS NULL)', query.orgId),
      order: ['name', 'id'],
    });
  }

  async get(reader: Reader, caller: UserCaller, id: string): Promise<CustomFieldResponse> {
    const { where, parameters } = oneInReach(caller, id);
    const sql = `SELECT ${COLUMNS} FROM custom_fields ${where}`;
    const field = await reader.one<CustomFieldResponse>(sql, parameters);
    if (!field) throw fieldNotFound();
    return field;
  }

  /** Returns a field that the caller may change. */
  async getWritable(tx: Tx, caller: UserCaller, id: string): Promise<CustomFieldResponse> {
    const field = await this.get(tx, caller, id);
    await requireOwned(tx, caller, field);
    return field;
  }

  /** @returns the id, or null if the owner already has a field with this key */
  async insert(
    tx: Tx,
    { partnerId, orgId }: Owner,
    { name, fieldKey, type, options = [] }: FieldDefinition,
  ): Promise<string | null> {
    const values = [newId(), partnerId, orgId, name, fieldKey, type, options];
    const row = await tx.one<{ id: string }>(INSERT, values).catch(mismatch);
    return row?.id ?? null;
  }

  async update(tx: Tx, caller: UserCaller, id: string, updates: Partial<CustomFieldEntity>): Promise<void> {
    const conditions = ownedInReach(caller).add('id = ?', id);
    const set = assignments(updates, conditions);
    await tx.query(`UPDATE custom_fields SET ${set} ${conditions.where}`, conditions.parameters).catch(mismatch);
  }

  /** Deletes the field with all its values. */
  async delete(tx: Tx, caller: UserCaller, id: string): Promise<void> {
    const { where, parameters } = ownedInReach(caller).add('id = ?', id);
    if (!(await tx.one(`DELETE FROM custom_fields ${where} RETURNING id`, parameters))) throw fieldNotFound();
  }
}

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
    await tx.query(SET, [deviceId, partnerId, orgId, values]);
  }

  /** Stores the values of many devices. */
  async setMany(
    tx: Tx,
    values: readonly (DevicePlace & Pick<CustomFieldValueEntity, 'fieldId' | 'value'>)[],
  ): Promise<void> {
    await tx.query(SET_MANY, [JSON.stringify(values)]);
  }
}

const UPDATE = 'UPDATE custom_fields SET name = $2, options = $3 WHERE id = $1';

export type KnownField = Pick<CustomFieldEntity, 'id' | 'orgId' | 'fieldKey' | 'type'>;

@Injectable()
export class FieldImportRepository {
  /** The fields in reach that have one of the keys. */
  known(reader: Reader, caller: UserCaller, keys: readonly string[]): Promise<KnownField[]> {
    const { where, parameters } = ownedInReach(caller).add('field_key = ANY (?::text[])', keys);
    return reader.query<KnownField>(`SELECT id, org_id, field_key, type FROM custom_fields ${where}`, parameters);
  }

  /** Those of the organisations that are in the caller's reach and not frozen. */
  async writableOrganizations(reader: Reader, caller: UserCaller, ids: readonly string[]): Promise<Set<string>> {
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'id' })
      .add('id = ANY (?::uuid[])', ids)
      .add('deleted_at IS NULL AND status <> ALL (?::text[])', FROZEN_STATUSES);
    const organizations = await reader.query<{ id: string }>(`SELECT id FROM organizations ${where}`, parameters);
    return new Set(organizations.map(({ id }) => id));
  }

  /** Updates a field from a row of an import. The caller must have checked the owner. */
  async update(tx: Tx, id: string, { name, options = [] }: FieldImportRowDto): Promise<void> {
    const mismatch = onConstraint({ custom_field_options_for_dropdowns: optionsMismatch });
    await tx.query(UPDATE, [id, name, options]).catch(mismatch);
  }
}
