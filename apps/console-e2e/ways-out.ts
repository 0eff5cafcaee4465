import type { Page } from '@playwright/test';
import type { Tour } from './every-screen.ts';
import { covered } from './senses.ts';
import type { Watch } from './watch.ts';

const OVERLAY = '[role=dialog], [role=menu], [role=listbox]';
const MARK = 'data-way';
/** What acts at once, or turns something over: it opens nothing. */
const PLAIN =
  '[aria-pressed], [role=tab], [role=switch], th button, li button, main nav[aria-label] button, ' +
  'form button, .gh-bulk button';
/** What only asks or renews; everything else that is not a GET would change something. */
const HARMLESS = /\/auth\/refresh|(?:preview|simulate|explain)$/;

/** What is of the person alone, or says itself where it is for. */
const PLACELESS = /Save this view…$|^Add access$/;

/** In the page: whether a form names the organisation that the header names, or asks for a place. */
const namesOrganization = (isPlaceless: boolean): boolean => {
  const dialog = document.querySelector('[role=dialog]:has([type=submit]):not(:has([aria-haspopup]))');
  const name = document.querySelector('header .gh-path-chosen')?.textContent ?? '';
  return isPlaceless || dialog === null || name === 'All organisations' || dialog.textContent.includes(name);
};
const WAYS = {
  Escape: (page: Page) => page.keyboard.press('Escape'),
  Back: (page: Page) => page.evaluate(() => history.back()),
  // Where nothing can be pressed: beside a dialog, and at the end of the page's margin.
  outside: (page: Page) => page.mouse.click((page.viewportSize()?.width ?? 0) - 4, 200),
};

type Ask = Readonly<Record<'overlay' | 'mark', string>>;

/** In the page: whether something stands above it, and what opened that no longer has the focus. */
const openWithFocus = ({ overlay, mark }: Ask): boolean =>
  [...document.querySelectorAll(overlay)].some((one) => one.checkVisibility({ visibilityProperty: true })) &&
  !document.activeElement?.matches(mark);

/** In the page: whether nothing stands above it, and the focus is back at what opened that. */
const closedWithFocus = ({ overlay, mark }: Ask): boolean =>
  ![...document.querySelectorAll(overlay)].some((one) => one.checkVisibility({ visibilityProperty: true })) &&
  (mark === '' || document.activeElement?.matches(mark) === true);

/** Opens whatever opens on a screen, and leaves it by each way; what another screen has shown is passed over. */
export class WaysOut {
  private readonly known: string[] = [];
  readonly left: string[] = [];

  constructor(
    private readonly page: Page,
    private readonly tour: Tour,
  ) {}

  /** From now on nothing that is pressed changes anything: every write gets a status that the product never sends. */
  async holdChanges(watch: Watch): Promise<void> {
    watch.expect(/status of 418 /);
    const refuse = { status: 418, contentType: 'application/problem+json', body: '{"code":"permission_denied"}' };
    await this.page.route(/\/api\/v1\//, (route) => {
      const request = route.request();
      return request.method() === 'GET' || HARMLESS.test(request.url()) ? route.fallback() : route.fulfill(refuse);
    });
  }

  /** @returns what could not be left, did not give the focus back, or is covered by a notice, on this screen */
  async faultsAt(address: string): Promise<readonly string[]> {
    const faults: string[] = [];
    for (let name = await this.mark(); name !== null; name = await this.mark()) {
      const entries = (await this.open()) ? await this.entriesOfMenu() : null;
      if (entries) faults.push(...(await this.leave(name, entries.length > 0)));
      for (const entry of entries?.filter((text) => !this.known.includes(text)) ?? []) {
        this.known.push(entry);
        if (await this.open(entry)) faults.push(...(await this.leave(`${name} > ${entry}`, false, entry)));
      }
      if (!this.page.url().endsWith(address)) await this.tour.visit(address);
    }
    return [...faults, ...(await covered(this.page, 'main, footer'))];
  }

  /** Marks the next button that no screen has shown yet, but for its object: `Actions: a rule`. */
  private async mark(): Promise<string | null> {
    const ask = { known: this.known, mark: MARK, plain: PLAIN };
    const name = await this.page.evaluate(({ known, mark, plain }) => {
      document.querySelector(`[${mark}]`)?.removeAttribute(mark);
      const nameOf = (one: Element) => (one.getAttribute('aria-label') ?? one.textContent).split(':')[0]!.trim();
      const next = [...document.querySelectorAll<HTMLButtonElement>('header button, main button, footer button')]
        .filter((one) => !one.disabled && one.checkVisibility() && (one.ariaHasPopup !== null || !one.matches(plain)))
        .find((one) => nameOf(one) !== '' && !known.includes(nameOf(one)));
      next?.setAttribute(mark, '');
      return next ? nameOf(next) : null;
    }, ask);
    if (name !== null) this.known.push(name);
    return name;
  }

  /** Presses what is marked, and then an entry of its menu. @returns whether anything is open, and has the focus */
  private async open(entry?: string): Promise<boolean> {
    if ((await this.page.locator(`[${MARK}]`).count()) === 0) return false;
    await this.page.click(`[${MARK}]`);
    if (entry !== undefined) await this.page.getByRole('menuitem', { name: entry, exact: true }).click();
    await this.tour.settle();
    // Within this time the files of a dialog are there, too.
    const isOpen = await this.isSeen(openWithFocus, 700);
    // The navigation of a phone opens, too, and is no overlay.
    if (!isOpen) await this.page.keyboard.press('Escape');
    return isOpen;
  }

  private isSeen(what: (ask: Ask) => boolean, timeout = 30_000, mark = `[${MARK}]`): Promise<boolean> {
    return this.page.waitForFunction(what, { overlay: OVERLAY, mark }, { timeout }).then(Boolean, () => false);
  }

  private async leave(name: string, isMenu: boolean, entry?: string): Promise<readonly string[]> {
    const isNamed = await this.page
      .waitForFunction(namesOrganization, PLACELESS.test(name), { timeout: 10_000 })
      .then(Boolean, () => false);
    const faults = (await covered(this.page, '[role=dialog]')).map((fault) => `${name}: ${fault}`);
    if (!isNamed) faults.push(`${name}: does not name its organisation`);
    for (const [way, act] of Object.entries(WAYS)) {
      if (way !== 'Escape' && !(await this.open(entry))) break;
      const address = this.page.url();
      await act(this.page);
      // A press outside a menu is one elsewhere.
      const isLeft = await this.isSeen(closedWithFocus, undefined, isMenu && way === 'outside' ? '' : `[${MARK}]`);
      if (!isLeft || this.page.url() !== address) faults.push(`${name}: ${way}`);
      if (!isLeft) await this.page.keyboard.press('Escape');
    }
    this.left.push(name);
    return faults;
  }

  /** The entries of an open menu of the screen itself: that of the account signs out. */
  private async entriesOfMenu(): Promise<readonly string[]> {
    if ((await this.page.locator(`main [${MARK}]`).count()) === 0) return [];
    const texts = await this.page.locator('[role=menu] [role=menuitem]:not(a, [disabled]):visible').allTextContents();
    return texts.map((text) => text.trim());
  }
}
