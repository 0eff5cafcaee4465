import type { Page } from '@playwright/test';
import { expect, expectAccessible, test as base } from '../journey.ts';
import { Rollout } from '../rollout.ts';

const test = base.extend<{ readonly rollout: Rollout }>({
  // Made before the contexts of people, so that it ends after them: their pages ask until they are closed.
  rollout: [
    async ({ world }, use) => {
      const rollout = await Rollout.of(world.baseUrl);
      await use(rollout);
      rollout.stop();
    },
    { auto: true },
  ],
});

test.use({ serviceWorkers: 'allow' });

test.describe('journey 23: a new version is rolled out under an open page', () => {
  test('the worker keeps what the page needs, the reload is offered and brings all of the new version', async ({
    world,
    openAs,
    watch,
    rollout,
  }) => {
    watch.expect(/ERR_|Failed to fetch|TypeError: network error/);
    const tenant = await world.makeTenant();
    const person = await world.makePerson('Partner Admin', tenant);
    const page = await openAs(person, `/orgs/${tenant.orgId}/rules/new`, { baseURL: rollout.address });
    const { name, times, from, reload, leave } = parts(page);
    await name.fill('Printer drivers');
    await expect.poll(() => hasWorker(page)).toBe(true);

    rollout.deploy();
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await expect(reload).toBeVisible();
    await times.check();
    await expect(from).toBeVisible();
    await expect(name).toHaveValue('Printer drivers');
    await reload.click();
    await leave.getByRole('button', { name: 'Stay' }).click();
    await expect(name).toHaveValue('Printer drivers');
    await reload.click();
    await leave.getByRole('button', { name: 'Leave' }).click();
    await expect.poll(() => entryOf(page)).toContain('-next.');
    await expect(name).toHaveValue('');
    await expect.poll(async () => versionsOf(await keptFiles(page))).toEqual(['next']);

    rollout.isDown = true;
    await page.goto('/devices');
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
    await expectAccessible(page);
    rollout.isDown = false;
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible();
  });

  test('without a worker a part that is gone leads to the offer, and a screen that is gone to the new version', async ({
    world,
    openAs,
    watch,
    rollout,
  }) => {
    watch.expect(/404|Failed to fetch dynamically imported module/);
    const tenant = await world.makeTenant();
    const person = await world.makePerson('Partner Admin', tenant);
    rollout.hasWorker = false;
    const page = await openAs(person, `/orgs/${tenant.orgId}/rules/new`, { baseURL: rollout.address });
    const { name, times, from, reload, leave } = parts(page);
    await name.fill('Printer drivers');
    await expect.poll(() => hasLoaded(page, 'leave-dialog')).toBe(true);

    rollout.deploy();
    await times.check();
    await expect(page.getByText(/Part of this screen/)).toBeVisible();
    await expect(reload).toBeVisible();
    await expect(from).toHaveCount(0);
    await expect(name).toHaveValue('Printer drivers');
    await expectAccessible(page);
    const devices = page.getByRole('link', { name: 'Devices' }).first();
    await devices.hover();
    await expect(name).toHaveValue('Printer drivers');
    await devices.click();
    await leave.getByRole('button', { name: 'Leave' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible();
    expect(await entryOf(page)).toContain('-next.');
    expect(new URL(page.url()).pathname).toBe('/devices');
  });
});

/** The files of the console that the worker keeps. */
const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => url.replace(/.*\//, ''));
  });

const versionsOf = (files: readonly string[]): string[] => [
  ...new Set(files.filter((file) => file.endsWith('.js')).map((file) => (file.includes('-next.') ? 'next' : 'first'))),
];

const hasWorker = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null);

const hasLoaded = (page: Page, name: string) =>
  page.evaluate((part) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(part)), name);

const entryOf = (page: Page) => page.locator('script[src*="/console/assets/"]').first().getAttribute('src');

const parts = (page: Page) => ({
  name: page.getByRole('textbox', { name: 'Name', exact: true }),
  /** Behind it is a part with a file of its own. */
  times: page.getByRole('checkbox', { name: 'Only at certain times' }),
  from: page.getByLabel('From', { exact: true }),
  reload: page.getByRole('button', { name: 'Reload', exact: true }),
  leave: page.getByRole('dialog', { name: 'Leave without saving?' }),
});
