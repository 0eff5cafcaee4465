import { foldName, type UserCaller } from '@gatehouse/contracts-core';
import { type ContactResponse, FROZEN_STATUSES } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { type ContactCandidate, ContactMatcher, type Verdict } from '@gatehouse/tenancy-domain';
import { indexed } from '../../scope/rows.repository.ts';
import { mayWriteAt } from '../contacts.service.ts';
import type { ContactImportRepository, ImportOrganization, ImportSite, Locking } from './contact-import.repository.ts';
import type { ReadRow, RowFault, RowReading } from './read-rows.ts';
import type { Placed } from './stored-contact.ts';

export type PlannedRow =
  | { readonly kind: 'fault'; readonly index: number; readonly fault: RowFault }
  | { readonly kind: 'org-not-found'; readonly index: number }
  | {
      readonly kind: 'judged';
      readonly placed: Placed;
      readonly verdict: Verdict;
      readonly contact: ContactResponse | null;
    };

interface Import {
  readonly readings: readonly RowReading[];
  readonly organizations: readonly ImportOrganization[];
  readonly locking: Locking;
}

const rowsOf = (readings: readonly RowReading[]): ReadRow[] =>
  readings.flatMap((reading) => ('read' in reading ? [reading.read] : []));
const distinct = (values: readonly (string | null | undefined)[]): string[] => [
  ...new Set(values.filter((value): value is string => Boolean(value))),
];

/** Finds the organisations that the rows name, by id, name or slug. */
export function organizationsOf(
  contactImportRepository: ContactImportRepository,
  reader: Reader,
  caller: UserCaller,
  { readings, locking }: Omit<Import, 'organizations'>,
): Promise<ImportOrganization[]> {
  const rows = rowsOf(readings).map(({ row }) => row);
  return contactImportRepository.organizations(reader, caller, {
    ids: distinct(rows.map(({ organizationId }) => organizationId)),
    names: distinct(rows.map(({ organization }) => organization && foldName(organization))),
    locking,
  });
}

const OUT_OF_REACH: RowFault = {
  code: 'site_access_denied',
  message: 'Your access is limited to some sites; the contact of this row belongs to none of them.',
};

/** Plans the outcome of each row with a fixed number of statements, however many rows there are. */
export async function planImport(
  contactImportRepository: ContactImportRepository,
  reader: Reader,
  caller: UserCaller,
  { readings, organizations, locking }: Import,
): Promise<PlannedRow[]> {
  const sites = await contactImportRepository.sites(reader, {
    ids: organizations.map(({ id }) => id),
    names: distinct(rowsOf(readings).map(({ row }) => row.site && foldName(row.site))),
    locking,
  });
  const named = {
    organizations: indexed(organizations, keysOfOrganization),
    sites: indexed(sites, ({ id, orgId, name }) => [siteKey(orgId, id), siteKey(orgId, name)]),
  };
  const places = readings.map((reading) =>
    'fault' in reading
      ? { kind: 'fault' as const, index: reading.index, fault: reading.fault }
      : placeRow(caller, reading.index, reading.read, named),
  );
  const candidates = places.flatMap((place) => ('kind' in place ? [] : [candidateOf(place)]));
  const matcher = new ContactMatcher(await contactImportRepository.contactsLike(reader, caller, candidates));
  const judged = places.map((place) =>
    'kind' in place ? place : { placed: place, verdict: matcher.judge(candidateOf(place)) },
  );
  const matched = distinct(judged.map((row) => ('kind' in row ? null : row.verdict.contactId)));
  const contacts = new Map(
    (await contactImportRepository.contacts(reader, caller, matched, locking)).map((contact) => [contact.id, contact]),
  );
  return judged.map((row): PlannedRow => {
    if ('kind' in row) return row;
    const contact = row.verdict.contactId ? (contacts.get(row.verdict.contactId) ?? null) : null;
    if (contact && !mayWriteAt(caller, contact.siteId))
      return { kind: 'fault', index: row.placed.index, fault: OUT_OF_REACH };
    return { kind: 'judged', ...row, contact };
  });
}

function candidateOf({ orgId, read: { fields, row } }: Placed): ContactCandidate {
  const { externalId = null, externalSystem = null } = row;
  return { orgId, name: fields.name, email: fields.email, externalId, externalSystem };
}

/** Ids have a prefix, because a name may look like an id. */
const idKey = (id: string): string => `id\n${id}`;
const nameKey = (name: string): string => `name\n${foldName(name)}`;
const keysOfOrganization = ({ id, name, slug }: ImportOrganization): string[] => [
  idKey(id),
  nameKey(name),
  nameKey(slug),
];
const keyOf = ({ organizationId, organization }: ReadRow['row']): string =>
  organizationId ? idKey(organizationId) : nameKey(organization ?? '');
const siteKey = (orgId: string, idOrName: string): string => `${orgId}\n${foldName(idOrName)}`;

/** The rows that the import may refer to, indexed by the key that it uses. */
interface Named {
  readonly organizations: ReadonlyMap<string, readonly ImportOrganization[]>;
  readonly sites: ReadonlyMap<string, readonly ImportSite[]>;
}

const AMBIGUOUS = 'conflict';
/** Enough to choose from, and short enough for a message. */
const MAX_LISTED = 10;

/** @example two sites have this name; give the id: 018f…, 018f… */
function severalHave(things: 'organizations' | 'sites', named: readonly { readonly id: string }[]): string {
  const ids = named.slice(0, MAX_LISTED).map(({ id }) => id);
  const count = named.length === 2 ? 'two' : String(named.length);
  return `${count} ${things} have this name; give the id of one: ${ids.join(', ')}`;
}

function placeRow(
  caller: UserCaller,
  index: number,
  read: ReadRow,
  { organizations, sites }: Named,
): Placed | Exclude<PlannedRow, { kind: 'judged' }> {
  const { row } = read;
  const fault = (code: string, message: string): PlannedRow & { kind: 'fault' } => ({
    kind: 'fault',
    index,
    fault: { code, message },
  });
  const named = organizations.get(keyOf(row)) ?? [];
  const [organization] = named;
  if (!organization) return { kind: 'org-not-found', index };
  if (named.length > 1) return fault(AMBIGUOUS, severalHave('organizations', named));
  if (FROZEN_STATUSES.includes(organization.status))
    return fault('organization_frozen', `This organization is ${organization.status}.`);
  const site = siteOf(row.site, (name) => sites.get(siteKey(organization.id, name)) ?? []);
  if (typeof site === 'object' && site !== null) return fault(site.code, site.message);
  if (caller.scope.sites !== 'all' && !(site && caller.scope.sites.has(site)))
    return fault('site_access_denied', 'Your access is limited to some sites; the row must name one of them.');
  return { index, read, orgId: organization.id, partnerId: organization.partnerId, siteId: site };
}

/** The id of the site that a row names, null where it names none on purpose; or why there is not exactly one. */
function siteOf(
  named: string | null | undefined,
  sitesNamed: (name: string) => readonly ImportSite[],
): string | null | undefined | RowFault {
  if (!named?.trim()) return named === undefined ? undefined : null;
  const found = sitesNamed(named);
  const [site] = found;
  if (!site) return { code: 'site-not-in-org', message: 'The organisation has no such site.' };
  return found.length > 1 ? { code: AMBIGUOUS, message: severalHave('sites', found) } : site.id;
}
