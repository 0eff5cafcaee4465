import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { CONTACT_ROLES, type ContactQuery, type ContactResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { checkRoles } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { requireReadable } from '../scope/organizations-in-reach.repository.ts';
import { ContactsRepository } from './contacts.repository.ts';

@Injectable()
export class ListContacts {
  constructor(
    private readonly work: UnitOfWork,
    private readonly contactsRepository: ContactsRepository,
  ) {}

  /** @throws ProblemError organization_not_found, invalid-role */
  execute(caller: UserCaller, orgId: string, query: ContactQuery): Promise<Page<ContactResponse>> {
    if (query.role && 'unknown' in checkRoles([query.role]))
      throw new ProblemError('invalid-role', `"${query.role}" is not a role of contacts.`, {
        validRoles: CONTACT_ROLES,
      });
    return this.work.read(caller, async (reader) => {
      await requireReadable(reader, caller, orgId);
      return this.contactsRepository.list(reader, caller, orgId, query);
    });
  }
}
