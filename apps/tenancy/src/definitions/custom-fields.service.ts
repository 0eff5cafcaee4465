import { type Page, partUpdates, ProblemError, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type {
  CreateCustomFieldDto,
  CustomFieldQuery,
  CustomFieldResponse,
  UpdateCustomFieldDto,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireOwner } from '../scope/owner.ts';
import { type CustomFieldRow, CustomFieldsRepository } from './custom-fields.repository.ts';

const customFieldView = ({ partnerId: _, ...field }: CustomFieldRow): CustomFieldResponse => field;

function auditFieldChange(
  tx: Tx,
  action: 'custom_field.create' | 'custom_field.update' | 'custom_field.delete',
  { id, name, partnerId, orgId }: CustomFieldRow,
  details: Readonly<Record<string, unknown>> = {},
): void {
  tx.audit({ action, partnerId, orgId, resource: { type: 'custom_field', id, name }, details });
}

/** Key and type cannot change, because stored values depend on them. */
const FIXED = ['fieldKey', 'type', 'ownerScope', 'orgId', 'partnerId'] as const;

@Injectable()
export class CustomFieldsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly customFieldsRepository: CustomFieldsRepository,
  ) {}

  list(caller: UserCaller, query: CustomFieldQuery): Promise<Page<CustomFieldResponse>> {
    return this.work.read(caller, (reader) => this.customFieldsRepository.list(reader, caller, query));
  }

  get(caller: UserCaller, id: string): Promise<CustomFieldResponse> {
    return this.work.read(caller, async (reader) =>
      customFieldView(await this.customFieldsRepository.get(reader, caller, id)),
    );
  }

  create(caller: UserCaller, draft: CreateCustomFieldDto): Promise<CustomFieldResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await this.customFieldsRepository.insert(tx, await requireOwner(tx, caller, draft), draft);
      if (id === null) throw new ProblemError('name_taken', 'This owner has a field with this key.');
      const field = await this.customFieldsRepository.get(tx, caller, id);
      auditFieldChange(tx, 'custom_field.create', field, { type: field.type });
      return customFieldView(field);
    });
  }

  update(caller: UserCaller, id: string, patch: UpdateCustomFieldDto): Promise<CustomFieldResponse> {
    const { updates, named } = partUpdates(patch, FIXED);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireSame(named, await this.customFieldsRepository.getWritable(tx, caller, id));
      await this.customFieldsRepository.update(tx, caller, id, updates);
      const field = await this.customFieldsRepository.get(tx, caller, id);
      auditFieldChange(tx, 'custom_field.update', field, { changedFields: Object.keys(updates) });
      return customFieldView(field);
    });
  }

  /** Deletes the field with all its values. */
  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const field = await this.customFieldsRepository.getWritable(tx, caller, id);
      await this.customFieldsRepository.delete(tx, caller, id);
      auditFieldChange(tx, 'custom_field.delete', field);
    });
  }
}
