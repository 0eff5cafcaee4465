import { expect, expectAccessible, test } from '../journey.ts';
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
      const kept = await page.evaluate(async () => ({
        local: JSON.stringify(localStorage),
        session: JSON.stringify(sessionStorage),
        databases: (await indexedDB.databases()).length,
        cookie: document.cookie,
      }));
      expect(kept).toEqual({ local: expect.not.stringMatching(/eyJ|token/i), session: '{}', databases: 0, cookie: '' });
      const [cookie, ...others] = await page.context().cookies(`${world.baseUrl}/api/v1/auth/refresh`);
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/v1/auth' });
      expect(others).toEqual([]);
      await expectAccessible(page);
    });
  }

  test('leads back to the view that was asked for, with its filter', async ({ world, page }) => {
    const person = await world.makePerson('Partner Technician', await world.makeTenant());
    await page.goto('/requests?status=denied');
    await page.waitForURL(/\/login\?/);
    await new SignInPage(page).signIn(person);
    await page.waitForURL(/\/requests\?status=/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('the sign-in page itself is accessible', async ({ open }) => {
    const page = await open('/login');
    await page.getByLabel('E-mail address').waitFor();
    await expectAccessible(page);
  });
});
