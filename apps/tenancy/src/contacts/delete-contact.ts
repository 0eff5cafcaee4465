import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ContactsRepository } from './contacts.repository.ts';
import { lockContact } from './lock-contact.ts';

@Injectable()
export class DeleteContact {
  constructor(
    private readonly work: UnitOfWork,
    private readonly contactsRepository: ContactsRepository,
  ) {}

  /** @throws ProblemError contact_not_found, site_access_denied, organization_frozen */
  async execute(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const contact = await lockContact(this.contactsRepository, tx, caller, id);
      await this.contactsRepository.delete(tx, caller, id);
      const { partnerId, orgId, siteId, name, email } = contact;
      tx.audit({
        action: 'contact.delete',
        partnerId,
        orgId,
        siteId,
        resource: { type: 'contact', id, name: name ?? email },
      });
    });
  }
}
