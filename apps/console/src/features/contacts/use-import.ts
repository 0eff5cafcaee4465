import { useState } from 'react';
import { useAct } from '../../ui/forms/use-act.ts';
import { inBatches } from '../../ui/import/batches.ts';
import {
  echoed,
  type ImportOutcome,
  type MODES,
  outcomeOf,
  type Previewed,
  type SheetRow,
  withPreview,
} from './model.ts';
import { importContacts, previewImport } from './queries.ts';

/** The state of an import of contacts, from the preview to the outcome. */
export function useImport() {
  const [mode, setMode] = useState<(typeof MODES)[number]>('skip');
  const [previewed, setPreviewed] = useState<readonly Previewed[] | null>(null);
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null);
  const [{ done, total }, setProgress] = useState({ done: 0, total: 0 });
  const follow = (rows: readonly unknown[]) => (count: number) => setProgress({ done: count, total: rows.length });
  const previewing = useAct([], async (rows: readonly SheetRow[]) => {
    follow(rows)(0);
    const send = (batch: readonly SheetRow[]) => previewImport({ rows: batch.map(({ row }) => row), mode });
    const answers = await inBatches(rows, send, follow(rows));
    setPreviewed(answers.flatMap(({ first, answer }) => withPreview(rows, first, answer.rows)));
    setOutcome(null);
  });
  const importing = useAct(['contacts'], async (rows: readonly Previewed[]) => {
    follow(rows)(0);
    const send = (batch: readonly Previewed[]) => importContacts({ rows: batch.map(echoed), mode });
    setOutcome(outcomeOf(rows, await inBatches(rows, send, follow(rows))));
  });
  const restart = () => {
    setPreviewed(null);
    setOutcome(null);
  };
  return { mode, setMode, previewed, outcome, done, total, previewing, importing, restart };
}

export type ImportRun = ReturnType<typeof useImport>;
