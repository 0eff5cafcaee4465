import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { focusUnlessActing } from '../../page.tsx';
import type { RequestQuery, requestPageQuery } from '../request.ts';

/** The list from which a request was opened: its address, its question and the entry of the history that shows it. */
export interface Origin {
  readonly list: string;
  readonly feature: string;
  readonly query: RequestQuery;
  readonly entry: string | undefined;
}

declare module '@tanstack/react-router' {
  interface HistoryState extends Partial<Origin> {
    /** The request from which one returns to its list. */
    readonly at?: string;
  }
}

/** For the links of a list to its requests: what leads back, and from one to the next. */
export function useOrigin({ queryKey }: Pick<ReturnType<typeof requestPageQuery>, 'queryKey'>): Origin {
  const list = useLocation({ select: ({ href }) => href });
  const entry = useLocation({ select: ({ state }) => state.__TSR_key });
  const [feature, , { query = {} }] = queryKey;
  return { list, feature, query, entry };
}

const MAX_WAIT_MS = 2_000;
/** The request that was shown last, by the entry of the history that shows its list. */
const shown = new Map<string, string>();

export function rememberShown(entry: string | undefined, id: string): void {
  if (entry !== undefined) shown.set(entry, id);
}

/** On the return to a list, by its link or the browser, the row of the request that one comes from has the focus. */
export function useReturn(): void {
  const at = useLocation({ select: ({ state }) => state.at ?? shown.get(state.__TSR_key ?? '') });
  useEffect(() => {
    if (at === undefined) return undefined;
    const until = Date.now() + MAX_WAIT_MS;
    let frame = 0;
    // The rows come later than the screen, whose heading takes the focus first.
    const look = () => {
      const row = document.querySelector<HTMLElement>(`:is([data-request="${at}"], [data-row="${at}"]) [data-open]`);
      if (row) focusUnlessActing(row);
      else if (Date.now() < until) frame = requestAnimationFrame(look);
    };
    frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [at]);
}
