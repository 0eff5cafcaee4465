import type { UserCaller } from '@gatehouse/contracts-core';
import { type ContactResponse, FROZEN_STATUSES, type OrganizationStatus } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped } from '@gatehouse/database';
import { ContactMatcher, type KnownContact, type Verdict } from '@gatehouse/tenancy-domain';
import { CONTACT_COLUMNS, mayWriteAt } from '../contact.view.ts';
import { indexed } from '../../rows/indexed.ts';
import type { ReadRow, RowFault, RowReading } from './read-rows.ts';

export interface Placed {
  readonly index: number;
  readonly read: ReadRow;
  readonly orgId: string;
  readonly partnerId: string;
  /** Undefined if the row names no site. */
  readonly siteId: string | null | undefined;
}

export type PlannedRow =
  | { readonly kind: 'fault'; readonly index: number; readonly fault: RowFault }
  | { readonly kind: 'org-not-found'; readonly index: number }
  | {
      readonly kind: 'judged';
      readonly placed: Placed;
      readonly verdict: Verdict;
      readonly contact: ContactResponse | null;
    };

export interface ImportOrganization {
  readonly id: string;
  readonly partnerId: string;
  readonly name: string;
  readonly slug: string;
  readonly status: OrganizationStatus;
}
interface Import {
  readonly readings: readonly RowReading[];
  readonly organizations: readonly ImportOrganization[];
  readonly hold: Hold;
}
interface ImportSite {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
}

const lower = (text: string): string => text.trim().toLowerCase();
const rowsOf = (readings: readonly RowReading[]): ReadRow[] =>
  readings.flatMap((reading) => ('read' in reading ? [reading.read] : []));
const distinct = (values: readonly (string | null | undefined)[]): string[] => [
  ...new Set(values.filter((value): value is string => Boolean(value))),
];

/** Whether the rows that the plan reads are locked until the transaction ends. */
type Hold = 'held' | 'free';

/**
 * The organisations that the rows name, by id, name or slug. Organisations outside the caller's reach count as
 * missing.
 */
export function organizationsOf(
  reader: Reader,
  caller: UserCaller,
  readings: readonly RowReading[],
  hold: Hold,
): Promise<ImportOrganization[]> {
  const rows = rowsOf(readings).map(({ row }) => row);
  const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'id' }).raw('deleted_at IS NULL');
  const [ids, named] = [
    conditions.bind(distinct(rows.map(({ organizationId }) => organizationId))),
    conditions.bind(distinct(rows.map(({ organization }) => organization && lower(organization)))),
  ];
  const { where, parameters } = conditions.raw(
    `(id = ANY (${ids}::uuid[]) OR lower(name) = ANY (${named}::text[]) OR slug = ANY (${named}::text[]))`,
  );
  return reader.query<ImportOrganization>(
    `SELECT id, partner_id, name, slug, status FROM organizations ${where} ORDER BY id ${hold === 'held' ? 'FOR SHARE' : ''}`,
    parameters,
  );
}

const SITES =
  'SELECT id, org_id, name FROM sites WHERE org_id = ANY ($1::uuid[]) AND (id::text = ANY ($2::text[]) OR lower(name) = ANY ($2::text[])) ORDER BY id';

/** Two matches prove that a name or address is ambiguous, so the query stops there: thousands may share it. */
const ENOUGH = 2;

/**
 * Reads contacts of every site, because an external id is unique in the whole organisation. Contacts that the caller
 * may not see match by external id only, so that an import does not reveal names and addresses.
 */
function contactsLike(reader: Reader, caller: UserCaller, placed: readonly Placed[]): Promise<KnownContact[]> {
  const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'org_id' }).add(
    'org_id = ANY (?::uuid[])',
    distinct(placed.map(({ orgId }) => orgId)),
  );
  const orgs = conditions.bind(placed.map(({ orgId }) => orgId));
  const said = (texts: (string | null | undefined)[]): string =>
    `(SELECT * FROM unnest(${orgs}::uuid[], ${conditions.bind(texts.map((text) => text ?? ''))}::text[]))`;
  const byEmail = `(org_id, email) IN ${said(placed.map(({ read }) => read.fields.email))}`;
  const byName = `(org_id, lower(name)) IN ${said(placed.map(({ read }) => read.fields.name && lower(read.fields.name)))}`;
  const byLink = `(org_id, external_id) IN ${said(placed.map(({ read }) => read.row.externalId))}`;
  const { sites } = caller.scope;
  const seen = sites === 'all' ? 'true' : `(site_id IS NULL OR site_id = ANY (${conditions.bind([...sites])}::uuid[]))`;
  const { where, parameters } = conditions.raw(`(${byLink} OR ${seen} AND (${byEmail} OR ${byName}))`);
  return reader.query<KnownContact>(
    `
    SELECT id, org_id, name, email, external_system, external_id FROM (
      SELECT *, row_number() OVER (PARTITION BY org_id, email) AS mates, row_number() OVER (PARTITION BY org_id, lower(name)) AS namesakes FROM (
        SELECT id, org_id, CASE WHEN ${seen} THEN name END AS name, CASE WHEN ${seen} THEN email END AS email, external_system, external_id FROM contacts ${where}
      ) AS alike
    ) AS counted WHERE ${byLink} OR mates <= ${ENOUGH} AND ${byEmail} OR namesakes <= ${ENOUGH} AND ${byName}`,
    parameters,
  );
}

async function contactsOf(
  reader: Reader,
  caller: UserCaller,
  ids: readonly string[],
  hold: Hold,
): Promise<ReadonlyMap<string, ContactResponse>> {
  const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'org_id' }).add(
    'id = ANY (?::uuid[])',
    ids,
  );
  const contacts = await reader.query<ContactResponse>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts ${where} ORDER BY id ${hold === 'held' ? 'FOR NO KEY UPDATE' : ''}`,
    parameters,
  );
  return new Map(contacts.map((contact) => [contact.id, contact]));
}

const OUT_OF_REACH: RowFault = {
  code: 'site_access_denied',
  message: 'Your access is limited to some sites; the contact of this row belongs to none of them.',
};

/** Plans the outcome of each row with four statements, however many rows there are. */
export async function planImport(
  reader: Reader,
  caller: UserCaller,
  { readings, organizations, hold }: Import,
): Promise<PlannedRow[]> {
  // The query waits for a concurrent deletion of a site and then does not return it. Sites are locked before
  // contacts, in the same order as when a site is deleted.
  const sites = await reader.query<ImportSite>(hold === 'held' ? `${SITES} FOR KEY SHARE` : SITES, [
    organizations.map(({ id }) => id),
    distinct(rowsOf(readings).map(({ row }) => row.site && lower(row.site))),
  ]);
  const around = {
    organizations: indexed(organizations, wordsFor),
    sites: indexed(sites, ({ id, orgId, name }) => [siteKey(orgId, id), siteKey(orgId, name)]),
  };
  const places = readings.map((reading) =>
    'fault' in reading
      ? { kind: 'fault' as const, index: reading.index, fault: reading.fault }
      : placeRow(caller, reading.index, reading.read, around),
  );
  const matcher = new ContactMatcher(
    await contactsLike(
      reader,
      caller,
      places.flatMap((place) => ('kind' in place ? [] : [place])),
    ),
  );
  const judged = places.map((place) => ('kind' in place ? place : { placed: place, verdict: judge(matcher, place) }));
  const contacts = await contactsOf(
    reader,
    caller,
    distinct(judged.map((row) => ('kind' in row ? null : row.verdict.contactId))),
    hold,
  );
  return judged.map((row): PlannedRow => {
    if ('kind' in row) return row;
    const contact = row.verdict.contactId ? (contacts.get(row.verdict.contactId) ?? null) : null;
    if (contact && !mayWriteAt(caller, contact.siteId))
      return { kind: 'fault', index: row.placed.index, fault: OUT_OF_REACH };
    return { kind: 'judged', ...row, contact };
  });
}

function judge(matcher: ContactMatcher, { orgId, read: { fields, row } }: Placed): Verdict {
  const { externalId = null, externalSystem = null } = row;
  return matcher.judge({ orgId, ...fields, externalId, externalSystem });
}

/** Ids have a prefix, because a name may look like an id. */
const idKey = (id: string): string => `id\n${id}`;
const wordKey = (word: string): string => `word\n${lower(word)}`;
const wordsFor = ({ id, name, slug }: ImportOrganization): string[] => [idKey(id), wordKey(name), wordKey(slug)];
const keyOf = ({ organizationId, organization }: ReadRow['row']): string =>
  organizationId ? idKey(organizationId) : wordKey(organization ?? '');
const siteKey = (orgId: string, word: string): string => `${orgId}\n${lower(word)}`;

/** The rows that the import may refer to, indexed by the key that it uses. */
interface Surroundings {
  readonly organizations: ReadonlyMap<string, readonly ImportOrganization[]>;
  readonly sites: ReadonlyMap<string, readonly ImportSite[]>;
}

function placeRow(
  caller: UserCaller,
  index: number,
  read: ReadRow,
  { organizations, sites }: Surroundings,
): Placed | Exclude<PlannedRow, { kind: 'judged' }> {
  const { row } = read;
  const fault = (code: string, message: string): PlannedRow & { kind: 'fault' } => ({
    kind: 'fault',
    index,
    fault: { code, message },
  });
  const meant = organizations.get(keyOf(row)) ?? [];
  const [organization] = meant;
  if (!organization) return { kind: 'org-not-found', index };
  if (meant.length > 1)
    return fault('organization-ambiguous', 'Several organizations have this name; give the organizationId.');
  if (FROZEN_STATUSES.includes(organization.status))
    return fault('organization_frozen', `This organization is ${organization.status}.`);
  const site = siteOf(row.site, (named) => sites.get(siteKey(organization.id, named)) ?? []);
  if (site === 'unknown') return fault('site-not-in-org', 'The organization has no such site.');
  if (caller.scope.sites !== 'all' && !(site && caller.scope.sites.has(site)))
    return fault('site_access_denied', 'Your access is limited to some sites; the row must name one of them.');
  return { index, read, orgId: organization.id, partnerId: organization.partnerId, siteId: site };
}

function siteOf(
  named: string | null | undefined,
  sitesCalled: (name: string) => readonly ImportSite[],
): string | null | undefined | 'unknown' {
  if (!named?.trim()) return named === undefined ? undefined : null;
  const [site, another] = sitesCalled(named);
  return site && !another ? site.id : 'unknown';
}
