import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { CONTACT_SORTS, ContactQuery, ContactResponse } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Conditions, onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { assignments, returned } from '../rows/assignments.ts';
import { insertRow, type NewRow } from '../rows/insert-row.repository.ts';
import { listPage, orderBy } from '../rows/list-page.sql.ts';
import { OF_LIVING_ORGANIZATION } from '../scope/organizations-in-reach.repository.ts';
import { siteNotInOrg } from './checked-contact.ts';
import { ContactEntity } from './contact.entity.ts';

export const CONTACT_COLUMNS = `id, org_id, site_id, name, email, phone, mobile, title, roles, is_primary, notes,
  external_system, external_id, created_at, updated_at`;
/** The answer's columns, and the partner for the audit record. */
const ROW = `${CONTACT_COLUMNS}, partner_id`;
export type ContactRow = Omit<ContactEntity, 'version'>;

const SORTED_BY: Record<(typeof CONTACT_SORTS)[number], string> = {
  name: 'name',
  email: 'email',
  createdAt: 'created_at',
};

const DEMOTE = `
  UPDATE contacts SET is_primary = false
   WHERE org_id = $1 AND site_id IS NOT DISTINCT FROM $2::uuid AND is_primary AND id IS DISTINCT FROM $3::uuid`;
const LOCK_ALL = `
  SELECT pg_advisory_xact_lock(hashtextextended('contacts ' || org.id, 0))
    FROM (SELECT id FROM unnest($1::text[]) AS id ORDER BY id) AS org`;

/** The place of a primary contact: the organisation itself (siteId null), or one of its sites. */
interface PrimaryPlace {
  readonly orgId: string;
  readonly siteId: string | null;
}

/** A site-confined caller cannot see a contact that is pinned to another site. */
function inReach(caller: UserCaller): Conditions {
  const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'org_id' });
  const { sites } = caller.scope;
  return sites === 'all' ? conditions : conditions.add('(site_id IS NULL OR site_id = ANY (?::uuid[]))', [...sites]);
}

const oneInReach = (caller: UserCaller, id: string): Conditions =>
  inReach(caller).add('id = ?', id).raw(OF_LIVING_ORGANIZATION('contacts.org_id'));

/**
 * Locks the contacts of the organisations until the transaction ends, so that concurrent writers check "one primary"
 * and "no duplicate" one after the other.
 */
export async function lockContacts(tx: Tx, orgIds: readonly string[]): Promise<void> {
  await tx.query(LOCK_ALL, [orgIds]);
}

@Injectable()
export class ContactsRepository {
  list(reader: Reader, caller: UserCaller, orgId: string, query: ContactQuery): Promise<Page<ContactResponse>> {
    const conditions = ofSite(inReach(caller).add('org_id = ?', orgId), query.siteId).add(
      '? = ANY (roles)',
      query.role,
    );
    return listPage<ContactResponse>(reader, query, {
      columns: CONTACT_COLUMNS,
      from: 'contacts',
      conditions,
      ...orderBy(query.sort, SORTED_BY, ['name', 'id']),
    });
  }

  async findOrgOf(reader: Reader, caller: UserCaller, id: string): Promise<string | null> {
    const { where, parameters } = oneInReach(caller, id);
    const found = await reader.one<{ orgId: string }>(`SELECT org_id FROM contacts ${where}`, parameters);
    return found && found.orgId;
  }

  lock(tx: Tx, caller: UserCaller, id: string): Promise<ContactRow | null> {
    const { where, parameters } = oneInReach(caller, id);
    return tx.one<ContactRow>(`SELECT ${ROW} FROM contacts ${where} FOR UPDATE`, parameters);
  }

  /** @throws ProblemError site-not-in-org */
  insert(tx: Tx, contact: NewRow<ContactEntity>): Promise<ContactRow> {
    return insertRow(tx, ContactEntity, { ...contact, id: newId() }).catch(onConstraint(siteNotInOrg));
  }

  /** @throws ProblemError site-not-in-org */
  async update(tx: Tx, caller: UserCaller, id: string, updates: Partial<ContactEntity>): Promise<ContactRow> {
    const conditions = inReach(caller).add('id = ?', id);
    const set = assignments(updates, conditions);
    const sql = `UPDATE contacts SET ${set} ${conditions.where} RETURNING ${ROW}`;
    return returned(await tx.one<ContactRow>(sql, conditions.parameters).catch(onConstraint(siteNotInOrg)));
  }

  async delete(tx: Tx, caller: UserCaller, id: string): Promise<void> {
    const { where, parameters } = inReach(caller).add('id = ?', id);
    await tx.query(`DELETE FROM contacts ${where}`, parameters);
  }

  /** Demotes the primary contact of a place, so that another can become primary there (TEN-22). */
  async demotePrimary(tx: Tx, { orgId, siteId }: PrimaryPlace, except: string | null = null): Promise<void> {
    await tx.query(DEMOTE, [orgId, siteId, except]);
  }
}

const ofSite = (conditions: Conditions, siteId: string | undefined): Conditions =>
  siteId?.toLowerCase() === 'none' ? conditions.raw('site_id IS NULL') : conditions.add('site_id = ?', siteId);
