import { useSyncExternalStore } from 'react';
import { type Candidate, changeCount, UNCHANGED } from './candidate.ts';

/**
 * The candidates of this tab, by organisation. They live until the page is left, which the browser asks about, or a
 * replay is applied.
 */
const candidates = new Map<string, Candidate>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const candidateFor = (orgId: string): Candidate => candidates.get(orgId) ?? UNCHANGED;

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

/** Following links keeps a candidate; a reload or a closed tab would lose it, on whatever screen that happens. */
function guard(): void {
  const isUsed = [...candidates.values()].some((one) => changeCount(one) > 0);
  if (isUsed) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
}

export function keepCandidate(orgId: string, candidate: Candidate): void {
  candidates.set(orgId, candidate);
  guard();
  for (const listener of listeners) listener();
}

export const useCandidate = (orgId: string): Candidate => useSyncExternalStore(subscribe, () => candidateFor(orgId));
