import { type BrowserContext, type BrowserContextOptions, type Page, test as base } from '@playwright/test';
import type { Person } from './person.ts';
import { Watch } from './watch.ts';
import { World } from './world.ts';

export { expect } from '@playwright/test';
export { expectAccessible } from './accessible.ts';

/** Opens a page in a browser of its own in which the person has signed in with password and second factor. */
export type OpenAs = (person: Person, path: string, options?: BrowserContextOptions) => Promise<Page>;

/** A context of its own for each person; it ends with the journey, because a page that stays open keeps working. */
type NewContext = (options?: BrowserContextOptions) => Promise<BrowserContext>;

interface OfJourney {
  readonly newContext: NewContext;
  /** Fails the journey for every error in a page that it did not expect. */
  readonly watch: Watch;
  /** Opens a page without a session. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  readonly openAs: OpenAs;
}

interface OfWorker {
  readonly world: World;
}

/** A journey through the running product. */
export const test = base.extend<OfJourney, OfWorker>({
  world: [async ({}, use) => use(await World.open()), { scope: 'worker', timeout: 120_000 }],
  baseURL: async ({ world }, use) => use(world.baseUrl),
  watch: [
    async ({}, use) => {
      const watch = new Watch();
      await use(watch);
      base.expect(watch.faults, 'errors that the pages reported').toEqual([]);
    },
    { auto: true },
  ],
  page: async ({ page, watch }, use) => {
    await watch.follow(page);
    await use(page);
  },
  newContext: async ({ browser, contextOptions, world }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext({ ...contextOptions, baseURL: world.baseUrl, ...options });
      contexts.push(context);
      return context;
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
  open: async ({ newContext, watch }, use) => {
    await use(async (path, options) => {
      const context = await newContext(options);
      const page = await context.newPage();
      await watch.follow(page);
      await page.goto(path);
      return page;
    });
  },
  openAs: async ({ newContext, world, watch }, use) => {
    await use(async (person, path, options) => {
      const context = await newContext(options);
      const send = async (route: string, data: object): Promise<{ mfaToken?: string }> => {
        const answer = await context.request.post(`/api/v1${route}`, { data, headers: { origin: world.baseUrl } });
        if (!answer.ok()) throw new Error(`${route}: ${answer.status()} ${await answer.text()}`);
        return (await answer.json()) as { mfaToken?: string };
      };
      const session = 'cookie';
      const { mfaToken } = await send('/auth/login', { email: person.email, password: person.password, session });
      const proof = { mfaToken, code: await person.nextCode(), method: 'totp', session };
      await send('/auth/mfa/verify', proof);
      const page = await context.newPage();
      await watch.follow(page);
      await page.goto(path);
      return page;
    });
  },
});
