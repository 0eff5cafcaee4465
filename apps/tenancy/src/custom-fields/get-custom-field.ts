import type { UserCaller } from '@gatehouse/contracts-core';
import type { CustomFieldResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { customFieldView } from './custom-field.view.ts';
import { CustomFieldsRepository } from './custom-fields.repository.ts';

@Injectable()
export class GetCustomField {
  constructor(
    private readonly work: UnitOfWork,
    private readonly customFieldsRepository: CustomFieldsRepository,
  ) {}

  /** @throws ProblemError custom_field_not_found */
  execute(caller: UserCaller, id: string): Promise<CustomFieldResponse> {
    return this.work.read(caller, async (reader) =>
      customFieldView(await this.customFieldsRepository.get(reader, caller, id)),
    );
  }
}
