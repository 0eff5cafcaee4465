import { invalid, partOf, ProblemError } from '@gatehouse/contracts-core';
import {
  ContactDetailsDto,
  ContactImportRowDto,
  type ImportContactsDto,
  MAX_IMPORT_ROWS,
} from '@gatehouse/contracts-tenancy';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { type CheckedContact, checkedContact, requireIdentifier } from '../contacts.repository.ts';

export interface RowFault {
  readonly code: string;
  readonly message: string;
  /** The members whose values are not valid. */
  readonly members?: readonly string[];
}

/** A row that is valid on its own; its outcome depends on the stored contacts. */
export interface ReadRow {
  readonly row: ContactImportRowDto;
  readonly fields: CheckedContact & { readonly name: string | null; readonly email: string | null };
}

export type RowReading = { readonly index: number; readonly raw: unknown } & (
  { readonly fault: RowFault } | { readonly read: ReadRow }
);

const MAX_MESSAGE = 500;

export function readRows({ rows }: ImportContactsDto): RowReading[] {
  if (rows.length > MAX_IMPORT_ROWS)
    throw new ProblemError('too_many_rows', `An import accepts at most ${MAX_IMPORT_ROWS} rows.`, {
      limit: MAX_IMPORT_ROWS,
      rows: rows.length,
    });
  if (rows.length === 0) throw invalid('rows', 'must hold at least one row');
  return rows.map((raw, index) => ({ index, raw, ...readRow(raw) }));
}

/** A table with a column of ids has blanks where a person has none. */
function withoutBlankIds(row: ContactImportRowDto): ContactImportRowDto {
  for (const member of ['externalId', 'externalSystem'] as const)
    if (typeof row[member] === 'string' && row[member].trim() === '') row[member] = null;
  return row;
}

function readRow(raw: unknown): { fault: RowFault } | { read: ReadRow } {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { fault: { code: 'validation_failed', message: 'A row must be an object.' } };
  const row = withoutBlankIds(plainToInstance(ContactImportRowDto, raw));
  const errors = validateSync(row, { stopAtFirstError: true, forbidUnknownValues: false });
  const [error] = errors;
  if (error)
    return {
      fault: {
        code: 'validation_failed',
        message: `${error.property} ${Object.values(error.constraints ?? {})[0] ?? 'is not valid'}`.slice(
          0,
          MAX_MESSAGE,
        ),
        members: errors.map(({ property }) => property),
      },
    };
  try {
    return { read: { row, fields: fieldsOf(row) } };
  } catch (refused) {
    if (!(refused instanceof ProblemError)) throw refused;
    return { fault: faultOf(refused) };
  }
}

function fieldsOf(row: ContactImportRowDto): ReadRow['fields'] {
  const { roles, ...texts } = partOf(ContactDetailsDto, row);
  const written = Object.entries(texts).filter(([, text]) => text?.trim());
  const given = { ...Object.fromEntries(written), roles: roles ?? undefined, isPrimary: row.isPrimary ?? undefined };
  const { name = null, email = null, ...rest } = checkedContact(given);
  const fields = { ...rest, name, email };
  requireIdentifier(fields);
  return fields;
}

const faultOf = ({ code, message }: ProblemError): RowFault =>
  code === 'validation_failed'
    ? { code, message: 'email must be an e-mail address', members: ['email'] }
    : { code, message: message.slice(0, MAX_MESSAGE) };
