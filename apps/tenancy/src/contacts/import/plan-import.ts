import type { UserCaller } from '@gatehouse/contracts-core';
import { type ContactDto, FROZEN_STATUSES, type OrganizationStatus } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped } from '@gatehouse/database';
import { ContactMatcher, type Verdict } from '@gatehouse/tenancy-domain';
import { CONTACT_COLUMNS, mayWriteAt, seesContact } from '../contact.view.ts';
import { indexed } from '../../rows/indexed.ts';
import type { ReadRow, RowFault, RowReading } from './read-rows.ts';

export interface Placed {
  readonly index: number;
  readonly read: ReadRow;
  readonly orgId: string;
  readonly partnerId: string;
  /** Undefined when the row names no site. */
  readonly siteId: string | null | undefined;
}

export type PlannedRow =
  | { readonly kind: 'fault'; readonly index: number; readonly fault: RowFault }
  | { readonly kind: 'org-not-found'; readonly index: number }
  | { readonly kind: 'judged'; readonly placed: Placed; readonly verdict: Verdict; readonly contact: ContactDto | null };

export interface ImportOrganization { readonly id: string; readonly partnerId: string; readonly name: string; readonly slug: string; readonly status: OrganizationStatus }
interface ImportSite { readonly id: string; readonly orgId: string; readonly name: string }

const lower = (text: string): string => text.trim().toLowerCase();
const rowsOf = (readings: readonly RowReading[]): ReadRow[] => readings.flatMap((reading) => ('read' in reading ? [reading.read] : []));
const distinct = (values: readonly (string | null | undefined)[]): string[] => [...new Set(values.filter((value): value is string => Boolean(value)))];

/** The organisations that rows name, by id or by name or slug; those out of reach are as good as missing. */
export function organizationsOf(reader: Reader, caller: UserCaller, readings: readonly RowReading[], lock: '' | 'FOR SHARE'): Promise<ImportOrganization[]> {
  const rows = rowsOf(readings).map(({ row }) => row);
  const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'id' }).raw('deleted_at IS NULL');
  const [ids, named] = [conditions.bind(distinct(rows.map(({ organizationId }) => organizationId))), conditions.bind(distinct(rows.map(({ organization }) => organization && lower(organization))))];
  const { where, parameters } = conditions.raw(`(id = ANY (${ids}::uuid[]) OR lower(name) = ANY (${named}::text[]) OR slug = ANY (${named}::text[]))`);
  return reader.query<ImportOrganization>(`SELECT id, partner_id, name, slug, status FROM organizations ${where} ORDER BY id ${lock}`, parameters);
}

const SITES = 'SELECT id, org_id, name FROM sites WHERE org_id = ANY ($1::uuid[]) AND (id::text = ANY ($2::text[]) OR lower(name) = ANY ($2::text[]))';

/**
 * Contacts of every site, because an external id is taken in the whole organisation. Those that the caller does not see are
 * known by nothing else: rows must not tell whose names and addresses they hold.
 */
async function contactsLike(reader: Reader, caller: UserCaller, orgIds: readonly string[], rows: readonly ReadRow[]): Promise<ContactDto[]> {
  const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'org_id' }).add('org_id = ANY (?::uuid[])', orgIds);
  const emails = conditions.bind(distinct(rows.map(({ fields }) => fields.email)));
  const names = conditions.bind(distinct(rows.map(({ fields }) => fields.name && lower(fields.name))));
  const links = conditions.bind(distinct(rows.map(({ row }) => row.externalId)));
  const { where, parameters } = conditions.raw(`(email = ANY (${emails}::text[]) OR lower(name) = ANY (${names}::text[]) OR external_id = ANY (${links}::text[]))`);
  const contacts = await reader.query<ContactDto>(`SELECT ${CONTACT_COLUMNS} FROM contacts ${where}`, parameters);
  return contacts.map((contact) => (seesContact(caller, contact) ? contact : { ...contact, name: null, email: null }));
}

const OUT_OF_REACH: RowFault = { code: 'site_access_denied', message: 'Your access is limited to some sites; the contact of this row belongs to none of them.' };

/** What each row would do, from three statements whatever their number. */
export async function planImport(reader: Reader, caller: UserCaller, readings: readonly RowReading[], organizations: readonly ImportOrganization[]): Promise<PlannedRow[]> {
  const rows = rowsOf(readings);
  const orgIds = organizations.map(({ id }) => id);
  const sites = await reader.query<ImportSite>(SITES, [orgIds, distinct(rows.map(({ row }) => row.site && lower(row.site)))]);
  const around = { organizations: indexed(organizations, wordsFor), sites: indexed(sites, ({ id, orgId, name }) => [siteKey(orgId, id), siteKey(orgId, name)]) };
  const contacts = await contactsLike(reader, caller, orgIds, rows);
  const matcher = new ContactMatcher(contacts);
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  return readings.map((reading): PlannedRow => {
    const place = 'fault' in reading ? { kind: 'fault' as const, index: reading.index, fault: reading.fault } : placeRow(caller, reading.index, reading.read, around);
    if ('kind' in place) return place;
    const { externalId = null, externalSystem = null } = place.read.row;
    const verdict = matcher.judge({ orgId: place.orgId, ...place.read.fields, externalId, externalSystem });
    const contact = verdict.contactId ? (byId.get(verdict.contactId) ?? null) : null;
    if (contact && !mayWriteAt(caller, contact.siteId)) return { kind: 'fault', index: place.index, fault: OUT_OF_REACH };
    return { kind: 'judged', placed: place, verdict, contact };
  });
}

/** An id is said as such: a name may look like one. */
const idKey = (id: string): string => `id\n${id}`;
const wordKey = (word: string): string => `word\n${lower(word)}`;
const wordsFor = ({ id, name, slug }: ImportOrganization): string[] => [idKey(id), wordKey(name), wordKey(slug)];
const keyOf = ({ organizationId, organization }: ReadRow['row']): string => (organizationId ? idKey(organizationId) : wordKey(organization ?? ''));
const siteKey = (orgId: string, word: string): string => `${orgId}\n${lower(word)}`;

/** By what rows call them: a thousand rows name a thousand. */
interface Surroundings { readonly organizations: ReadonlyMap<string, readonly ImportOrganization[]>; readonly sites: ReadonlyMap<string, readonly ImportSite[]> }

function placeRow(caller: UserCaller, index: number, read: ReadRow, { organizations, sites }: Surroundings): Placed | Exclude<PlannedRow, { kind: 'judged' }> {
  const { row } = read;
  const fault = (code: string, message: string): PlannedRow & { kind: 'fault' } => ({ kind: 'fault', index, fault: { code, message } });
  const meant = organizations.get(keyOf(row)) ?? [];
  const [organization] = meant;
  if (!organization) return { kind: 'org-not-found', index };
  if (meant.length > 1) return fault('organization-ambiguous', 'Several organizations have this name; give the organizationId.');
  if (FROZEN_STATUSES.includes(organization.status)) return fault('organization_frozen', `This organization is ${organization.status}.`);
  const site = siteOf(row.site, (named) => sites.get(siteKey(organization.id, named)) ?? []);
  if (site === 'unknown') return fault('site-not-in-org', 'The organization has no such site.');
  if (caller.scope.sites !== 'all' && !(site && caller.scope.sites.has(site))) return fault('site_access_denied', 'Your access is limited to some sites; the row must name one of them.');
  return { index, read, orgId: organization.id, partnerId: organization.partnerId, siteId: site };
}

function siteOf(named: string | null | undefined, sitesCalled: (name: string) => readonly ImportSite[]): string | null | undefined | 'unknown' {
  if (!named?.trim()) return named === undefined ? undefined : null;
  const [site, another] = sitesCalled(named);
  return site && !another ? site.id : 'unknown';
}
