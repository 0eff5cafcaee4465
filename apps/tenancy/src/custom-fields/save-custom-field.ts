import { partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateCustomFieldDto, CustomFieldResponse, UpdateCustomFieldDto } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { assignments } from '../rows/assignments.ts';
import { type Owner, ownedInReach, requireOwned, requireOwner } from '../scope/owner.ts';
import {
  type CustomFieldRow,
  customFieldView,
  fieldKeyTaken,
  fieldNotFound,
  fieldProblems,
  findField,
} from './custom-field.view.ts';

const INSERT = `
  INSERT INTO custom_fields (id, partner_id, org_id, name, field_key, type, options) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT ON CONSTRAINT custom_field_key_unique DO NOTHING RETURNING id`;

const FIXED = ['fieldKey', 'type', 'ownerScope', 'orgId', 'partnerId'] as const;

type Definition = Pick<CreateCustomFieldDto, 'name' | 'fieldKey' | 'type' | 'options'>;

/**
 * Inserts a custom field.
 * @throws ProblemError validation_failed
 * @returns the id, or null if the owner already has a field with this key
 */
export async function insertField(
  tx: Tx,
  { partnerId, orgId }: Owner,
  { name, fieldKey, type, options = [] }: Definition,
): Promise<string | null> {
  const row = await tx
    .one<{ id: string }>(INSERT, [newId(), partnerId, orgId, name, fieldKey, type, options])
    .catch(onConstraint(fieldProblems));
  return row?.id ?? null;
}

@Injectable()
export class SaveCustomField {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * @throws ProblemError validation_failed, name_taken, scope_denied, partner_required, org_required,
   * organization_not_found, organization_frozen
   */
  create(caller: UserCaller, draft: CreateCustomFieldDto): Promise<CustomFieldResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await insertField(tx, await requireOwner(tx, caller, draft), draft);
      if (id === null) throw fieldKeyTaken();
      const field = await findField(tx, caller, id);
      this.record(tx, 'custom_field.create', field, { type: field.type });
      return customFieldView(field);
    });
  }

  /**
   * Key and type cannot change, because stored values depend on them.
   * @throws ProblemError no_updates_provided, validation_failed, custom_field_not_found, scope_denied,
   * organization_frozen
   */
  update(caller: UserCaller, id: string, patch: UpdateCustomFieldDto): Promise<CustomFieldResponse> {
    const { updates, named } = partUpdates(patch, FIXED);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireSame(named, await this.requireField(tx, caller, id));
      const conditions = ownedInReach(caller).add('id = ?', id);
      const set = assignments(updates, conditions);
      await tx
        .query(`UPDATE custom_fields SET ${set} ${conditions.where}`, conditions.parameters)
        .catch(onConstraint(fieldProblems));
      const field = await findField(tx, caller, id);
      this.record(tx, 'custom_field.update', field, { changedFields: Object.keys(updates) });
      return customFieldView(field);
    });
  }

  /**
   * Deletes the field with all its values.
   * @throws ProblemError custom_field_not_found, scope_denied, organization_frozen
   */
  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const field = await this.requireField(tx, caller, id);
      const { where, parameters } = ownedInReach(caller).add('id = ?', id);
      if (!(await tx.one(`DELETE FROM custom_fields ${where} RETURNING id`, parameters))) throw fieldNotFound();
      this.record(tx, 'custom_field.delete', field);
    });
  }

  private async requireField(tx: Tx, caller: UserCaller, id: string): Promise<CustomFieldRow> {
    const field = await findField(tx, caller, id);
    await requireOwned(tx, caller, field.orgId);
    return field;
  }

  private record(
    tx: Tx,
    action: 'custom_field.create' | 'custom_field.update' | 'custom_field.delete',
    { id, name, partnerId, orgId }: CustomFieldRow,
    details: Record<string, unknown> = {},
  ): void {
    tx.audit({ action, partnerId, orgId, resource: { type: 'custom_field', id, name }, details });
  }
}
