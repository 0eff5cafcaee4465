import { expect, expectAccessible, test } from '../journey.ts';

test.describe('journey 14: a new customer', () => {
  test('organisation, site and key; the first device appears live, and the key is gone', async ({ world, openAs }) => {
    const page = await openAs(await world.makePerson('Partner Admin', await world.makeTenant()), '/orgs');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New organisation' }).click();
    const [name, slug] = [dialog.getByRole('textbox', { name: 'Name', exact: true }), dialog.getByLabel('Short name')];
    await name.fill('Contoso & Söhne');
    await expect(slug).toHaveValue('contoso-sohne');
    await slug.fill(`contoso-${Date.now()}`);
    await name.fill('Contoso');
    await expect(slug).toHaveValue(/^contoso-\d+$/);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('heading', { name: 'Contoso' })).toBeVisible();

    await page.getByRole('button', { name: 'New site' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Oslo');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('link', { name: 'Oslo' })).toBeVisible();

    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Laptops');
    await dialog.getByRole('combobox', { name: 'Site' }).selectOption('Oslo');
    await dialog.getByRole('combobox', { name: 'Expires after' }).selectOption('7 days');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('dialog', { name: 'New enrolment key' });
    const key = await shown.locator('.gh-data').first().innerText();
    await expect(shown).toContainText(`the address ${world.baseUrl}`);
    await expectAccessible(page);
    const enrol = (hostname: string, enrollmentKey: string) =>
      world.admin.as('').must('POST', '/agents/enroll', { enrollmentKey, hostname, osType: 'windows' });
    await expect(shown.getByRole('status')).toHaveText(/Waiting for the first device/);
    await page.mouse.click(4, 200); // What is shown once stays.
    await enrol('lt-0001', key);
    await expect(shown.getByRole('status')).toHaveText('1 device has enrolled.');
    await shown.getByRole('button', { name: 'Close' }).click();
    await expect(shown).toBeHidden();
    const orgId = new URL(page.url()).pathname.split('/').at(-1);
    const { data } = await world.admin.must<{ data: Key[] }>('GET', `/enrollment-keys?orgId=${orgId}`);
    const lifetimes = data.map(({ createdAt, expiresAt }) => Date.parse(expiresAt) - Date.parse(createdAt));
    expect(lifetimes.map((one) => Math.round(one / 86_400_000))).toEqual([7]);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(`${await page.content()}${kept}${page.url()}`).not.toContain(key);

    await expect(page.getByText('Laptops · used 1')).toBeVisible();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await dialog.filter({ hasText: 'Contoso' }).getByRole('button', { name: 'Rotate' }).click();
    await expect(shown.locator('.gh-data').first()).not.toHaveText(key);
    await shown.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Devices' }).last().click();
    await expect(page.getByRole('link', { name: 'lt-0001' })).toBeVisible();
  });

  test('a site is edited, and organisations are ordered and deleted', async ({ world, openAs, watch }) => {
    const tenant = await world.makeTenant('Northwind');
    // The event of the deletion may reach the organisation's page before the answer to it.
    watch.expect(new RegExp(`status of 40[34] .*${tenant.orgId}`));
    await world.makeOrganization(tenant.partnerId, 'Contoso');
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/orgs/${tenant.orgId}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: /^Edit the site/ }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Headquarters');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name: 'Headquarters' })).toBeVisible();

    await page.locator('[data-context]').click();
    await page.getByRole('option', { name: 'Contoso' }).click();
    await expect(page.getByRole('heading', { name: 'Contoso' })).toBeVisible();
    await expect(page.locator('[data-context]')).toContainText('Contoso');
    await page.goto(`/orgs/${tenant.orgId}/rules/new`);
    await expect(page).toHaveTitle('New rule · Northwind · Gatehouse');

    await page.goto('/orgs');
    const names = page.locator('tbody a[data-open]');
    await expect(names).toHaveText(['Contoso', 'Northwind']);
    await page.getByRole('button', { name: 'Move Northwind up' }).click();
    await expect(names).toHaveText(['Northwind', 'Contoso']);
    await page.reload();
    await expect(names).toHaveText(['Northwind', 'Contoso']);

    await names.first().click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete organisation' }).click();
    await dialog.getByRole('textbox').fill('Northwind');
    await dialog.getByRole('button', { name: 'Delete organisation' }).click();
    await expect(names).toHaveText(['Contoso']);
  });
});

interface Key {
  readonly createdAt: string;
  readonly expiresAt: string;
}
