import type { BodyOf } from '@gatehouse/client';
import type { Sheet } from '../../../ui/import/csv.ts';
import type { ImportRow } from '../../../ui/import/flow/model.ts';
import { cellsOf, type Mapping } from '../../../ui/import/mapping.ts';
import { ACCOUNTS, LANGUAGES, TYPES } from '../queries.ts';

export type FieldRow = BodyOf<'/custom-fields/import', 'post'>['rows'][number];
export type ValueRow = BodyOf<'/devices/custom-fields/import', 'post'>['rows'][number];
export type ScriptRow = BodyOf<'/scripts/import', 'post'>['scripts'][number];

/** Why a row cannot be sent. */
type Fault =
  'noName' | 'badKey' | 'unknownType' | 'noDevice' | 'noValue' | 'noContent' | 'longContent' | 'runAs' | 'language';

/** What other systems call the kinds of values. */
const TYPE_NAMES: Readonly<Record<string, FieldRow['type']>> = {
  string: 'text',
  textarea: 'text',
  numeric: 'number',
  integer: 'number',
  decimal: 'number',
  bool: 'boolean',
  checkbox: 'boolean',
  'yes/no': 'boolean',
  'yes or no': 'boolean',
  list: 'dropdown',
  select: 'dropdown',
  choice: 'dropdown',
  datetime: 'date',
};
const KEY = /^[A-Za-z]\w*$/;

/** @returns undefined for a name that is not known; a field without a kind holds text */
export function typeOf(name = 'text'): FieldRow['type'] | undefined {
  const plain = name.trim().toLowerCase();
  return TYPES.find((type) => type === plain) ?? TYPE_NAMES[plain];
}

/** Choices stand between semicolons, bars or line breaks; where there are none of these, between commas. */
export function choicesOf(cell = ''): string[] {
  const separator = /[;|\n]/.test(cell) ? /[;|\n]/ : /,/;
  return cell
    .split(separator)
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '');
}

type Cells = Readonly<Record<string, string>>;
type Words = (fault: Fault, cells: Cells) => string;

interface Read<Row> {
  readonly row: Row;
  readonly fault?: Fault | undefined;
}

const rowsWith =
  <Row>(read: (cells: Cells) => Read<Row>, words: Words) =>
  ({ rows }: Sheet, mapping: Mapping): ImportRow<Row>[] =>
    rows.map((cells, index) => {
      const named = cellsOf(cells, mapping);
      const { row, fault } = read(named);
      return { cells, row, line: index + 2, ...(fault && { fault: words(fault, named) }) };
    });

export type FieldOwner = Pick<FieldRow, 'ownerScope' | 'orgId'>;

function fieldOf({ name = '', fieldKey, type: typeName, options }: Cells, owner: FieldOwner): Read<FieldRow> {
  const type = typeOf(typeName);
  const choices = choicesOf(options);
  const row = {
    name,
    type: type ?? 'text',
    ...owner,
    ...(fieldKey && { fieldKey }),
    ...(type === 'dropdown' && { options: choices }),
  };
  if (name === '') return { row, fault: 'noName' };
  if (fieldKey && !KEY.test(fieldKey)) return { row, fault: 'badKey' };
  return { row, fault: type ? undefined : 'unknownType' };
}

/** The definitions of fields, all with one owner. */
export const fieldRows = (owner: FieldOwner, words: Words) => rowsWith((cells) => fieldOf(cells, owner), words);

/** The targets of values carry this before the key of their field. */
export const VALUE = 'value:';

function valueOf(
  { hostname, sourceSystem, sourceDeviceId, ...rest }: Cells,
  orgId: string | undefined,
): Read<ValueRow> {
  const values = Object.fromEntries(Object.entries(rest).map(([name, cell]) => [name.slice(VALUE.length), cell]));
  const row = {
    values,
    ...(orgId && { organizationId: orgId }),
    ...(hostname && { hostname }),
    ...(sourceSystem && { sourceSystem }),
    ...(sourceDeviceId && { sourceDeviceId }),
  };
  if (!hostname && !(sourceSystem && sourceDeviceId)) return { row, fault: 'noDevice' };
  return { row, fault: Object.keys(values).length === 0 ? 'noValue' : undefined };
}

/** The values of fields, each row for one device. */
export const valueRows = (orgId: string | undefined, words: Words) => rowsWith((cells) => valueOf(cells, orgId), words);

const MAX_CHARACTERS = 65_536;
export type ScriptOwner = Pick<ScriptRow, 'availability' | 'orgId'>;

/** The languages by their names and by the endings of their files. */
const LANGUAGE_OF: ReadonlyMap<string, string> = new Map([
  ...Object.keys(LANGUAGES).map((name) => [name, name] as const),
  ['ps1', 'powershell'],
  ['sh', 'bash'],
  ['py', 'python'],
  ['bat', 'batch'],
  ['cmd', 'batch'],
  ['rb', 'ruby'],
  ['js', 'javascript'],
  ['vbs', 'vbscript'],
]);

function scriptOf(
  { name = '', content = '', runAs, language = '', ...texts }: Cells,
  owner: ScriptOwner,
): Read<ScriptRow> {
  const known = LANGUAGE_OF.get(language.trim().toLowerCase());
  const account = ACCOUNTS.find((one) => one === (runAs ?? 'system').trim().toLowerCase());
  const row = { name, content, runAs: account ?? 'system', ...(known && { language: known }), ...texts, ...owner };
  const faults: readonly [boolean, Fault][] = [
    [name === '', 'noName'],
    [content.trim() === '', 'noContent'],
    [[...content].length > MAX_CHARACTERS, 'longContent'],
    [account === undefined, 'runAs'],
    [language !== '' && !known, 'language'],
  ];
  return { row, fault: faults.find(([isFaulty]) => isFaulty)?.[1] };
}

export const scriptRows = (owner: ScriptOwner, words: Words) => rowsWith((cells) => scriptOf(cells, owner), words);

/** Each file is a script: named as the file, its language by the ending; a file without one has the usual language. */
export function scriptFiles(
  files: readonly { readonly name: string; readonly text: string }[],
  owner: ScriptOwner,
  words: Words,
): ImportRow<ScriptRow>[] {
  return files.map(({ name, text }, index) => {
    const [, stem = name, ending = ''] = /^(.*)\.(\w+)$/.exec(name) ?? [];
    const cells = { name: stem, content: text, language: ending };
    const { row, fault } = scriptOf(cells, owner);
    return { cells: [name], row, line: index + 1, ...(fault && { fault: words(fault, cells) }) };
  });
}
