import Papa from 'papaparse';
import { decoded, type Encoding, unreadableIn } from './encoding.ts';

/** A table that was pasted or read from a file. */
export interface Sheet {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The file that it was read from, and how. */
  readonly file?: SheetFile;
}

interface SheetFile {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  /** Characters that the encoding could not read. */
  readonly unreadable: number;
}

/** Cells that a spreadsheet would run as a formula; they are written with an apostrophe before them. */
const FORMULA = /^\s*[=+\-@|%\t\r＝＋－＠]/;
const GUARDED = /^'(?=\s*[=+\-@|%\t\r＝＋－＠])/;

/** The first line with which spreadsheets are told the separator. */
const SEPARATOR = /^"?sep=(.)"?[^\S\r\n]*(?:\r\n?|\n|$)/i;
/** A cell that a spreadsheet is to keep as text, such as a number with zeros before it. */
const AS_TEXT = /^="(.*)"$/s;

function cellOf(raw: string): string {
  const cell = raw.trim();
  const [, text] = AS_TEXT.exec(cell) ?? [];
  return (
    text === undefined || text.replaceAll('""', '').includes('"')
      ? cell.replace(GUARDED, '')
      : text.replaceAll('""', '"')
  ).trim();
}

/** Reads comma, semicolon or tab separated text, or what its `sep=` line says; its first row names the columns. */
export function sheetOf(text: string): Sheet {
  const unmarked = text.replace(/^\uFEFF/, '');
  const [line = '', delimiter] = SEPARATOR.exec(unmarked) ?? [];
  const { data } = Papa.parse<string[]>(unmarked.slice(line.length), {
    skipEmptyLines: 'greedy',
    ...(delimiter && { delimiter }),
  });
  const [header = [], ...rows] = data.map((cells) => cells.map(cellOf));
  return { header, rows };
}

/** Reads a file in the given encoding. */
export function sheetOfFile(bytes: Uint8Array, encoding: Encoding): Sheet {
  const text = decoded(bytes, encoding);
  return { ...sheetOf(text), file: { bytes, encoding, unreadable: unreadableIn(text) } };
}

/** Writes a table as CSV. */
export const csvOf = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  Papa.unparse({ fields: [...header], data: rows.map((cells) => [...cells]) }, { escapeFormulae: FORMULA });
