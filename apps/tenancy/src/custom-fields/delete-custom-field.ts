import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { auditFieldChange } from './custom-field.view.ts';
import { CustomFieldsRepository } from './custom-fields.repository.ts';

@Injectable()
export class DeleteCustomField {
  constructor(
    private readonly work: UnitOfWork,
    private readonly customFieldsRepository: CustomFieldsRepository,
  ) {}

  /**
   * Deletes the field with all its values.
   * @throws ProblemError custom_field_not_found, scope_denied, organization_frozen
   */
  async execute(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const field = await this.customFieldsRepository.getWritable(tx, caller, id);
      await this.customFieldsRepository.delete(tx, caller, id);
      auditFieldChange(tx, 'custom_field.delete', field);
    });
  }
}
