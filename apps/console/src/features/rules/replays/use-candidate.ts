import { useSyncExternalStore } from 'react';
import { type Candidate, UNCHANGED } from './candidate.ts';

/** The candidates of this tab, by organisation: they live until the page is left or a replay is applied. */
const candidates = new Map<string, Candidate>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const candidateFor = (orgId: string): Candidate => candidates.get(orgId) ?? UNCHANGED;

export function keepCandidate(orgId: string, candidate: Candidate): void {
  candidates.set(orgId, candidate);
  for (const listener of listeners) listener();
}

export const useCandidate = (orgId: string): Candidate => useSyncExternalStore(subscribe, () => candidateFor(orgId));
