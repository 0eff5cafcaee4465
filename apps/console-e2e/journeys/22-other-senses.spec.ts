import type { BrowserContextOptions, Page } from '@playwright/test';
import { expect, test } from '../journey.ts';
import { report } from '../report.ts';
import { enlargeText, type Hands, KEYBOARD, lengthenWords, named, POINTER, standingOut } from '../senses.ts';

const WAYS: readonly Way[] = [
  {
    name: '400 % zoom and longer words',
    options: { viewport: { width: 320, height: 568 }, hasTouch: true },
    hands: POINTER,
    dress: lengthenWords,
  },
  {
    name: '200 % text, forced colours and the keyboard alone',
    options: { viewport: { width: 1280, height: 800 }, forcedColors: 'active' },
    hands: KEYBOARD,
    dress: enlargeText,
  },
];

for (const { name, options, hands, dress } of WAYS) {
  test.describe(`journey 22: ${name}`, () => {
    test('J1 and J5: a request is approved, and a rule is made from it', async ({ world, openAs }) => {
      const tenant = await world.makeTenant();
      const device = await world.makeDevice(tenant);
      await report(device, PROMPT);
      const id = await report(device, { ...PROMPT, user: 'ole' });
      const page = await openAs(await world.makePerson('Partner Admin', tenant), '/approvals', options);
      await dress(page);
      const row = page.locator(`li[data-request="${id}"]`);
      await hands.press(row.getByRole('button', { name: named('Approve') }));
      await expect(row).toContainText(/approved by/);
      await expectCalm(page);

      await page.goto(`/requests/${id}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await dress(page);
      await expectCalm(page);
      await hands.press(page.getByRole('link', { name: named('Create rule from request') }));
      await hands.choose(page.getByRole('radio', { name: named('Exact file') }));
      await hands.choose(page.getByRole('radio', { name: named('grant') }));
      await expect(page.getByText(/of 2 past requests would change/)).toBeVisible();
      await expectCalm(page);
      await hands.press(button(page, 'Create'));
      await page.waitForURL(/\/rules\?org=/);
      await expect(page.getByText(/^vlc.exe \(strict\)/).first()).toBeVisible();
      await expectCalm(page);
    });

    test('J6: a provider is connected', async ({ world, openAs }) => {
      const { oidc } = world.neighbours;
      const tenant = await world.makeTenant();
      const address = `/sign-on/new?org=${tenant.orgId}`;
      const page = await openAs(await world.makePerson('Partner Admin', tenant), address, options);
      await dress(page);
      await hands.press(page.getByRole('button', { name: /^Another provider.*OpenID Connect/ }));
      await hands.fill(page.getByLabel(/^Name/), 'Own provider');
      await hands.fill(page.getByLabel(/^Issuer/), oidc.issuer);
      await hands.fill(page.getByLabel(/^Client ID/), oidc.clientId);
      await hands.fill(page.getByLabel(/^Client secret/), oidc.clientSecret);
      await expectCalm(page);
      await hands.press(button(page, 'Create and test'));
      await hands.press(button(page, 'Test the connection'));
      await expect(page.getByText('Connection succeeded')).toBeVisible();
      await expectCalm(page);
      await hands.press(button(page, 'Next'));
      await hands.press(button(page, 'Activate'));
      await hands.press(page.getByRole('dialog').getByRole('button', { name: named('Activate') }));
      await expect(page.getByText(/^Active: users can sign in/)).toBeVisible();
      await expectCalm(page);
    });
  });
}

test.describe('journey 22: longer words, from right to left', () => {
  test('no screen stands out sideways', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const id = await report(await world.makeDevice(tenant), { ...PROMPT, reason: 'a driver' });
    const rules = [`/rules?org=${tenant.orgId}`, `/orgs/${tenant.orgId}/rules/new?from=${id}`];
    const page = await openAs(await world.makePerson('Partner Admin', tenant), '/');
    const tooWide: string[] = [];
    for (const screen of [
      '/',
      '/approvals',
      '/active',
      '/freezes',
      '/requests',
      `/requests/${id}`,
      ...rules,
      '/audit',
    ]) {
      await page.goto(screen);
      await page.locator('main :is(table, .gh-card, .gh-queue, .gh-audit, h2)').first().waitFor();
      await page.evaluate(() => void (document.documentElement.dir = 'rtl'));
      await lengthenWords(page);
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        for (const what of await standingOut(page)) tooWide.push(`${screen} at ${width}: ${what}`);
      }
    }
    expect(tooWide).toEqual([]);
  });
});

const PROMPT = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'ef'.repeat(32) };

interface Way {
  readonly name: string;
  readonly options: BrowserContextOptions;
  readonly hands: Hands;
  /** Makes the page look as it does to this person. */
  readonly dress: (page: Page) => Promise<void>;
}

const button = (page: Page, name: string) => page.getByRole('button', { name: named(name) });

/** All that is asked of a screen besides its use: nothing stands out sideways, and nothing moves. */
async function expectCalm(page: Page): Promise<void> {
  expect(await standingOut(page)).toEqual([]);
  const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running').length;
  await expect.poll(() => page.evaluate(moving)).toBe(0);
}

test.describe('journey 22: a narrow window and the keyboard', () => {
  test('the navigation is reached when it is open alone', async ({ world, openAs }) => {
    const viewport = { width: 320, height: 568 };
    const technician = await world.makePerson('Partner Technician', await world.makeTenant());
    const page = await openAs(technician, '/devices', { viewport });
    const menu = page.getByRole('navigation', { name: 'Main navigation' }).first().getByRole('link');
    const more = page.getByRole('button', { name: 'More', exact: true });
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(more).toHaveAttribute('aria-expanded', 'false');
    await expect(page.getByRole('link', { name: 'Freezes' })).toHaveCount(0);
    await more.press('Enter');
    await expect(more).toHaveAttribute('aria-expanded', 'true');
    await expect(menu.first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(more).toBeFocused();
    await expect(page.getByRole('link', { name: 'Freezes' })).toHaveCount(0);
    await more.press('Enter');
    await page.getByRole('link', { name: 'Freezes' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Freezes', level: 1 })).toBeFocused();
  });
});
