import { expect, expectAccessible, test } from '../journey.ts';

test.describe('journey 14: a new customer', () => {
  test('organisation, site and key; the first device appears live, and the key is nowhere any more', async ({
    world,
    openAs,
  }) => {
    const page = await openAs(await world.makePerson('Partner Admin', await world.makeTenant()), '/orgs');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New organisation' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Contoso');
    await dialog.getByRole('textbox', { name: 'Short name' }).fill(`contoso-${Date.now()}`);
    await dialog.getByRole('button', { name: 'New organisation' }).click();
    await expect(page.getByRole('heading', { name: 'Contoso' })).toBeVisible();

    await page.getByRole('button', { name: 'New site' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Oslo');
    await dialog.getByRole('button', { name: 'New site' }).click();
    await expect(page.getByRole('link', { name: 'Oslo' })).toBeVisible();

    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Laptops');
    await dialog.getByRole('combobox', { name: 'Site' }).selectOption('Oslo');
    await dialog.getByRole('button', { name: 'New key' }).click();
    const shown = page.getByRole('dialog', { name: 'The new key' });
    const key = await shown.locator('.gh-data').innerText();
    await expectAccessible(page);
    await shown.getByRole('button', { name: 'Close' }).click();
    await expect(shown).toBeHidden();
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(`${await page.content()}${kept}${page.url()}`).not.toContain(key);

    await world.admin.as('').must('POST', '/agents/enroll', {
      enrollmentKey: key,
      hostname: 'lt-0001',
      osType: 'windows',
    });
    await expect(page.getByText('Laptops · used 1')).toBeVisible();
    await page.getByRole('link', { name: 'Devices' }).last().click();
    await expect(page.getByRole('link', { name: 'lt-0001' })).toBeVisible();
  });
});
