import { onPath } from './run.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** A Chromium for tests of pages: the one that CHROMIUM_PATH names, else the first on PATH. */
export const findBrowser = (): string | undefined =>
  process.env['CHROMIUM_PATH'] || NAMES.map(onPath).find((program) => program !== undefined);
