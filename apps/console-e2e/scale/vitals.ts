import type { Page } from '@playwright/test';

/** What a first view costs, as its user and the network see it. */
export interface Vitals {
  /** Milliseconds until the largest part of the view was painted. */
  readonly lcp: number;
  /** How much of the view moved, without an act of the user. */
  readonly cls: number;
  /** Milliseconds of the slowest answer to a key or a tap; 0 while nothing took 16 ms. */
  readonly inp: number;
}

interface Observed extends Window {
  vitals?: { lcp: number; cls: number; inp: number };
}

/** What the browser reports and TypeScript's libraries do not know yet. */
interface Entry extends PerformanceEntry {
  readonly value?: number;
  readonly hadRecentInput?: boolean;
  readonly interactionId?: number;
}

/** A middling phone on a middling network: four times slower, 1.6 Mbit/s, 150 ms. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const CPU_SLOWDOWN = 4;

export async function slowDown(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.emulateNetworkConditions', NETWORK);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

/** Begins to observe every page that is opened from now on. */
export const observe = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const vitals = { lcp: 0, cls: 0, inp: 0 };
    (window as Observed).vitals = vitals;
    const take = (type: string, note: (entry: Entry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
        type,
        buffered: true,
        ...(type === 'event' && { durationThreshold: 16 }),
      });
    take('largest-contentful-paint', ({ startTime }) => (vitals.lcp = startTime));
    take('layout-shift', ({ value = 0, hadRecentInput }) => (vitals.cls += hadRecentInput ? 0 : value));
    take('event', ({ interactionId = 0, duration }) => {
      if (interactionId > 0) vitals.inp = Math.max(vitals.inp, duration);
    });
  });

export const vitalsOf = (page: Page): Promise<Vitals> =>
  page.evaluate(() => (window as Observed).vitals ?? { lcp: NaN, cls: NaN, inp: NaN });

/** What a page asks for, until it is told to stop. */
export class Requests {
  readonly paths: string[] = [];
  bytes = 0;

  static async of(page: Page): Promise<Requests> {
    const requests = new Requests();
    const browser = await page.context().newCDPSession(page);
    await browser.send('Network.enable');
    browser.on('Network.requestWillBeSent', ({ request }) => requests.paths.push(new URL(request.url).pathname));
    browser.on('Network.loadingFinished', ({ encodedDataLength }) => (requests.bytes += encodedDataLength));
    return requests;
  }
}
