import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { CustomFieldResponse, CustomFieldQuery } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { listPage } from '../rows/list-page.sql.ts';
import { listedInReach } from '../scope/owner.ts';
import { CUSTOM_FIELD_COLUMNS, customFieldView, findField } from './custom-field.view.ts';

@Injectable()
export class ListCustomFields {
  constructor(private readonly work: UnitOfWork) {}

  /** With orgId, lists the fields that apply to that organisation: its own and the partner's. */
  execute(caller: UserCaller, query: CustomFieldQuery): Promise<Page<CustomFieldResponse>> {
    const conditions = listedInReach(caller).add('(org_id = ? OR org_id IS NULL)', query.orgId);
    return this.work.read(caller, (reader) =>
      listPage<CustomFieldResponse>(reader, query, {
        columns: CUSTOM_FIELD_COLUMNS,
        from: 'custom_fields',
        conditions,
        order: ['name', 'id'],
      }),
    );
  }

  /** @throws ProblemError custom_field_not_found */
  one(caller: UserCaller, id: string): Promise<CustomFieldResponse> {
    return this.work.read(caller, async (reader) => customFieldView(await findField(reader, caller, id)));
  }
}
