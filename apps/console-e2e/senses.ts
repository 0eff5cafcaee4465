import { expect, type Locator, type Page } from '@playwright/test';

const MAX_TABS = 120;

/** As with a browser that is set to twice the size of text. */
export const enlargeText = (page: Page): Promise<void> =>
  page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));

/** As in a language whose words are 40 % longer: each text gets a tail, also those that come later. */
export const lengthenWords = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const tail = (text: string) => ` ${'ëřßæ '.repeat(text.length).slice(0, Math.ceil(text.length * 0.4))}`.trimEnd();
    const lengthen = () => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode as Text;
        const isShown = text.parentElement?.closest('script, style, textarea, option, [dir=ltr]') === null;
        if (isShown && /\p{L}{3}/u.test(text.data) && !/[ëřßæ]$/.test(text.data)) text.data += tail(text.data);
      }
    };
    lengthen();
    new MutationObserver(lengthen).observe(document.body, { childList: true, subtree: true, characterData: true });
  });

/** A name as it is, or with the tail of a longer language. */
export const named = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll(/[.()]/g, String.raw`\$&`)}( [ëřßæ ]+)?$`);

/** What stands out of the window sideways. */
export const standingOut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const isWide = scrollWidth > clientWidth;
    // The header is fixed: what stands out of it makes no document wider.
    const all = [...document.querySelectorAll<HTMLElement>(isWide ? 'main *, header *' : 'header *')];
    const out = all.filter((one) => {
      const { left, right } = one.getBoundingClientRect();
      return (left < 0 || right > clientWidth) && one.closest('.gh-table, .gh-tabs, pre') === null;
    });
    if (isWide && out.length === 0) return ['the document'];
    return out.map((one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`);
  });

/** Tables and cards that are wider than their places, and tabs of which some are hidden without a shadow. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const boxes = [
      ...document.querySelectorAll<HTMLElement>('main :is([class^=gh-], [class*=" gh-"], .mantine-Card-root)'),
    ];
    const isHinted = (box: HTMLElement) =>
      box.matches('.gh-tabs') && getComputedStyle(box).backgroundAttachment.includes('local');
    const cut = boxes.filter((box) => box.scrollWidth > box.clientWidth && box.clientWidth > 0 && !isHinted(box));
    return cut.map(
      (box) => `${box.className}: ${box.scrollWidth} in ${box.clientWidth}, ${box.textContent.slice(0, 40)}`,
    );
  });

/** Fields for text in which a word cannot be read. */
export const squeezed = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const MIN_WIDTH = 100;
    const isText = ({ type, inputMode }: HTMLInputElement) =>
      /^(text|search|email)$/.test(type) && inputMode !== 'numeric';
    const fields = [...document.querySelectorAll<HTMLInputElement>('main input')].filter(isText);
    const narrow = fields.filter(({ clientWidth }) => clientWidth > 0 && clientWidth < MIN_WIDTH);
    return narrow.map((one) => `${one.ariaLabel ?? one.id} is ${one.clientWidth} wide`);
  });

/** The controls that a finger misses half of its width beside their middle; links within texts do not count. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const FINGER = 44;
    const controls = [...document.querySelectorAll<HTMLElement>('button, select, textarea, [role=tab], input')];
    const shownBy = (one: HTMLElement) => (one.role === 'switch' && one.nextElementSibling) || one;
    const isHit = (one: HTMLElement, x: number, y: number) => {
      const found = document.elementFromPoint(x, y);
      const labels = [...((one as HTMLInputElement).labels ?? [])];
      return [one, ...labels].some((part) => part.contains(found));
    };
    const isSmall = (one: HTMLElement) => {
      one.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = shownBy(one).getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      return [1 - FINGER / 2, FINGER / 2 - 1].some((beside) => !isHit(one, x, y + beside));
    };
    return controls
      .filter((one) => shownBy(one).checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter(isSmall)
      .map((one) => `${one.tagName} ${one.className} ${one.ariaLabel ?? one.textContent.slice(0, 40)}`);
  });

/** The controls of a part of the page that a notice covers, wherever the page is scrolled to. */
export const covered = (page: Page, part: string): Promise<string[]> =>
  page.locator(`:is(${part}) :is(a, button, input)`).evaluateAll((controls) =>
    controls
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => {
        one.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { left, top, width, height } = one.getBoundingClientRect();
        const above = document.elementFromPoint(left + width / 2, top + height / 2);
        return above?.closest('.gh-corner, .mantine-Notifications-root');
      })
      .map((one) => `a notice covers ${one.ariaLabel ?? one.textContent}`),
  );

/** How a person acts on a screen. */
export interface Hands {
  press(target: Locator): Promise<void>;
  choose(radio: Locator): Promise<void>;
  fill(field: Locator, text: string): Promise<void>;
}

export const POINTER: Hands = {
  press: (target) => target.click(),
  choose: (radio) => radio.click(),
  fill: (field, text) => field.fill(text),
};

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Goes to a control with the keys that lead there. */
async function goTo(target: Locator, key: (target: Locator) => Promise<string>): Promise<void> {
  await expect(target).toBeEnabled();
  for (let pressed = 0; !(await isFocused(target)); pressed++) {
    if (pressed > MAX_TABS) throw new Error(`no key leads to ${target.toString()}`);
    await target.page().keyboard.press(await key(target));
  }
}

const tab = async () => 'Tab';
/** Arrows go from one radio to the next of its group. */
const arrowOrTab = (radio: Locator) =>
  radio.evaluate((element) => {
    const { name } = element as HTMLInputElement;
    return (document.activeElement as HTMLInputElement | null)?.name === name ? 'ArrowDown' : 'Tab';
  });

export const KEYBOARD: Hands = {
  press: async (target) => {
    await goTo(target, tab);
    await target.page().keyboard.press('Enter');
  },
  choose: async (radio) => {
    await goTo(radio, arrowOrTab);
    await radio.page().keyboard.press('Space');
  },
  fill: async (field, text) => {
    await goTo(field, tab);
    await field.page().keyboard.press('Control+A');
    await field.page().keyboard.insertText(text);
  },
};
