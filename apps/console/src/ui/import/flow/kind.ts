import type { ReactNode } from 'react';
import type { Column } from '../../lists/data-table.tsx';
import type { Sheet } from '../csv.ts';
import type { Mapping, Target } from '../mapping.ts';
import type { ImportRow } from './model.ts';
import type { Importer } from './use-run.ts';

/** What is particular to the import of one kind of thing. */
export interface ImportKind<Row> {
  readonly importer: Importer<Row>;
  /** Which columns are understood, in words. */
  readonly text: string;
  readonly targets: readonly Target[];
  readonly rowsOf: (sheet: Sheet, mapping: Mapping) => readonly ImportRow<Row>[];
  /** How rows are shown before and after. */
  readonly columns: readonly Column<ImportRow<Row>>[];
  readonly outcomes: Readonly<Record<string, { readonly label: string; readonly color: string }>>;
  /** What happened, in words. */
  readonly result: (counts: Readonly<Record<string, number>>) => string;
  /** Why a row failed, where the server's words are meant for programs. */
  readonly reasonOf?: (code: string, note?: string) => string | undefined;
  readonly fileName: string;
  /** The way back to the list. */
  readonly back: ReactNode;
  /** Beside the columns: what else is to be chosen. */
  readonly options?: ReactNode;
  /** Beside the table: another way to give rows. */
  readonly otherInput?: (onRows: (rows: readonly ImportRow<Row>[]) => void) => ReactNode;
}
