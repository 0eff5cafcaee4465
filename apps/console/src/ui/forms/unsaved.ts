import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';

/** The question that waits for its answer: whether to leave. */
let answer: ((leave: boolean) => void) | null = null;
const listeners = new Set<() => void>();

function ask(next: typeof answer): void {
  answer = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLeaveAsked = (): boolean => useSyncExternalStore(subscribe, () => answer !== null);

/** A new question in place of one that waits answers that with no. */
export function askToLeave(): Promise<boolean> {
  answer?.(false);
  return new Promise((resolve) => ask(resolve));
}

export function answerLeave(leave: boolean): void {
  answer?.(leave);
  ask(null);
}

/** The screens that hold unsaved input. */
const unsaved = new Set<object>();
let isLeaving = false;

/** Asks before the page is left as a whole, if that loses input; a dialog with a form may hold some. */
export async function mayLeave(): Promise<boolean> {
  const isFree = unsaved.size === 0 && document.querySelector('[role=dialog] form') === null;
  isLeaving = isFree || (await askToLeave());
  return isLeaving;
}

/**
 * Asks before one leaves a screen with unsaved input, by a link, the browser's buttons or a reload.
 * @returns to be called once the input is saved: leaving is free from then on
 */
export function useUnsaved(isDirty: boolean): () => void {
  const saved = useRef(false);
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => !saved.current && !isLeaving,
    shouldBlockFn: async () => !saved.current && !(await askToLeave()),
  });
  useEffect(() => {
    if (!isDirty) return;
    unsaved.add(saved);
    return () => void unsaved.delete(saved);
  }, [isDirty]);
  return useCallback(() => {
    unsaved.delete(saved);
    saved.current = true;
  }, []);
}
