import { useState } from 'react';
import { inParallel } from '../../api/many.ts';
import { planOf, type Result, retriable, withTried } from './outcomes.ts';

interface Act {
  readonly run: (id: string) => Promise<unknown>;
  readonly isLeftOut?: (id: string) => boolean;
}

/** Acts on many things; keeps the act and what became of each, so that those that failed can be tried again. */
export function useMany(onSettled: (results: readonly Result[]) => void) {
  const [act, setAct] = useState<Act | null>(null);
  const [results, setResults] = useState<readonly Result[]>([]);
  const [running, setRunning] = useState(false);
  const attempt = async (ids: readonly string[], { run }: Act, before: readonly Result[]) => {
    setRunning(true);
    const after = withTried(before, await inParallel(ids, run));
    setRunning(false);
    setResults(after);
    onSettled(after);
  };
  const start = (ids: readonly string[], next: Act) => {
    const { tried, untried } = planOf(ids, next.isLeftOut ?? (() => false));
    setAct(next);
    return attempt(tried, next, untried);
  };
  const retry = () => act && attempt(retriable(results), act, results);
  return { results, running, start, retry, dismiss: () => setResults([]) };
}
