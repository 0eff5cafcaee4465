import {
  invalid,
  type Page,
  partOf,
  partUpdates,
  ProblemError,
  requireSame,
  type UserCaller,
} from '@gatehouse/contracts-core';
import { CONTACT_ROLES, type ContactFieldsDto, type ContactQuery, ContactResponse } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { checkRoles } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { requireReadable, requireWritable } from '../scope/organizations-in-reach.repository.ts';
import {
  checkedContact,
  type ContactRow,
  ContactsRepository,
  lockContacts,
  requireIdentifier,
} from './contacts.repository.ts';

/**
 * A contact without a site belongs to the whole organisation: a site-confined caller can read it but not change it.
 */
export const mayWriteAt = ({ scope }: UserCaller, siteId: string | null): boolean =>
  scope.sites === 'all' || (siteId !== null && scope.sites.has(siteId));

/** @throws ProblemError site_access_denied for a write outside the sites of a confined caller */
function requireSiteInReach(caller: UserCaller, siteId: string | null): void {
  if (!mayWriteAt(caller, siteId))
    throw new ProblemError('site_access_denied', 'Your access is limited to some sites of this organisation.');
}

const notFound = (): ProblemError => new ProblemError('contact_not_found', 'There is no such contact.');

/** Returns the contact and locks all contacts of its organisation until the transaction ends. */
async function lockContact(
  contactsRepository: ContactsRepository,
  tx: Tx,
  caller: UserCaller,
  id: string,
): Promise<ContactRow> {
  const orgId = await contactsRepository.findOrgOf(tx, caller, id);
  if (orgId === null) throw notFound();
  await requireWritable(tx, caller, orgId);
  await lockContacts(tx, [orgId]);
  const contact = await contactsRepository.lock(tx, caller, id);
  if (!contact) throw notFound();
  requireSiteInReach(caller, contact.siteId);
  return contact;
}

const contactView = (contact: ContactRow): ContactResponse => partOf(ContactResponse, contact);

@Injectable()
export class ContactsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly contactsRepository: ContactsRepository,
  ) {}

  /** @throws ProblemError organization_not_found, invalid-role */
  list(caller: UserCaller, orgId: string, query: ContactQuery): Promise<Page<ContactResponse>> {
    if (query.role !== undefined && 'unknown' in checkRoles([query.role]))
      throw new ProblemError('invalid-role', `"${query.role}" is not a role of contacts.`, {
        validRoles: CONTACT_ROLES,
      });
    return this.work.read(caller, async (reader) => {
      await requireReadable(reader, caller, orgId);
      return this.contactsRepository.list(reader, caller, orgId, query);
    });
  }

  /**
   * @throws ProblemError validation_failed, no-identifier, invalid-role, site-not-in-org, site_access_denied,
   * organization_not_found, organization_frozen
   */
  create(
    caller: UserCaller,
    orgId: string,
    { orgId: named = orgId, ...draft }: ContactFieldsDto,
  ): Promise<ContactResponse> {
    if (named !== orgId) throw invalid('orgId', 'must be the organisation of the address');
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

  /**
   * An explicit null clears a field.
   * @throws ProblemError no_updates_provided, contact_not_found, no-identifier, invalid-role, site-not-in-org,
   * site_access_denied, organization_frozen
   */
  update(caller: UserCaller, id: string, patch: ContactFieldsDto): Promise<ContactResponse> {
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

  async delete(caller: UserCaller, id: string): Promise<void> {
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
