import type { Locator, Page } from '@playwright/test';
import { expect } from '../journey.ts';

const MB = 1_048_576;
const MAX_HEAP_MB = 150;
const MAX_ROWS = 500;
const MAX_ELEMENTS = 15_000;
const ROWS = ':is([data-row], li[data-request], .gh-audit-row)';
/** Generous: only the full size on a quiet machine measures. */
const TIMEOUT = { timeout: 30_000 };

/** By their entry in the navigation, and their heading. */
const LISTS = [
  ['Approvals', 'Approvals'],
  ['Active', 'Active elevations'],
  ['Requests', 'Requests'],
  ['Devices', 'Devices'],
  ['Organisations', 'Organisations'],
  ['People', 'People'],
  ['Audit', 'Audit'],
] as const;

/** Milliseconds until something is on screen, by what it is. */
export type Times = Map<string, number>;

/** The time from an act to what it brings on screen. */
async function timed(times: Times, name: string, act: () => Promise<unknown>, shown: Locator): Promise<void> {
  const began = performance.now();
  await act();
  await shown.waitFor(TIMEOUT);
  times.set(name, performance.now() - began);
}

/** Expects few rows and a small document. */
async function expectFew(page: Page): Promise<void> {
  const counts = await page.evaluate((rows) => {
    const all = (selector: string) => document.querySelectorAll(selector).length;
    return { rows: all(`${rows}, [role=option], .gh-tree-node`), elements: all('*') };
  }, ROWS);
  expect(counts.rows).toBeLessThanOrEqual(MAX_ROWS);
  expect(counts.elements).toBeLessThanOrEqual(MAX_ELEMENTS);
}

/** Opens every list in one page, as one does in a day. */
export async function openLists(page: Page, times: Times): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Main navigation' }).first();
  for (const [entry, title] of LISTS) {
    const link = navigation.getByRole('link', { name: new RegExp(`^${entry}`) });
    const row = page.locator(`main:has(h1:text-is("${title}"))`).locator(ROWS).first();
    await timed(times, `list ${title}`, () => link.click(), row);
    await expectFew(page);
  }
}

/** Finds one thing by the search of its list. */
export async function search(page: Page, times: Times, path: string, text: string): Promise<void> {
  await page.goto(path);
  await page.locator(ROWS).first().waitFor(TIMEOUT);
  const found = page.locator(ROWS).filter({ hasText: text }).first();
  await timed(times, `search ${path} ${text}`, () => page.locator('[data-search]').fill(text), found);
  await expect(page.locator(ROWS).filter({ hasNotText: text })).toHaveCount(0, TIMEOUT);
}

/** The switcher shows some organisations, and finds any. */
export async function switchTo(page: Page, times: Times, name: string): Promise<void> {
  const options = page.getByRole('option').filter({ hasText: 'Customer' });
  await timed(times, 'switcher', () => page.locator('[data-context]').click(), options.first());
  await expectFew(page);
  expect(await options.count()).toBeLessThanOrEqual(50);
  const found = page.getByRole('option', { name, exact: true });
  await timed(times, `switcher ${name}`, () => page.getByPlaceholder('Search organisations').fill(name), found);
  await found.click();
  await expect(page.locator('[data-context]')).toContainText(name, TIMEOUT);
}

/** The palette finds things of all kinds. */
export async function findInPalette(page: Page, times: Times, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const input = page.getByPlaceholder('Search or run an action');
  const found = page.getByRole('button', { name: new RegExp(name) });
  await timed(times, `palette ${name}`, () => input.fill(name), found.first());
  expect(await found.count()).toBeLessThanOrEqual(20);
  await page.keyboard.press('Escape');
}

/** The tree of the organisation with half of all sites: each branch begins with few places, and finds the others. */
export async function openTree(page: Page, times: Times, orgId: string, site: string): Promise<void> {
  await page.goto(`/rules/software-policies?org=${orgId}`);
  const dialog = page.getByRole('dialog');
  const nodes = dialog.locator('.gh-tree-node');
  const tree = () => page.getByRole('button', { name: 'New software policy' }).first().click();
  await timed(times, 'tree', tree, nodes.filter({ hasText: 'Site' }).first());
  await expectFew(page);
  const found = dialog.getByRole('button', { name: new RegExp(site) });
  await timed(times, `tree ${site}`, () => dialog.getByRole('textbox', { name: /site/i }).first().fill(site), found);
  await timed(times, 'tree devices', () => found.click(), nodes.filter({ hasText: 'HOST-' }).first());
  await expectFew(page);
}

/** Expects that little is held in memory, once it is tidied up. @returns megabytes */
export async function expectSmallHeap(page: Page): Promise<number> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('HeapProfiler.collectGarbage');
  const { usedSize } = await browser.send('Runtime.getHeapUsage');
  expect(usedSize / MB, 'megabytes in the page').toBeLessThanOrEqual(MAX_HEAP_MB);
  return usedSize / MB;
}
