import type { Page, PageQuery, UserCaller } from '@gatehouse/contracts-core';
import type { PartnerResponse } from '@gatehouse/contracts-tenancy';
import { scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { listPage } from '../rows/list-page.sql.ts';
import { PARTNER_COLUMNS } from './partner.view.ts';

@Injectable()
export class ListPartners {
  constructor(private readonly work: UnitOfWork) {}

  execute(caller: UserCaller, query: PageQuery): Promise<Page<PartnerResponse>> {
    const conditions = scoped(caller.scope, { partner: 'id' }).raw('deleted_at IS NULL');
    return this.work.read(caller, (reader) =>
      listPage<PartnerResponse>(reader, query, {
        columns: PARTNER_COLUMNS,
        from: 'partners',
        conditions,
        order: ['name', 'id'],
      }),
    );
  }
}
