import type { LaunchOptions, Locator } from '@playwright/test';

/** Without these options Chromium contacts its vendor's servers. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export const launch = (executablePath?: string): LaunchOptions => ({ executablePath, args: QUIET });

/** In the page: waits until it has drawn what was under way, however busy the machine is. */
export const untilDrawn = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 20))));

/** Taps a page that is not busy: the browser of a busy one would take the tap for a long press, which does nothing. */
export async function tap(target: Locator): Promise<void> {
  await target.waitFor();
  await target.page().evaluate(untilDrawn);
  await target.tap();
}
