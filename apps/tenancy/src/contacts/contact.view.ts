import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ContactResponse } from '@gatehouse/contracts-tenancy';
import { type Conditions, scoped, type Tx } from '@gatehouse/database';

export const CONTACT_COLUMNS =
  'id, org_id, site_id, name, email, phone, mobile, title, roles, is_primary, notes, external_system, external_id, created_at, updated_at';

export interface ContactRow extends ContactResponse {
  readonly partnerId: string;
}

export const contactView = ({ partnerId: _, ...contact }: ContactRow): ContactResponse => contact;
export const contactNotFound = (): ProblemError => new ProblemError('contact_not_found', 'Contact not found.');

/** Contacts that the caller may see. A site-confined caller cannot see a contact that is pinned to another site. */
export function contactsInReach(caller: UserCaller): Conditions {
  const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'org_id' });
  const { sites } = caller.scope;
  return sites === 'all' ? conditions : conditions.add('(site_id IS NULL OR site_id = ANY (?::uuid[]))', [...sites]);
}

/**
 * A contact without a site belongs to the whole organisation: a site-confined caller can read it but not change it.
 */
export const mayWriteAt = ({ scope }: UserCaller, siteId: string | null): boolean =>
  scope.sites === 'all' || (siteId !== null && scope.sites.has(siteId));

/** @throws ProblemError site_access_denied for a write outside the sites of a confined caller */
export function requireSiteInReach(caller: UserCaller, siteId: string | null): void {
  if (!mayWriteAt(caller, siteId))
    throw new ProblemError('site_access_denied', 'Your access is limited to some sites of this organization.');
}

/**
 * Locks the contacts of the organisations until the transaction ends, so that concurrent writers check "one primary"
 * and "no duplicate" one after the other.
 */
export const lockContacts = (tx: Tx, orgIds: readonly string[]): Promise<object[]> =>
  tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('contacts ' || org.id, 0)) FROM (SELECT id FROM unnest($1::text[]) AS id ORDER BY id) AS org`,
    [orgIds],
  );
