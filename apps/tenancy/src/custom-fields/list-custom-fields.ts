import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { CustomFieldQuery, CustomFieldResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { CustomFieldsRepository } from './custom-fields.repository.ts';

@Injectable()
export class ListCustomFields {
  constructor(
    private readonly work: UnitOfWork,
    private readonly customFieldsRepository: CustomFieldsRepository,
  ) {}

  execute(caller: UserCaller, query: CustomFieldQuery): Promise<Page<CustomFieldResponse>> {
    return this.work.read(caller, (reader) => this.customFieldsRepository.list(reader, caller, query));
  }
}
