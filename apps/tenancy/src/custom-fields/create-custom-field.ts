import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateCustomFieldDto, CustomFieldResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireOwner } from '../scope/owner.ts';
import { auditFieldChange, customFieldView } from './custom-field.view.ts';
import { CustomFieldsRepository } from './custom-fields.repository.ts';

@Injectable()
export class CreateCustomField {
  constructor(
    private readonly work: UnitOfWork,
    private readonly customFieldsRepository: CustomFieldsRepository,
  ) {}

  /**
   * @throws ProblemError validation_failed, name_taken, scope_denied, partner_required, org_required,
   * organization_not_found, organization_frozen
   */
  execute(caller: UserCaller, draft: CreateCustomFieldDto): Promise<CustomFieldResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await this.customFieldsRepository.insert(tx, await requireOwner(tx, caller, draft), draft);
      if (id === null) throw new ProblemError('name_taken', 'This owner has a field with this key.');
      const field = await this.customFieldsRepository.get(tx, caller, id);
      auditFieldChange(tx, 'custom_field.create', field, { type: field.type });
      return customFieldView(field);
    });
  }
}
