import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import type { ContactFieldsDto, ContactResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { checkedContact, requireIdentifier } from './checked-contact.ts';
import { requireSiteInReach } from './contact-reach.ts';
import { contactView } from './contact.view.ts';
import { ContactsRepository, lockContacts } from './contacts.repository.ts';

@Injectable()
export class CreateContact {
  constructor(
    private readonly work: UnitOfWork,
    private readonly contactsRepository: ContactsRepository,
  ) {}

  /**
   * @throws ProblemError validation_failed, no-identifier, invalid-role, site-not-in-org, site_access_denied,
   * organization_not_found, organization_frozen
   */
  execute(
    caller: UserCaller,
    orgId: string,
    { orgId: named = orgId, ...draft }: ContactFieldsDto,
  ): Promise<ContactResponse> {
    if (named !== orgId) throw invalid('orgId', 'must be the organization of the address');
    const contact = checkedContact(draft);
    requireIdentifier(contact);
    const { siteId = null } = contact;
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { partnerId } = await requireWritable(tx, caller, orgId);
      requireSiteInReach(caller, siteId);
      await lockContacts(tx, [orgId]);
      if (contact.isPrimary) await this.contactsRepository.demotePrimary(tx, { orgId, siteId });
      const row = await this.contactsRepository.insert(tx, { ...contact, partnerId, orgId });
      tx.audit({
        action: 'contact.create',
        partnerId,
        orgId,
        siteId: row.siteId,
        resource: { type: 'contact', id: row.id, name: row.name ?? row.email },
      });
      return contactView(row);
    });
  }
}
