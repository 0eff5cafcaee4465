import type { Page } from '@playwright/test';
import { expect, test } from '../journey.ts';
import { report } from '../report.ts';

const WIDTHS = [1280, 360];
const HEIGHT = 800;

/** As in a language whose words are 40 % longer and that is written from right to left. */
const pretend = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.dir = 'rtl';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const isShown = text.parentElement?.closest('script, style, textarea, [dir=ltr]') === null;
      if (isShown && !text.data.includes('ë'))
        text.data = text.data.replaceAll(/\p{L}{3,}/gu, (word) => word + 'ëřßæ'.slice(0, word.length * 0.4));
    }
  });

/** What stands out of the window sideways. */
const standingOut = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const all = [...document.querySelectorAll<HTMLElement>('main *')];
    const out = all.filter((one) => {
      const { left, right } = one.getBoundingClientRect();
      return (left < 0 || right > clientWidth) && one.closest('.gh-table, .gh-tabs, pre') === null;
    });
    if (out.length === 0) return ['the document'];
    return out.map((one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`);
  });

test.describe('journey 22: longer words, from right to left', () => {
  test('no screen stands out sideways', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const id = await report(await world.makeDevice(tenant), {
      path: String.raw`C:\Temp\setup.exe`,
      reason: 'a driver',
    });
    const { orgId } = tenant;
    const page = await openAs(await world.makePerson('Partner Admin', tenant), '/');
    const screens = [
      '/',
      '/approvals',
      '/active',
      '/freezes',
      '/requests',
      `/requests/${id}`,
      `/rules?org=${orgId}`,
      `/orgs/${orgId}/rules/new?from=${id}`,
      '/audit',
    ];
    const tooWide: string[] = [];
    for (const screen of screens) {
      await page.goto(screen);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main :is(table, .gh-card, .gh-queue, .gh-audit, h2)').first().waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        await pretend(page);
        for (const what of await standingOut(page)) tooWide.push(`${screen} at ${width}: ${what}`);
      }
    }
    expect(tooWide).toEqual([]);
  });
});
