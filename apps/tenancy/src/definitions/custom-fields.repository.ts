import { invalid, type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  CreateCustomFieldDto,
  CustomFieldQuery,
  CustomFieldResponse,
  CustomFieldType,
  OwnerScope,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, type Reader, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments } from '../scope/assignments.ts';
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

const COLUMNS = `id, org_id, CASE WHEN org_id IS NULL THEN 'partner' ELSE 'organization' END AS owner_scope, name, field_key, type, options, created_at, updated_at`;
const INSERT = `
  INSERT INTO custom_fields (id, partner_id, org_id, name, field_key, type, options) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT ON CONSTRAINT custom_field_key_unique DO NOTHING RETURNING id`;

export type CustomFieldRow = Omit<CustomFieldEntity, 'version'> & { readonly ownerScope: OwnerScope };
export type FieldDefinition = Pick<CreateCustomFieldDto, 'name' | 'fieldKey' | 'type' | 'options'>;

const fieldNotFound = (): ProblemError => new ProblemError('custom_field_not_found', 'Custom field not found.');
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

  async get(reader: Reader, caller: UserCaller, id: string): Promise<CustomFieldRow> {
    const { where, parameters } = oneInReach(caller, id);
    const sql = `SELECT ${COLUMNS}, partner_id FROM custom_fields ${where}`;
    const field = await reader.one<CustomFieldRow>(sql, parameters);
    if (!field) throw fieldNotFound();
    return field;
  }

  /** Returns a field that the caller may change. */
  async getWritable(tx: Tx, caller: UserCaller, id: string): Promise<CustomFieldRow> {
    const field = await this.get(tx, caller, id);
    await requireOwned(tx, caller, field.orgId);
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
