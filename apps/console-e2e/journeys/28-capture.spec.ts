import { expect, expectAccessible, test } from '../journey.ts';

test.describe('journey 28: capture by level', () => {
  test('a policy is made, assigned to an organisation, and taken back', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/rules/capture?org=${tenant.orgId}`);
    await page.getByRole('button', { name: 'New policy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Kiosks');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Kiosks');
    await page.getByRole('button', { name: 'Assign' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Remove' }).first().click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Not assigned')).toBeVisible();
  });
});
