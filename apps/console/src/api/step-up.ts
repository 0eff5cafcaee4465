import { useSyncExternalStore } from 'react';

/** The calls that wait for the second factor share one dialog. */
let waiting: ((proved: boolean) => void)[] = [];
const listeners = new Set<() => void>();
const changed = () => listeners.forEach((listener) => listener());

/** Opens the dialog for the second factor. @returns whether the user proved it */
export function requestStepUp(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve];
    changed();
  });
}

/** Closes the dialog and lets the calls that waited go on. */
export function settleStepUp(proved: boolean): void {
  const settled = waiting;
  waiting = [];
  changed();
  for (const resolve of settled) resolve(proved);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useStepUpRequested = (): boolean => useSyncExternalStore(subscribe, () => waiting.length > 0);
