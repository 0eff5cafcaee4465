import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import type { ContactResponse, ContactFieldsDto } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { insertion, returned } from '../rows/assignments.ts';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { checkedContact, requireIdentifier, siteNotInOrg } from './checked-contact.ts';
import { CONTACT_COLUMNS, type ContactRow, contactView, lockContacts, requireSiteInReach } from './contact.view.ts';
import { demotePrimary } from './demote-primary.ts';

@Injectable()
export class CreateContact {
  constructor(private readonly work: UnitOfWork) {}

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
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { partnerId } = await requireWritable(tx, caller, orgId);
      requireSiteInReach(caller, contact.siteId ?? null);
      await lockContacts(tx, [orgId]);
      if (contact.isPrimary) await demotePrimary(tx, { orgId, siteId: contact.siteId ?? null });
      const { columns, placeholders, values } = insertion({ ...contact, id: newId(), partnerId, orgId });
      const row = returned(
        await tx
          .one<ContactRow>(
            `INSERT INTO contacts (${columns}) VALUES (${placeholders}) RETURNING ${CONTACT_COLUMNS}, partner_id`,
            values,
          )
          .catch(onConstraint(siteNotInOrg)),
      );
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
