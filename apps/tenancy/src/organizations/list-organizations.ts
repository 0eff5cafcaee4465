import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationResponse, OrganizationQuery } from '@gatehouse/contracts-tenancy';
import { type Conditions, scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { containing } from '../rows/assignments.ts';
import { listPage, searchPage } from '../rows/list-page.sql.ts';
import { ORGANIZATION_COLUMNS } from './organization.view.ts';

const inReach = (caller: UserCaller): Conditions =>
  scoped(caller.scope, { partner: 'partner_id', org: 'id' }).raw('NOT hidden');

@Injectable()
export class ListOrganizations {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Pages follow the partner's preferred order.
   * @throws ProblemError partner_access_denied if a partner requests the organisations of another
   */
  execute(caller: UserCaller, query: OrganizationQuery): Promise<Page<OrganizationResponse>> {
    if (query.partnerId && caller.level !== 'system' && query.partnerId !== caller.partnerId)
      throw new ProblemError('partner_access_denied', 'Access denied to this partner.');
    const conditions = inReach(caller)
      .add('partner_id = ?', query.partnerId)
      .add('name ILIKE ?', containing(query.search));
    const order = caller.level === 'system' && !query.partnerId ? ['name', 'id'] : ['position', 'name', 'id'];
    return this.work.read(caller, (reader) =>
      (query.search ? searchPage : listPage)<OrganizationResponse>(reader, query, {
        columns: ORGANIZATION_COLUMNS,
        from: 'organizations',
        conditions,
        order,
      }),
    );
  }

  /** All organisations in the caller's reach, by name, without pages. */
  all(caller: UserCaller): Promise<OrganizationResponse[]> {
    const { where, parameters } = inReach(caller);
    return this.work.read(caller, (reader) =>
      reader.query<OrganizationResponse>(
        `SELECT ${ORGANIZATION_COLUMNS} FROM organizations ${where} ORDER BY name, id`,
        parameters,
      ),
    );
  }
}
