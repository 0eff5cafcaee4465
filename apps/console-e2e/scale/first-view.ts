import type { Page } from '@playwright/test';
import { report } from '../report.ts';
import { expect, type OpenAs } from '../journey.ts';
import type { World } from '../world.ts';
import { observe, Requests, slowDown, type Vitals, vitalsOf } from './vitals.ts';

const WAITING = 8;
const TIMEOUT = { timeout: 60_000 };
const PROGRAM = String.raw`C:\Program Files\VideoLAN\vlc.exe`;

export interface View extends Vitals {
  /** Calls of the API until the first waiting request can be decided, and the files and bytes until then. */
  readonly calls: readonly string[];
  readonly files: number;
  readonly bytes: number;
}

async function openQueue(page: Page): Promise<View> {
  const asked = await Requests.of(page);
  await page.goto('/approvals', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Approve', exact: true }).first().waitFor(TIMEOUT);
  const { paths, bytes } = asked;
  const calls = paths.filter((path) => path.startsWith('/api/'));
  const files = paths.length - calls.length;
  // The browser reports a paint a little later.
  await expect.poll(async () => (await vitalsOf(page)).lcp, TIMEOUT).toBeGreaterThan(0);
  return { ...(await vitalsOf(page)), calls, files, bytes };
}

/** Moves in the queue, opens a decision and the palette, and types. @returns milliseconds of the slowest answer */
async function act(page: Page): Promise<number> {
  await page.locator('li[data-request] [data-open]').first().focus();
  for (const key of ['j', 'j', 'k', 'x', 'x', 'a', 'Escape', 'Control+k', 'v', 'l', 'c', 'Escape'])
    await page.keyboard.press(key);
  await page.locator('li[data-request]').first().waitFor();
  return (await vitalsOf(page)).inp;
}

/** Opens the queue of a technician as on a desk or on a phone, for the first time and again, and works in it. */
export async function measureFirstView(world: World, openAs: OpenAs, device: 'desk' | 'phone') {
  const tenant = await world.makeTenant();
  const source = await world.makeDevice(tenant);
  for (let at = 0; at < WAITING; at++) await report(source, { path: PROGRAM, user: `user${at}` });
  const person = await world.makePerson('Partner Technician', tenant);
  const viewport = device === 'phone' ? { width: 390, height: 844 } : { width: 1280, height: 800 };
  // A page of the same place that loads nothing of the console.
  const page = await openAs(person, '/offline.html', { viewport });
  await observe(page);
  if (device === 'phone') await slowDown(page);
  const cold = await openQueue(page);
  const warm = await openQueue(page);
  return { cold, warm: { ...warm, inp: await act(page) } };
}
