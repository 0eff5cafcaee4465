import { foldName, type UserCaller } from '@gatehouse/contracts-core';
import type { ContactResponse, OrganizationStatus } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped, toSnake, type Tx } from '@gatehouse/database';
import type { ContactCandidate, KnownContact } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { CONTACT_COLUMNS } from '../contacts.repository.ts';
import { COMPARED, type PlacedContact, type StoredContact } from './stored-contact.ts';

export interface ImportOrganization {
  readonly id: string;
  readonly partnerId: string;
  readonly name: string;
  readonly slug: string;
  readonly status: OrganizationStatus;
}

export interface ImportSite {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
}

/** Whether the rows that the plan reads are locked until the transaction ends. */
export type Locking = 'locked' | 'unlocked';

interface Named {
  readonly ids: readonly string[];
  /** Folded. */
  readonly names: readonly string[];
  readonly locking: Locking;
}

/** Two matches prove that a name or address is ambiguous, so no more are read: thousands may share it. */
const ENOUGH = 2;

const SITES = `
  SELECT id, org_id, name FROM sites
   WHERE org_id = ANY ($1::uuid[]) AND (id::text = ANY ($2::text[]) OR folded_name = ANY ($2::text[])) ORDER BY id`;

const WRITTEN = COMPARED.map(toSnake);
const COLUMNS = ['id', 'partner_id', 'org_id', ...WRITTEN].join(', ');
const RECORD = 'jsonb_populate_recordset(NULL::contacts, $1::jsonb) AS r';
const INSERT = `INSERT INTO contacts (${COLUMNS}) SELECT ${COLUMNS} FROM ${RECORD}`;
const UPDATE = `
  UPDATE contacts c SET ${WRITTEN.map((column) => `${column} = r.${column}`).join(', ')}
    FROM ${RECORD} WHERE c.id = r.id AND c.org_id = r.org_id`;

const DEMOTE = `
  UPDATE contacts c SET is_primary = false
    FROM jsonb_to_recordset($1::jsonb) AS p(id uuid, "orgId" uuid, "siteId" uuid)
   WHERE c.org_id = p."orgId" AND c.site_id IS NOT DISTINCT FROM p."siteId" AND c.is_primary AND c.id <> p.id`;

@Injectable()
export class ContactImportRepository {
  /** Finds organisations by id, name or slug. Organisations outside the caller's reach count as missing. */
  organizations(reader: Reader, caller: UserCaller, { ids, names, locking }: Named): Promise<ImportOrganization[]> {
    const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'id' }).raw('deleted_at IS NULL');
    const [byId, byName] = [conditions.bind(ids), conditions.bind(names)];
    const { where, parameters } = conditions.raw(
      `(id = ANY (${byId}::uuid[]) OR folded_name = ANY (${byName}::text[]) OR slug = ANY (${byName}::text[]))`,
    );
    const lock = locking === 'locked' ? 'FOR SHARE' : '';
    const sql = `SELECT id, partner_id, name, slug, status FROM organizations ${where} ORDER BY id ${lock}`;
    return reader.query<ImportOrganization>(sql, parameters);
  }

  /**
   * Finds sites of these organisations by id or name. With locks, the query waits for a concurrent deletion of a site
   * and then does not return it. Sites are locked before contacts, in the same order as when a site is deleted.
   */
  sites(reader: Reader, { ids: orgIds, names, locking }: Named): Promise<ImportSite[]> {
    return reader.query<ImportSite>(locking === 'locked' ? `${SITES} FOR KEY SHARE` : SITES, [orgIds, names]);
  }

  /**
   * Finds the contacts that a row may mean, of every site, because an external id is unique in the whole organisation.
   * Contacts that the caller may not see match by external id only, so that an import does not reveal names and
   * addresses.
   */
  contactsLike(reader: Reader, caller: UserCaller, rows: readonly ContactCandidate[]): Promise<KnownContact[]> {
    const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'org_id' }).add('org_id = ANY (?::uuid[])', [
      ...new Set(rows.map(({ orgId }) => orgId)),
    ]);
    const orgs = conditions.bind(rows.map(({ orgId }) => orgId));
    const ofRows = (texts: (string | null)[]): string =>
      `(SELECT * FROM unnest(${orgs}::uuid[], ${conditions.bind(texts.map((text) => text ?? ''))}::text[]))`;
    const byEmail = `(org_id, email) IN ${ofRows(rows.map(({ email }) => email))}`;
    const byName = `(org_id, folded_name) IN ${ofRows(rows.map(({ name }) => name && foldName(name)))}`;
    const byLink = `(org_id, external_id) IN ${ofRows(rows.map(({ externalId }) => externalId))}`;
    const { sites } = caller.scope;
    const isSeen =
      sites === 'all' ? 'true' : `(site_id IS NULL OR site_id = ANY (${conditions.bind([...sites])}::uuid[]))`;
    const { where, parameters } = conditions.raw(`(${byLink} OR ${isSeen} AND (${byEmail} OR ${byName}))`);
    return reader.query<KnownContact>(
      `
      SELECT id, org_id, name, email, external_system, external_id, same_email, same_name FROM (
        SELECT *, row_number() OVER (PARTITION BY org_id, email) AS nth_by_email,
                  row_number() OVER (PARTITION BY org_id, folded_name) AS nth_by_name,
                  count(*) OVER (PARTITION BY org_id, email)::integer AS same_email,
                  count(*) OVER (PARTITION BY org_id, folded_name)::integer AS same_name FROM (
          SELECT id, org_id, CASE WHEN ${isSeen} THEN name END AS name,
                 CASE WHEN ${isSeen} THEN folded_name END AS folded_name, CASE WHEN ${isSeen} THEN email END AS email,
                 external_system, external_id FROM contacts ${where}
        ) AS alike
      ) AS counted
      WHERE ${byLink} OR nth_by_email <= ${ENOUGH} AND ${byEmail} OR nth_by_name <= ${ENOUGH} AND ${byName}`,
      parameters,
    );
  }

  contacts(reader: Reader, caller: UserCaller, ids: readonly string[], locking: Locking): Promise<ContactResponse[]> {
    const scope = scoped(caller.scope, { partner: 'partner_id', org: 'org_id' });
    const { where, parameters } = scope.add('id = ANY (?::uuid[])', ids);
    const lock = locking === 'locked' ? 'FOR NO KEY UPDATE' : '';
    const sql = `SELECT ${CONTACT_COLUMNS} FROM contacts ${where} ORDER BY id ${lock}`;
    return reader.query<ContactResponse>(sql, parameters);
  }

  /** Demotes the primary contacts of the places at which these contacts will be primary (TEN-22). */
  async demoteFor(tx: Tx, primaries: readonly PlacedContact[]): Promise<void> {
    if (primaries.length > 0)
      await tx.query(DEMOTE, [JSON.stringify(primaries.map(({ id, orgId, siteId }) => ({ id, orgId, siteId })))]);
  }

  async insert(tx: Tx, contacts: readonly StoredContact[]): Promise<void> {
    if (contacts.length > 0) await tx.query(INSERT, [JSON.stringify(contacts.map(toRecord))]);
  }

  async update(tx: Tx, contacts: readonly StoredContact[]): Promise<void> {
    if (contacts.length > 0) await tx.query(UPDATE, [JSON.stringify(contacts.map(toRecord))]);
  }
}

const toRecord = (contact: StoredContact): object =>
  Object.fromEntries(Object.entries(contact).map(([member, value]) => [toSnake(member), value]));
