import { useBlocker } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

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

/** What stands above the screen, the topmost last. */
const overlays: (() => void)[] = [];

function closeTopmost(): boolean {
  const close = overlays.at(-1);
  close?.();
  return close !== undefined;
}

/** What had the focus last, outside menus: these go when an entry opens something, often before that has come. */
let lastFocused: HTMLElement | null = null;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.closest('[role=menu]') === null) lastFocused = target;
});

// A button that waits for its answer is disabled, and loses the focus to nothing: it has it again afterwards.
new MutationObserver((changes) => {
  for (const { target } of changes)
    if (target === lastFocused && document.activeElement === document.body) lastFocused.focus({ preventScroll: true });
}).observe(document, { subtree: true, attributeFilter: ['data-loading'] });

function returnTarget(): HTMLElement | null {
  const focused = document.activeElement as HTMLElement | null;
  return focused === document.body || focused?.closest('[role=menu]') ? lastFocused : focused;
}

/** @returns gives the focus back to what has it now; where that has gone, to its row or to the heading of the screen */
function rememberFocus(): () => void {
  const before = returnTarget();
  const row = before?.closest('[data-request], [data-row]');
  return () => {
    // What holds the focus goes just after this.
    setTimeout(() => {
      const held = document.activeElement;
      if (held !== document.body && !held?.closest('[data-closed]')) return;
      const places = [before, row?.querySelector<HTMLElement>('[data-open]'), document.querySelector('h1')];
      places.find((place) => place?.isConnected)?.focus({ preventScroll: true });
    });
  };
}

/** For a part that goes while the screen stays, with the focus if that is in it: the focus goes beside it. */
export function useFocusAfter<T extends HTMLElement>(): RefObject<T | null> {
  const part = useRef<T>(null);
  useLayoutEffect(() => {
    const own = part.current;
    return () => void (own?.contains(returnTarget()) && rememberFocus()());
  }, []);
  return part;
}

const pressEscape = (): void =>
  void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));

/** Drawn within what stands above the screen: Back closes that alone, and the focus returns to where it was. */
export function Overlay({ onClose = pressEscape }: { readonly onClose?: () => void }): null {
  const close = useRef(onClose);
  const [giveBack] = useState(rememberFocus);
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: ({ action }) => action === 'BACK' && closeTopmost(),
  });
  useEffect(() => void (close.current = onClose));
  useEffect(() => {
    const own = () => close.current();
    overlays.push(own);
    // A page that was opened by its address has no entry before it: Back would leave the console.
    if (!(history.state as { __TSR_index?: number } | null)?.__TSR_index) history.pushState({ __TSR_index: 1 }, '');
    return () => {
      overlays.splice(overlays.indexOf(own), 1);
      giveBack();
    };
  }, [giveBack]);
  return null;
}

/** The screens that hold unsaved input. */
const unsaved = new Set<object>();
let isLeaving = false;

/** Whether nothing is lost when the page is left as a whole; a dialog with a form may hold input. */
export const isFreeToLeave = (): boolean => unsaved.size === 0 && !document.querySelector('[role=dialog] form');

/** Asks before the page is left as a whole, if that loses input. */
export async function mayLeave(): Promise<boolean> {
  isLeaving = isFreeToLeave() || (await askToLeave());
  return isLeaving;
}

/**
 * Asks before one leaves a screen with unsaved input, by a link, the browser's buttons or a reload.
 * @param home the path within which the input is kept: one moves there without being asked
 * @returns to be called once the input is saved: leaving is free from then on
 */
export function useUnsaved(isDirty: boolean, home?: string): () => void {
  const saved = useRef(false);
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => !saved.current && !isLeaving,
    shouldBlockFn: async ({ action, next }) =>
      (action === 'BACK' && closeTopmost()) || (!saved.current && next.pathname !== home && !(await askToLeave())),
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
