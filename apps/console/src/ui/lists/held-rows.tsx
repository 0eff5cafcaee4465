import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type ui from '../../words/en/ui.json';
import { Arrived } from './filter-bar.tsx';
import { useMade } from './made.ts';

/**
 * The rows of a live list that were there when it was opened, or shown since: what arrives is offered, and moves none.
 * What the user at this screen has made is shown at once.
 * @param question what was asked for; another question has other rows
 */
export function useHeldRows<Row extends { readonly id: string }>(rows: readonly Row[], question: string) {
  const all = () => ({ question, ids: new Set(rows.map(({ id }) => id)) });
  const [shown, setShown] = useState(all);
  const own = useMade();
  const known = rows.filter((row) => shown.ids.has(row.id) || own.has(row.id));
  const isStale = shown.question !== question || (known.length === 0 && rows.length > 0);
  if (isStale) setShown(all);
  return isStale
    ? { rows, arrived: 0, show: () => undefined }
    : { rows: known, arrived: rows.length - known.length, show: () => setShown(all) };
}

export interface Held {
  readonly of: keyof (typeof ui)['arrived'];
  /** What was asked for. */
  readonly question: string;
}

interface HeldRowsProps<Row> extends Held {
  readonly rows: readonly Row[];
  /** @param arrived how many rows are held back */
  readonly children: (rows: readonly Row[], arrived: number) => ReactNode;
}

/** A live list: what arrives while it is looked at is offered, and moves no row. */
export function HeldRows<Row extends { readonly id: string }>(props: HeldRowsProps<Row>) {
  const words = useTranslations('ui');
  const { rows, arrived, show } = useHeldRows(props.rows, props.question);
  return (
    <>
      <Arrived text={words(`arrived.${props.of}`, { count: arrived })} count={arrived} show={show} />
      {props.children(rows, arrived)}
    </>
  );
}
