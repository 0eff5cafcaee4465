import { startTransition, useEffect, useState } from 'react';
import { whenIdle } from '../later/lazy-part.ts';

/** Fills the screen of a desk. */
const FIRST_ROWS = 20;

/** The first rows of a long list at once, and the others when the browser has shown those. */
export function useDeferredRows<Row>(rows: readonly Row[]): readonly Row[] {
  const [isWhole, setWhole] = useState(false);
  const isLong = rows.length > FIRST_ROWS;
  useEffect(() => {
    let isThere = true;
    if (isLong) void whenIdle().then(() => isThere && startTransition(() => setWhole(true)));
    return () => {
      isThere = false;
    };
  }, [isLong]);
  return isWhole ? rows : rows.slice(0, FIRST_ROWS);
}

/**
 * The rows of a live list that were there when it was opened, or shown since: what arrives is offered, and moves none.
 * @param question what was asked for; another question has other rows
 * @param isOwn what the user at this screen made is shown at once
 */
export function useHeldRows<Row extends { readonly id: string }>(
  rows: readonly Row[],
  question: string,
  isOwn: (row: Row) => boolean = () => false,
) {
  const all = () => ({ question, ids: new Set(rows.map(({ id }) => id)) });
  const [shown, setShown] = useState(all);
  const known = rows.filter((row) => shown.ids.has(row.id) || isOwn(row));
  const isStale = shown.question !== question || (known.length === 0 && rows.length > 0);
  if (isStale) setShown(all);
  return isStale
    ? { rows, arrived: 0, show: () => undefined }
    : { rows: known, arrived: rows.length - known.length, show: () => setShown(all) };
}
