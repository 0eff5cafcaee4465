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
