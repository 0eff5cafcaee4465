/** A row of an import with the cells that it was made from. */
export interface ImportRow<Row> {
  readonly cells: readonly string[];
  readonly row: Row;
  /** The row of the table, counted as a spreadsheet does: the heading is row 1. */
  readonly line: number;
  /** Why the row cannot be sent at all. */
  readonly fault?: string;
}

/** What the preview says about a row. */
export interface RowPreview<Row> {
  readonly outcome: string;
  /** Why, as a code of the server. */
  readonly note?: string | undefined;
  /** The row as it is to be sent then: it may name the outcome that was shown. */
  readonly row?: Row;
}

/** A row with what the preview said about it. */
export interface PreviewedRow<Row> extends ImportRow<Row> {
  readonly outcome: string;
  readonly note?: string | undefined;
}

export interface FailedRow<Row> {
  readonly row: ImportRow<Row> & Pick<RowPreview<Row>, 'note'>;
  readonly code: string;
  readonly message: string;
}

/** What the server answers to one batch. */
export interface BatchAnswer {
  /** How many rows had each outcome. */
  readonly counts: Readonly<Record<string, number>>;
  readonly errors: readonly { readonly index: number; readonly code: string; readonly message: string }[];
}

export interface ImportOutcome<Row> {
  readonly counts: Readonly<Record<string, number>>;
  readonly failed: readonly FailedRow<Row>[];
}

/** The outcome of a row that was not sent. */
export const FAULTY = 'faulty';

/** How many rows have each outcome. */
export function countsOf(rows: readonly { readonly outcome: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return counts;
}

/** The outcomes of rows that stay as they are or are refused have these colours. */
const LEFT: readonly string[] = ['red', 'gray'];

/** How many rows will change something. */
export const takenOf = (
  rows: readonly { readonly outcome: string }[],
  outcomes: Readonly<Record<string, { readonly color: string }>>,
): number => rows.filter(({ outcome }) => !LEFT.includes(outcomes[outcome]?.color ?? 'red')).length;

/** The rows with what the server said about those that were sent; the others are faulty. */
export function withOutcomes<Row>(
  rows: readonly ImportRow<Row>[],
  outcomes: ReadonlyMap<ImportRow<Row>, RowPreview<Row>>,
): PreviewedRow<Row>[] {
  return rows.map((row) => {
    const seen = row.fault === undefined ? outcomes.get(row) : undefined;
    return { ...row, ...(seen ?? { outcome: FAULTY }) };
  });
}

/** Adds up the answers to all batches; rows that were not sent failed as well. */
export function outcomeOf<Row>(
  rows: readonly ImportRow<Row>[],
  answers: readonly { readonly first: number; readonly answer: BatchAnswer }[],
): ImportOutcome<Row> {
  const sent = rows.filter(({ fault }) => fault === undefined);
  const counts: Record<string, number> = {};
  for (const { answer } of answers)
    for (const [name, count] of Object.entries(answer.counts)) counts[name] = (counts[name] ?? 0) + count;
  const refused = answers.flatMap(({ first, answer }) =>
    answer.errors.flatMap(({ index, code, message }): FailedRow<Row>[] => {
      const row = sent[first + index];
      return row ? [{ row, code, message }] : [];
    }),
  );
  const faulty = rows.flatMap((row): FailedRow<Row>[] =>
    row.fault === undefined ? [] : [{ row, code: FAULTY, message: row.fault }],
  );
  return { counts, failed: [...refused, ...faulty].toSorted((one, other) => one.row.line - other.row.line) };
}
