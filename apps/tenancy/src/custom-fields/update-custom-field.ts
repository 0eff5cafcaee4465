import { partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { CustomFieldResponse, UpdateCustomFieldDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { auditFieldChange, customFieldView } from './custom-field.view.ts';
import { CustomFieldsRepository } from './custom-fields.repository.ts';

/** Key and type cannot change, because stored values depend on them. */
const FIXED = ['fieldKey', 'type', 'ownerScope', 'orgId', 'partnerId'] as const;

@Injectable()
export class UpdateCustomField {
  constructor(
    private readonly work: UnitOfWork,
    private readonly customFieldsRepository: CustomFieldsRepository,
  ) {}

  /**
   * @throws ProblemError no_updates_provided, validation_failed, custom_field_not_found, scope_denied,
   * organization_frozen
   */
  execute(caller: UserCaller, id: string, patch: UpdateCustomFieldDto): Promise<CustomFieldResponse> {
    const { updates, named } = partUpdates(patch, FIXED);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireSame(named, await this.customFieldsRepository.getWritable(tx, caller, id));
      await this.customFieldsRepository.update(tx, caller, id, updates);
      const field = await this.customFieldsRepository.get(tx, caller, id);
      auditFieldChange(tx, 'custom_field.update', field, { changedFields: Object.keys(updates) });
      return customFieldView(field);
    });
  }
}
