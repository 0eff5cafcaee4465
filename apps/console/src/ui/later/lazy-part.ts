import { lazy } from 'react';
import { needReload } from './reload.ts';

/** What browsers say of a script that they cannot load: Chromium, Firefox, Safari. */
const MISSING = /^(Failed to fetch|error loading) dynamically imported module|^Importing a module script failed/;

/** Whether a screen failed because one of its files cannot be loaded. */
export const isMissingFile = (error: unknown): boolean => error instanceof Error && MISSING.test(error.message);

/**
 * A part that is loaded when it is first drawn. When a deployment has replaced its file, the place of the part stays
 * empty and the reload is offered, so that the screen around it keeps what was typed.
 */
export const lazyPart: typeof lazy = (load) =>
  lazy(() =>
    load().catch((error: unknown) => {
      if (!isMissingFile(error)) throw error;
      needReload();
      return { default: (() => null) as never };
    }),
  );
