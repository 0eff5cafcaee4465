import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { SiteResponse, SiteQuery } from '@gatehouse/contracts-tenancy';
import { scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { containing } from '../rows/assignments.ts';
import { listPage, searchPage } from '../rows/list-page.sql.ts';
import { listedBelow } from '../scope/organizations-in-reach.repository.ts';
import { SITE_COLUMNS } from './site.view.ts';

@Injectable()
export class ListSites {
  constructor(private readonly work: UnitOfWork) {}

  execute(caller: UserCaller, query: SiteQuery): Promise<Page<SiteResponse>> {
    const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'id' })
      .add('org_id = ?', query.orgId)
      .add('org_id = ?', query.organizationId)
      .add('name ILIKE ?', containing(query.search))
      .raw(listedBelow(caller, 'org_id'));
    return this.work.read(caller, (reader) =>
      (query.search ? searchPage : listPage)<SiteResponse>(reader, query, {
        columns: SITE_COLUMNS,
        from: 'sites',
        conditions,
        order: ['name', 'id'],
      }),
    );
  }
}
