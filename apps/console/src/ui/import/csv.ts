import Papa from 'papaparse';

/** A table that was pasted or read from a file. */
export interface Sheet {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Cells that a spreadsheet would run as a formula; they are written with an apostrophe before them. */
const FORMULA = /^\s*[=+\-@|%\t\r＝＋－＠]/;
const GUARDED = /^'(?=\s*[=+\-@|%\t\r＝＋－＠])/;

/** Reads comma, semicolon or tab separated text; its first row names the columns. */
export function sheetOf(text: string): Sheet {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' });
  const [header = [], ...rows] = data.map((cells) => cells.map((cell) => cell.trim().replace(GUARDED, '').trim()));
  return { header, rows };
}

/** Writes a table as CSV. */
export const csvOf = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  Papa.unparse({ fields: [...header], data: rows.map((cells) => [...cells]) }, { escapeFormulae: FORMULA });
