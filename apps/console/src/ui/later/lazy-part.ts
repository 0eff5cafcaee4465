import { lazy } from 'react';

const MAX_MS = 1_000;

/** Resolves when the page has nothing better to do, and at the latest after a second. */
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    // Not every browser knows it.
    const { requestIdleCallback } = window as Partial<Window>;
    if (requestIdleCallback) requestIdleCallback(() => resolve(), { timeout: MAX_MS });
    else setTimeout(resolve);
  });

/** Whether another version of the console is served, and how often a part of this page was missing because of it. */
interface Reload {
  readonly isOffered: boolean;
  readonly missed: number;
}

let present: Reload = { isOffered: false, missed: 0 };
const listeners = new Set<() => void>();

export const reloadState = (): Reload => present;

export const onReloadState = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function enter(next: Reload): void {
  present = next;
  for (const listener of listeners) listener();
}

/** Another version is served: its reload is offered at an idle moment, and waits for its user. */
export function offerReload(): void {
  if (!present.isOffered) enter({ ...present, isOffered: true });
}

/** A part that its user asked for is gone from the server: the reload is offered at once, and again with each part. */
export const needReload = (): void => enter({ isOffered: true, missed: present.missed + 1 });

/** What browsers say of a script that they cannot load (Chromium, Firefox, Safari), and Vite of a style sheet. */
const MISSING =
  /^(Failed to fetch|error loading) dynamically imported module|^Importing a module script failed|^Unable to preload CSS/;

/** Whether a screen failed because one of its files cannot be loaded. */
export const isMissingFile = (error: unknown): boolean => error instanceof Error && MISSING.test(error.message);

/**
 * A part that is loaded when it is first drawn. When a deployment has replaced its file, or the network is gone, the
 * place of the part stays empty and the reload is offered, so that the screen around it keeps what was typed.
 */
export const lazyPart: typeof lazy = (load) =>
  lazy(() =>
    load().catch((error: unknown) => {
      if (!isMissingFile(error)) throw error;
      needReload();
      return { default: (() => null) as never };
    }),
  );
