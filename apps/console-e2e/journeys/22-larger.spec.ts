import { addressOf, makeScene, SCREENS, Tour } from '../every-screen.ts';
import { expect, test } from '../journey.ts';
import { enlargeText, squeezed, standingOut } from '../senses.ts';

const DESK = { width: 1280, height: 800 };
/** A desk at 400 %. */
const ZOOMED = { width: 320, height: 256 };
const PHONE = { width: 390, height: 844 };

test.describe('journey 22: larger text and zoom', () => {
  test('no screen stands out sideways at 200 % text, nor at 400 % zoom, and no field is squeezed on a phone', async ({
    world,
    openAs,
    watch,
  }) => {
    // It looks at every screen, three times.
    test.setTimeout(180_000);
    watch.expect(/403/);
    const { tenant, ids } = await makeScene(world);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), '/');
    const tour = new Tour(page);
    const tooWide: string[] = [];
    const tooNarrow: string[] = [];
    for (const route of Object.keys(SCREENS)) {
      const address = addressOf(route, ids);
      if (address === null) continue;
      await page.setViewportSize(DESK);
      await tour.visit(address);
      await enlargeText(page);
      for (const one of await standingOut(page)) tooWide.push(`${route} with larger text: ${one}`);
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
      await page.setViewportSize(ZOOMED);
      for (const one of await standingOut(page)) tooWide.push(`${route} zoomed: ${one}`);
      await page.setViewportSize(PHONE);
      for (const one of await squeezed(page)) tooNarrow.push(`${route} on a phone: ${one}`);
    }
    expect(tooWide).toEqual([]);
    expect(tooNarrow).toEqual([]);
  });
});
