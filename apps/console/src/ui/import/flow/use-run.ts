import { useState } from 'react';
import { useAct } from '../../forms/act-button.tsx';
import { inBatches } from '../batches.ts';
import {
  type BatchAnswer,
  type ImportOutcome,
  type ImportRow,
  outcomeOf,
  type PreviewedRow,
  type RowPreview,
  withOutcomes,
} from './model.ts';

/** Where rows go. */
export interface Importer<Row> {
  /** The most rows that one request takes. */
  readonly batchLength: number;
  /** What would become of each row, in the order of the rows; absent where the server has no preview. */
  readonly preview?: (rows: readonly Row[]) => Promise<readonly RowPreview<Row>[]>;
  readonly send: (rows: readonly Row[]) => Promise<BatchAnswer>;
  /** The features whose data an import changes. */
  readonly changes: readonly string[];
}

/** What is said about rows where the server has no preview. */
export const UNSEEN = 'unseen';

async function shown<Row>(
  importer: Importer<Row>,
  rows: readonly ImportRow<Row>[],
  follow: (done: number) => void,
): Promise<ReadonlyMap<ImportRow<Row>, RowPreview<Row>>> {
  const { preview, batchLength } = importer;
  const sent = rows.filter(({ fault }) => fault === undefined);
  if (!preview) return new Map(sent.map((row) => [row, { outcome: UNSEEN }]));
  const answers = await inBatches(sent, (batch) => preview(batch.map(({ row }) => row)), follow, batchLength);
  return new Map(
    answers.flatMap(({ first, answer }) =>
      answer.flatMap((seen, index) => {
        const row = sent[first + index];
        return row ? [[row, seen] as const] : [];
      }),
    ),
  );
}

/** The state of an import, from the preview to the outcome. */
export function useRun<Row>(importer: Importer<Row>) {
  const [previewed, setPreviewed] = useState<readonly PreviewedRow<Row>[] | null>(null);
  const [outcome, setOutcome] = useState<ImportOutcome<Row> | null>(null);
  const [{ done, total }, setProgress] = useState({ done: 0, total: 0 });
  const follow = (rows: readonly unknown[]) => {
    setProgress({ done: 0, total: rows.length });
    return (count: number) => setProgress({ done: count, total: rows.length });
  };
  const previewing = useAct([], async (rows: readonly ImportRow<Row>[]) => {
    setPreviewed(withOutcomes(rows, await shown(importer, rows, follow(rows))));
    setOutcome(null);
  });
  const importing = useAct(importer.changes, async (rows: readonly ImportRow<Row>[]) => {
    const sent = rows.filter(({ fault }) => fault === undefined);
    const send = (batch: readonly ImportRow<Row>[]) => importer.send(batch.map(({ row }) => row));
    setOutcome(outcomeOf(rows, await inBatches(sent, send, follow(sent), importer.batchLength)));
  });
  const restart = () => {
    setPreviewed(null);
    setOutcome(null);
    previewing.reset();
    importing.reset();
  };
  return { previewed, outcome, done, total, previewing, importing, restart };
}

export type Run<Row> = ReturnType<typeof useRun<Row>>;
