import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const WIDTHS = [1280, 360];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;

async function violationsOf(page: Page): Promise<string[]> {
  // Without the mode axe opens a page of its own to join the results of frames, and no page of ours has any.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(STANDARDS).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Expects no violation of WCAG 2.0 to 2.2, A and AA, in light and dark, on a desk and on a phone. */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: HEIGHT });
      expect(await violationsOf(page), `${colorScheme}, ${width} pixels wide`).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `pixels that stand out at ${width}`).toBeLessThanOrEqual(0);
    }
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
}
