import { useSyncExternalStore } from 'react';

let made: ReadonlySet<unknown> = new Set();
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Remembers what an act has made by its answer: a record, or an envelope of one. */
export function rememberMade(answer: unknown): void {
  const ids = [answer, ...Object.values(answer ?? {})].map((each) => (each as { id?: unknown } | null | undefined)?.id);
  made = new Set([...made, ...ids]);
  for (const listener of listeners) listener();
}

/** The ids of what the user at this screen has made. */
export const useMade = (): ReadonlySet<unknown> => useSyncExternalStore(subscribe, () => made);
