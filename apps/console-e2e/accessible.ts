import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const WIDTHS = [1280, 360];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;

/** What axe leaves in a page stays until the page is loaded anew. */
const ALREADY_THERE = 'void 0';
/** The only rules that look at colours, which are all that differs between the schemes. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: ALREADY_THERE }) });
  // What passes need not be described. Without the mode axe opens a page of its own to join the results of frames, and
  // no page of ours has any.
  axe.options({ resultTypes: ['violations'] }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules([...rules]) : axe.withTags(STANDARDS)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Expects no violation of WCAG 2.0 to 2.2, A and AA, in light and dark, on a desk and on a phone. */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const rules = colorScheme === 'light' ? undefined : OF_COLOURS;
      expect(await violationsOf(page, rules), `${colorScheme}, ${width} pixels wide`).toEqual([]);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `pixels that stand out at ${width}`).toBeLessThanOrEqual(0);
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
}
