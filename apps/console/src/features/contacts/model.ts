import type { BodyOf, DataOf } from '@gatehouse/client';
import type { Sheet } from '../../ui/import/csv.ts';
import type { ImportRow, RowPreview } from '../../ui/import/flow/model.ts';
import { cellsOf, type Mapping } from '../../ui/import/mapping.ts';

export type Contact = DataOf<'/orgs/organizations/{id}/contacts', 'get'>['data'][number];
export type ContactChange = BodyOf<'/orgs/contacts/{id}', 'patch'>;
type ImportBody = BodyOf<'/orgs/contacts/import', 'post'>;
type PreviewedRow = DataOf<'/orgs/contacts/import/preview', 'post'>['rows'][number];

export const ROLES = ['billing', 'technical', 'escalation', 'admin', 'site', 'after_hours', 'portal'] as const;
export const SORTS = ['name', '-name', 'email', '-email', 'createdAt', '-createdAt'] as const;
/** What becomes of contacts that exist already. */
export const MODES = ['skip', 'update'] as const;
/** In the order of what they ask of the reader. */
export const ANNOTATIONS = [
  'conflict',
  'org-not-found',
  'name-match',
  'email-match',
  'link-match',
  'create',
] as const satisfies readonly PreviewedRow['annotation'][];

/** The filter for contacts of the organisation itself. */
export const NO_SITE = 'none';

type Role = (typeof ROLES)[number];

/** The texts of a contact in the order of the form, each with other names that its column may have in a file. */
export const TEXTS = {
  name: ['full name', 'display name', 'contact'],
  title: ['position'],
  email: ['mail', 'email address', 'e-mail address'],
  phone: ['telephone', 'business phone'],
  mobile: ['mobile phone', 'cell'],
} as const;
type TextName = keyof typeof TEXTS;
export const TEXT_NAMES = Object.keys(TEXTS) as readonly TextName[];
/** The key of a text's label: `title` is the title of the screen. */
export const labelOf = (name: TextName): Exclude<TextName, 'title'> | 'jobTitle' =>
  name === 'title' ? 'jobTitle' : name;

export type ContactValues = Readonly<Record<TextName | 'siteId' | 'notes', string>> & {
  readonly roles: Role[];
  readonly isPrimary: boolean;
};

const EMPTY: ContactValues = {
  ...(Object.fromEntries(TEXT_NAMES.map((name) => [name, ''])) as Record<TextName, ''>),
  siteId: '',
  roles: [],
  isPrimary: false,
  notes: '',
};

/** What the form of a contact begins with. */
export const valuesOf = (contact?: Contact): ContactValues => {
  if (!contact) return EMPTY;
  const names = Object.keys(EMPTY) as (keyof ContactValues)[];
  return Object.fromEntries(names.map((name) => [name, contact[name] ?? EMPTY[name]])) as never;
};

/** The number of a contact that lists show. */
export const numberOf = ({ phone, mobile }: Partial<Pick<Contact, 'phone' | 'mobile'>>): string | null | undefined =>
  phone ?? mobile;

/** What a contact is called: every contact has a name, an address or a number. */
export const nameOf = (contact: Contact): string => contact.name ?? contact.email ?? numberOf(contact) ?? '';

/** The members in which a form differs from what it began with; an emptied text is null. */
export function changesOf(before: ContactValues, after: ContactValues): ContactChange {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof ContactValues]),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value]));
}

export type ContactRow = ImportBody['rows'][number];

/** Roles are separated by anything but letters; they are written with `_` or a blank. */
const rolesOf = (cell: string): string[] =>
  cell
    .split(/[,;|/]/)
    .map((role) =>
      role
        .trim()
        .toLowerCase()
        .replaceAll(/[\s-]+/g, '_'),
    )
    .filter((role) => role !== '');

/** Spreadsheets of people often have the name in two columns. */
const joinedName = (...parts: (string | undefined)[]): string | undefined =>
  parts.filter((part) => part !== undefined).join(' ') || undefined;

/** Makes the rows of an import: all of them belong to one organisation. */
export const rowsOf = (orgId: string, { rows }: Sheet, mapping: Mapping): ImportRow<ContactRow>[] =>
  rows.map((cells, index) => {
    const { roles, firstName, lastName, ...members } = cellsOf(cells, mapping);
    const name = members['name'] ?? joinedName(firstName, lastName);
    const row = {
      organizationId: orgId,
      ...members,
      ...(name !== undefined && { name }),
      ...(roles !== undefined && { roles: rolesOf(roles) }),
    };
    return { cells, row: row as ContactRow, line: index + 2 };
  });

/** A row as a preview takes it: without what an earlier one said. */
export const fresh = ({ expectedAnnotation: _, expectedContactId: __, ...row }: ContactRow): ContactRow => row;

/** A row with what its preview showed, to which the import is told to hold. The preview leaves out what is invalid. */
export function view(row: ContactRow, previewed: PreviewedRow): RowPreview<ContactRow> {
  const { annotation, contactId, conflictReason: reason } = previewed;
  const invalid = reason === 'validation_failed' ? Object.keys(row).filter((name) => !(name in previewed)) : [];
  return {
    outcome: annotation,
    note: reason ? [reason, ...invalid].join(' ') : undefined,
    row: { ...row, expectedAnnotation: annotation, expectedContactId: contactId },
  };
}
