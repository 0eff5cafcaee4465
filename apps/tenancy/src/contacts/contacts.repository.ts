import { invalid, mailAddressOf, namesOf, type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  CONTACT_ROLES,
  type CONTACT_SORTS,
  type ContactDetailsDto,
  type ContactFieldsDto,
  type ContactQuery,
  ContactResponse,
  type ContactRole,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import {
  type Conditions,
  FoldedColumn,
  onConstraint,
  type Reader,
  scoped,
  toSnake,
  type Tx,
} from '@gatehouse/database';
import { checkRoles, hasIdentifier, normaliseContact } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments, insertRow, type NewRow, returned } from '../scope/rows.repository.ts';
import { listPage, orderBy } from '../scope/list-page.sql.ts';
import { OF_LIVING_ORGANIZATION } from '../scope/organizations-in-reach.repository.ts';

/** A person to reach at an organisation or at one of its sites. */
@Entity('contacts')
export class ContactEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  /** Null: a contact of the whole organisation. */
  @Column('uuid', { nullable: true }) siteId!: string | null;
  @Column('varchar', { nullable: true }) name!: string | null;
  @Column('varchar', { nullable: true }) email!: string | null;
  @Column('varchar', { nullable: true }) phone!: string | null;
  @Column('varchar', { nullable: true }) mobile!: string | null;
  @Column('varchar', { nullable: true }) title!: string | null;
  @Column('text', { array: true, default: () => "'{}'::text[]" }) roles!: ContactRole[];
  /** At most one for the organisation itself and one for each site (TEN-22). */
  @Column('boolean', { default: () => 'false' }) isPrimary!: boolean;
  @Column('varchar', { nullable: true }) notes!: string | null;
  /** The system that the contact was imported from, with its id there. */
  @Column('varchar', { nullable: true }) externalSystem!: string | null;
  @Column('varchar', { nullable: true }) externalId!: string | null;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** The form in which names are compared (TEN-100). */
  @FoldedColumn('name') foldedName?: string | null;
}

/** The members of a request in their stored form. */
export type CheckedContact = Readonly<Partial<Pick<ContactEntity, keyof ContactDetailsDto | 'siteId' | 'isPrimary'>>>;

/** @throws ProblemError invalid-role */
function rolesOf(roles: readonly string[] | null): ContactRole[] {
  const checked = checkRoles(roles ?? []);
  if ('unknown' in checked)
    throw new ProblemError('invalid-role', `"${checked.unknown}" is not a role of contacts.`, {
      validRoles: CONTACT_ROLES,
    });
  return checked.roles;
}

/**
 * The members of the request in their stored form: texts are trimmed, cleared members are null.
 * @throws ProblemError invalid-role, validation_failed
 */
export function checkedContact({
  roles,
  isPrimary,
  ...texts
}: Partial<Omit<ContactFieldsDto, 'orgId'>>): CheckedContact {
  const fields = normaliseContact(texts);
  const email = fields.email && mailAddressOf(fields.email);
  if (fields.email && !email) throw invalid('email', 'must be an e-mail address');
  return {
    ...fields,
    ...(email && { email }),
    ...(roles !== undefined && { roles: rolesOf(roles) }),
    ...(isPrimary !== undefined && { isPrimary: isPrimary ?? false }),
  };
}

/** @throws ProblemError no-identifier */
export function requireIdentifier(contact: Parameters<typeof hasIdentifier>[0]): void {
  if (!hasIdentifier(contact))
    throw new ProblemError('no-identifier', 'A contact needs a name, an e-mail address, a phone or a mobile number.');
}

const siteNotInOrg = {
  contact_site_in_organization: () =>
    new ProblemError('site-not-in-org', 'The site does not belong to this organisation.'),
};

export const CONTACT_COLUMNS = namesOf(ContactResponse).map(toSnake).join(', ');
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
