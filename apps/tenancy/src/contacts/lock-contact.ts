import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { requireSiteInReach } from './contact-reach.ts';
import { type ContactRow, type ContactsRepository, lockContacts } from './contacts.repository.ts';

const notFound = (): ProblemError => new ProblemError('contact_not_found', 'Contact not found.');

/**
 * Returns the contact and locks all contacts of its organisation until the transaction ends.
 * @throws ProblemError contact_not_found, organization_frozen, site_access_denied
 */
export async function lockContact(
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
