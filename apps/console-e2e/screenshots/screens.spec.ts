import type { Page } from '@playwright/test';
import { expect, test } from '../journey.ts';
import { makeScene, type Scene } from './scene.ts';

test('the pictures of the documentation', async ({ world, openAs, open }) => {
  test.setTimeout(600_000);
  const scene = await makeScene(world);
  const desk = await openAs(scene.administrator, '/approvals', { viewport: DESK });
  for (const picture of OF_DESK) await take(desk, scene, picture);
  const phone = await openAs(scene.technician, '/approvals', { viewport: PHONE });
  for (const picture of [APPROVALS, REQUEST]) await take(phone, scene, { ...picture, name: `${picture.name}-phone` });
  for (const colorScheme of SCHEMES) {
    const signIn = await open('/login', { viewport: DESK, colorScheme });
    await signIn.getByLabel('E-mail address').waitFor();
    await signIn.screenshot({ path: `${IMAGES}sign-in-${colorScheme}.png` });
  }
});

const IMAGES = new URL('../../../docs/images/', import.meta.url).pathname;
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const SCHEMES = ['light', 'dark'] as const;

interface Picture {
  readonly name: string;
  readonly path: (scene: Scene) => string;
  /** Opens what the picture is about, and waits until all of it is there. */
  readonly show: (page: Page) => Promise<void>;
}

const shown = (page: Page, text: RegExp | string) => expect(page.getByText(text).first()).toBeVisible();
/** Decisions are offered once a row has come to rest, and other ways to approve once their menu is loaded. */
async function mayDecide(page: Page): Promise<void> {
  for (const name of ['Approve', 'More approval options'])
    await expect(page.getByRole('button', { name, exact: true }).first()).toBeEnabled();
}

const APPROVALS: Picture = {
  name: 'approvals',
  path: () => '/approvals',
  show: async (page) => {
    await shown(page, 'setup.exe');
    for (const button of await page.getByRole('button', { name: /^(Approve|More approval options)$/ }).all())
      await expect(button).toBeEnabled();
  },
};
const REQUEST: Picture = {
  name: 'request',
  path: ({ waiting }) => `/requests/${waiting}`,
  show: async (page) => {
    await mayDecide(page);
    await shown(page, /Deciding step/);
  },
};

/** A rule from a request: the picture waits for the effect of the draft that it shows. */
const RULE: Picture = {
  name: 'rule',
  path: ({ tenant: { orgId }, waiting }) => `/orgs/${orgId}/rules/new?from=${waiting}`,
  show: async (page) => {
    await page.getByRole('radio', { name: 'Exact file, path and user' }).click();
    await page.getByRole('radio', { name: 'grant', exact: true }).click();
    await expect(page.getByRole('radio', { name: 'grant', exact: true })).toBeChecked();
    await page.getByRole('button', { name: /^pending → granted/ }).click();
    await expect(page.getByRole('link', { name: 'setup.exe' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Create', exact: true })).toBeEnabled();
    await page.evaluate(() => window.scrollTo(0, 0));
  },
};

const FREEZE: Picture = {
  name: 'freeze',
  path: ({ device }) => `/devices/${device.id}`,
  show: async (page) => {
    await shown(page, 'vlc.exe');
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('suspicious activity');
  },
};

const OF_DESK: readonly Picture[] = [
  {
    name: 'overview',
    path: () => '/',
    show: async (page) => {
      await shown(page, 'Median time to a decision');
      await expect(page.locator('.gh-chart rect').first()).toBeVisible();
    },
  },
  APPROVALS,
  REQUEST,
  RULE,
  { name: 'device', path: ({ device }) => `/devices/${device.id}`, show: (page) => shown(page, 'vlc.exe') },
  FREEZE,
  {
    name: 'policies',
    path: ({ tenant: { orgId }, device }) =>
      `/rules/software-policies/places?org=${orgId}&level=device&place=${device.id}`,
    show: async (page) => {
      await expect(page.getByRole('radio', { name: 'LT-0412' })).toBeChecked();
      await expect(page.locator('.gh-reach > li')).toHaveCount(3);
    },
  },
  {
    name: 'provider',
    path: ({ provider }) => `/sign-on/${provider}`,
    show: (page) => shown(page, 'Northwind sign-in'),
  },
  {
    name: 'audit',
    path: () => '/audit?kind=pam.elevation_request',
    show: (page) => shown(page, /approved .*vlc\.exe/),
  },
];

/** Once the stream of events is read and the counts beside the navigation are there. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('.gh-dot[data-state="live"]')).toBeVisible();
  await expect(page.locator('.mantine-AppShell-navbar .gh-nav-count')).toHaveCount(2);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.mantine-Skeleton-root, .mantine-Loader-root')).toHaveCount(0);
}

async function take(page: Page, scene: Scene, { name, path, show }: Picture): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.goto(path(scene));
    await settled(page);
    await show(page);
    await page.screenshot({ path: `${IMAGES}${name}-${colorScheme}.png`, animations: 'disabled' });
  }
}
