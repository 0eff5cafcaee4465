import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { CONTACT_ROLES, type ContactResponse, type ContactQuery } from '@gatehouse/contracts-tenancy';
import { type Conditions, UnitOfWork } from '@gatehouse/database';
import { checkRoles } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { listPage } from '../rows/list-page.sql.ts';
import { requireReadable } from '../scope/organizations-in-reach.repository.ts';
import { CONTACT_COLUMNS, contactsInReach } from './contact.view.ts';

@Injectable()
export class ListContacts {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError organization_not_found, invalid-role */
  execute(caller: UserCaller, orgId: string, query: ContactQuery): Promise<Page<ContactResponse>> {
    if (query.role && 'unknown' in checkRoles([query.role]))
      throw new ProblemError('invalid-role', `"${query.role}" is not a role of contacts.`, {
        validRoles: CONTACT_ROLES,
      });
    const conditions = ofSite(contactsInReach(caller).add('org_id = ?', orgId), query.siteId).add(
      '? = ANY (roles)',
      query.role,
    );
    return this.work.read(caller, async (reader) => {
      await requireReadable(reader, caller, orgId);
      return listPage<ContactResponse>(reader, query, {
        columns: CONTACT_COLUMNS,
        from: 'contacts',
        conditions,
        order: ['name', 'id'],
      });
    });
  }
}

const ofSite = (conditions: Conditions, siteId: string | undefined): Conditions =>
  siteId?.toLowerCase() === 'none' ? conditions.raw('site_id IS NULL') : conditions.add('site_id = ?', siteId);
