import { partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { ContactResponse, ContactFieldsDto } from '@gatehouse/contracts-tenancy';
import { onConstraint, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { assignments, returned } from '../rows/assignments.ts';
import { OF_LIVING_ORGANIZATION, requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { checkedContact, requireIdentifier, siteNotInOrg } from './checked-contact.ts';
import {
  CONTACT_COLUMNS,
  contactNotFound,
  type ContactRow,
  contactsInReach,
  contactView,
  lockContacts,
  requireSiteInReach,
} from './contact.view.ts';
import { demotePrimary } from './demote-primary.ts';

/**
 * Returns the contact and locks all contacts of its organisation until the transaction ends.
 * @throws ProblemError contact_not_found, organization_frozen, site_access_denied
 */
export async function holdContact(tx: Tx, caller: UserCaller, id: string): Promise<ContactRow> {
  const { where, parameters } = contactsInReach(caller)
    .add('id = ?', id)
    .raw(OF_LIVING_ORGANIZATION('contacts.org_id'));
  const found = await tx.one<{ orgId: string }>(`SELECT org_id FROM contacts ${where}`, parameters);
  if (!found) throw contactNotFound();
  await requireWritable(tx, caller, found.orgId);
  await lockContacts(tx, [found.orgId]);
  const contact = await tx.one<ContactRow>(
    `SELECT ${CONTACT_COLUMNS}, partner_id FROM contacts ${where} FOR UPDATE`,
    parameters,
  );
  if (!contact) throw contactNotFound();
  requireSiteInReach(caller, contact.siteId);
  return contact;
}

@Injectable()
export class UpdateContact {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * An explicit null clears a field. @throws ProblemError no_updates_provided, contact_not_found, no-identifier,
   * invalid-role, site-not-in-org, site_access_denied, organization_frozen
   */
  execute(caller: UserCaller, id: string, patch: ContactFieldsDto): Promise<ContactResponse> {
    const { updates: sent, named } = partUpdates(patch, ['orgId']);
    const updates = checkedContact(sent);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const current = await holdContact(tx, caller, id);
      requireSame(named, current);
      const merged = { ...current, ...updates };
      requireIdentifier(merged);
      requireSiteInReach(caller, merged.siteId);
      if (merged.isPrimary) await demotePrimary(tx, { orgId: current.orgId, siteId: merged.siteId, except: id });
      const conditions = contactsInReach(caller).add('id = ?', id);
      const set = assignments(updates, conditions);
      const row = await tx
        .one<ContactRow>(
          `UPDATE contacts SET ${set} ${conditions.where} RETURNING ${CONTACT_COLUMNS}, partner_id`,
          conditions.parameters,
        )
        .catch(onConstraint(siteNotInOrg));
      const contact = returned(row);
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

  /** @throws ProblemError contact_not_found, site_access_denied, organization_frozen */
  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const { partnerId, orgId, siteId, name, email } = await holdContact(tx, caller, id);
      const { where, parameters } = contactsInReach(caller).add('id = ?', id);
      await tx.query(`DELETE FROM contacts ${where}`, parameters);
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
