import { partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { ContactFieldsDto, ContactResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { checkedContact, requireIdentifier } from './checked-contact.ts';
import { requireSiteInReach } from './contact-reach.ts';
import { contactView } from './contact.view.ts';
import { ContactsRepository } from './contacts.repository.ts';
import { lockContact } from './lock-contact.ts';

@Injectable()
export class UpdateContact {
  constructor(
    private readonly work: UnitOfWork,
    private readonly contactsRepository: ContactsRepository,
  ) {}

  /**
   * An explicit null clears a field.
   * @throws ProblemError no_updates_provided, contact_not_found, no-identifier, invalid-role, site-not-in-org,
   * site_access_denied, organization_frozen
   */
  execute(caller: UserCaller, id: string, patch: ContactFieldsDto): Promise<ContactResponse> {
    const { updates: sent, named } = partUpdates(patch, ['orgId']);
    const updates = checkedContact(sent);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const current = await lockContact(this.contactsRepository, tx, caller, id);
      requireSame(named, current);
      const merged = { ...current, ...updates };
      requireIdentifier(merged);
      requireSiteInReach(caller, merged.siteId);
      if (merged.isPrimary) await this.contactsRepository.demotePrimary(tx, merged, id);
      const contact = await this.contactsRepository.update(tx, caller, id, updates);
      const { partnerId, orgId, siteId, name, email } = contact;
      tx.audit({
        action: 'contact.update',
        partnerId,
        orgId,
        siteId,
        resource: { type: 'contact', id, name: name ?? email },
        details: { changedFields: Object.keys(updates) },
      });
      return contactView(contact);
    });
  }
}
