/** A member of a row that a column can fill. */
export interface Target {
  readonly name: string;
  readonly label: string;
  /** Other headings by which the member is recognised. */
  readonly aliases?: readonly string[];
}

/** The index of the column for each member; members without a column are absent. */
export type Mapping = Readonly<Record<string, number>>;

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Finds the column of each member by its heading. */
export function guessMapping(header: readonly string[], targets: readonly Target[]): Mapping {
  const headings = header.map(plain);
  const found = targets.map(({ name, label, aliases = [] }) => {
    const known = [name, label, ...aliases].map(plain);
    return [name, headings.findIndex((heading) => known.includes(heading))] as const;
  });
  return Object.fromEntries(found.filter(([, column]) => column >= 0));
}

/** The cells of a row by member; empty cells are left out. */
export function cellsOf(row: readonly string[], mapping: Mapping): Readonly<Record<string, string>> {
  const cells = Object.entries(mapping).map(([name, column]) => [name, row[column] ?? ''] as const);
  return Object.fromEntries(cells.filter(([, cell]) => cell !== ''));
}
