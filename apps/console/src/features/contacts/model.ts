import type { Sheet } from '../../ui/import/csv.ts';
import { cellsOf, type Mapping } from '../../ui/import/mapping.ts';
import type { Contact, ContactChange, ImportAnswer, ImportBody, PreviewedRow } from './queries.ts';

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

export type Role = (typeof ROLES)[number];

export interface ContactValues {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly mobile: string;
  readonly title: string;
  readonly siteId: string;
  readonly roles: Role[];
  readonly isPrimary: boolean;
  readonly notes: string;
}

const EMPTY: ContactValues = {
  name: '',
  email: '',
  phone: '',
  mobile: '',
  title: '',
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

/** What a contact is called: every contact has a name, an address or a number. */
export const nameOf = ({ name, email, phone, mobile }: Contact): string => name ?? email ?? phone ?? mobile ?? '';

/** The members in which a form differs from what it began with; an emptied text is null. */
export function changesOf(before: ContactValues, after: ContactValues): ContactChange {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof ContactValues]),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value]));
}

/** A row of an import with the cells that it was made from. */
export interface SheetRow {
  readonly cells: readonly string[];
  readonly row: ImportBody['rows'][number];
}

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

/** Makes the rows of an import: all of them belong to one organisation. */
export const rowsOf = (orgId: string, { rows }: Sheet, mapping: Mapping): SheetRow[] =>
  rows.map((cells) => {
    const { roles, ...members } = cellsOf(cells, mapping);
    const row = { organizationId: orgId, ...members, ...(roles !== undefined && { roles: rolesOf(roles) }) };
    return { cells, row: row as SheetRow['row'] };
  });

/** A row with what its preview showed, which the import is told to hold to. */
export interface Previewed extends SheetRow {
  readonly shown: Pick<PreviewedRow, 'annotation' | 'contactId' | 'conflictReason'>;
}

export const withPreview = (rows: readonly SheetRow[], first: number, previewed: readonly PreviewedRow[]) =>
  previewed.flatMap(({ index, annotation, contactId, conflictReason }): Previewed[] => {
    const row = rows[first + index];
    return row ? [{ ...row, shown: { annotation, contactId, ...(conflictReason && { conflictReason }) } }] : [];
  });

/** A row as it goes into the import, with the outcome that was shown for it. */
export const echoed = ({ row, shown }: Previewed): SheetRow['row'] => ({
  ...row,
  expectedAnnotation: shown.annotation,
  expectedContactId: shown.contactId,
});

export const countsOf = (rows: readonly Previewed[]): ReadonlyMap<PreviewedRow['annotation'], number> => {
  const counts = new Map<PreviewedRow['annotation'], number>();
  for (const { shown } of rows) counts.set(shown.annotation, (counts.get(shown.annotation) ?? 0) + 1);
  return counts;
};

export interface FailedRow {
  readonly row: Previewed;
  /** The row of the table, counted as a spreadsheet does: the heading is row 1. */
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

export interface ImportOutcome {
  readonly imported: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: readonly FailedRow[];
}

/** Adds up the answers to all batches. */
export function outcomeOf(
  rows: readonly Previewed[],
  answers: readonly { readonly first: number; readonly answer: ImportAnswer }[],
): ImportOutcome {
  const count = (kind: 'imported' | 'updated' | 'skipped') =>
    answers.reduce((sum, { answer }) => sum + answer[kind].length, 0);
  const failed = answers.flatMap(({ first, answer }) =>
    answer.errors.flatMap(({ index, code, message }): FailedRow[] => {
      const row = rows[first + index];
      return row ? [{ row, line: first + index + 2, code, message }] : [];
    }),
  );
  return { imported: count('imported'), updated: count('updated'), skipped: count('skipped'), failed };
}
