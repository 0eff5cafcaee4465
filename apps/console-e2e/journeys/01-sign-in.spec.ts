import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../journey.ts';
import { signInAtProvider } from '../pages/provider-page.ts';
import { SignInPage } from '../pages/sign-in-page.ts';
import type { RoleName } from '../world.ts';

const HOMES: readonly (readonly [RoleName, RegExp])[] = [
  ['Partner Technician', /^\/approvals$/],
  ['Partner Admin', /^\/$/],
  ['Partner Viewer', /^\/(audit|requests)$/],
];

test.describe('journey 1: sign-in', () => {
  for (const [role, home] of HOMES) {
    test(`password and second factor lead a ${role} home, and leave no token behind`, async ({ world, page }) => {
      const person = await world.makePerson(role, await world.makeTenant());
      await page.goto('/');
      await page.waitForURL(/\/login\?/);
      await new SignInPage(page).signIn(person);
      await page.getByRole('navigation').first().waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toMatch(home);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNothingKept(page);
      const [cookie, ...others] = await page.context().cookies(`${world.baseUrl}/api/v1/auth/refresh`);
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/v1/auth' });
      expect(others).toEqual([]);
      await expectAccessible(page);
    });
  }

  test('shows the password that was typed, and hides it again', async ({ page }) => {
    await page.goto('/login');
    await page.getByLabel('E-mail address').fill('maria@example.com');
    await page.keyboard.press('Enter');
    const password = page.getByLabel('Password', { exact: true }).first();
    await password.fill('correct horse');
    const show = page.getByRole('button', { name: 'Show password' });
    await show.click();
    await expect(show).toHaveAttribute('aria-pressed', 'true');
    await expect(password).toHaveAttribute('type', 'text');
    await expectAccessible(page);
    await show.click();
    await expect(password).toHaveAttribute('type', 'password');
    await expect(password).toHaveValue('correct horse');
  });

  test('leads back to the view that was asked for, with its filter', async ({ world, page }) => {
    const person = await world.makePerson('Partner Technician', await world.makeTenant());
    await page.goto('/requests?status=denied');
    await page.waitForURL(/\/login\?/);
    await new SignInPage(page).signIn(person);
    await page.waitForURL(/\/requests\?status=/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  for (const type of ['oidc', 'saml'] as const)
    test(`a provider of ${type} leads onto a deep link: the code is consumed, the filter kept`, async ({
      world,
      page,
    }) => {
      const tenant = await world.makeTenant();
      await world.makeProvider(type, tenant);
      if (type === 'saml') await world.proveDomain(tenant, 'acme.example');
      const start = type === 'oidc' ? '/api/v1/sso/login' : '/api/v1/sso/saml/login';
      await page.goto(`${start}/${tenant.orgId}?redirect=${encodeURIComponent('/requests?status=denied')}`);
      const codes: string[] = [];
      page.on('framenavigated', (frame) => codes.push(/#ssoCode=([\w-]+)/.exec(frame.url())?.[1] ?? ''));
      await signInAtProvider(page);
      await page.waitForURL(/\/requests\?status=denied$/);
      await expect(page.getByRole('heading', { level: 1, name: 'Requests' })).toBeVisible();
      await expectNothingKept(page);
      const [code] = codes.filter((one) => one !== '');
      const again = await page.request.post('/api/v1/sso/exchange', { data: { code } });
      expect([code, again.status()]).toEqual([expect.any(String), 400]);
      await page.reload();
      await expect(page.getByRole('heading', { level: 1, name: 'Requests' })).toBeVisible();
    });

  test('the sign-in page itself is accessible', async ({ open }) => {
    const page = await open('/login');
    await page.getByLabel('E-mail address').waitFor();
    await expectAccessible(page);
  });
});

/** Expects no token where a script of the page could read it. */
async function expectNothingKept(page: Page): Promise<void> {
  const kept = await page.evaluate(async () => ({
    local: JSON.stringify(localStorage),
    session: JSON.stringify(sessionStorage),
    databases: (await indexedDB.databases()).length,
    cookie: document.cookie,
  }));
  expect(kept).toEqual({ local: expect.not.stringMatching(/eyJ|token/i), session: '{}', databases: 0, cookie: '' });
}
