import { Api } from '@gatehouse/stack';
import { Authenticator } from '../authenticator.ts';
import { expect, expectAccessible, test } from '../journey.ts';
import { SignInPage } from '../pages/sign-in-page.ts';

test.describe('journey 6: the second factor', () => {
  test('is set up in the middle of a form; passkey and codes follow on the profile', async ({ world, open, watch }) => {
    watch.expect(/403|401/);
    const tenant = await world.makeTenant();
    const page = await open('/login');
    await Authenticator.in(page);
    const invitation = await world.invite('Organization Admin', tenant);
    await world.acceptIn(page.context(), invitation);

    await page.goto('/people/roles/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Night shift');
    await page.getByLabel('Approve, deny and stop elevations; freeze').check();
    await expect(page.getByLabel('Everything, including permissions added in later versions')).toBeDisabled();
    await expect(page.getByText('You do not have this permission.')).toHaveCount(1);
    await page.getByRole('button', { name: 'Create' }).click();

    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('img', { name: 'Set up a second factor' })).toBeVisible();
    await expectAccessible(page);
    const secret = await dialog.locator('.gh-data').innerText();
    await dialog.getByLabel('Code that the app shows').fill(await Api.codeFor(secret));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.locator('code')).toHaveCount(10);
    const codes = await dialog.locator('code').allInnerTexts();
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await expect(page.getByText('Role Night shift saved.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Night shift', exact: true })).toHaveCount(1);

    await page.goto('/settings/profile');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog.getByRole('textbox').fill('Laptop');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(page.getByText('Passkey · Laptop')).toBeVisible();
    await page.getByRole('button', { name: 'New recovery codes' }).click();
    await dialog.getByRole('button', { name: 'New recovery codes' }).click();
    await expect(dialog.locator('code')).toHaveCount(10);
    expect(await dialog.locator('code').allInnerTexts()).not.toContain(codes[0]);
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await expect(page.locator('code')).toHaveCount(0);
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await new SignInPage(page).givePassword(invitation);
    await expect(page.locator('#mfa-form').getByRole('button').first()).toHaveText('Use a passkey');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('navigation').first().waitFor();
    await page.goto('/settings/profile');
    await page.getByRole('button', { name: 'Remove' }).first().click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('button', { name: 'Set up an authenticator' })).toBeVisible();
  });
});
