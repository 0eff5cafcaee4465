import { expect, expectAccessible, test } from '../journey.ts';

test.describe('journey 26: freeze', () => {
  test('an organisation is frozen in three clicks with a reason, its page says so, and the freeze is lifted', async ({
    world,
    openAs,
  }) => {
    const tenant = await world.makeTenant();
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/orgs/${tenant.orgId}`);
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByLabel('Reason').fill('ransomware on two machines');
    await page.getByRole('dialog').getByRole('button', { name: 'Freeze' }).click();
    await expect(page.getByText(`${tenant.orgName} is frozen.`)).toBeVisible();
    const freezes = `/pam/freezes?orgId=${tenant.orgId}`;
    expect(JSON.stringify(await world.admin.must('GET', freezes))).toContain('ransomware on two machines');

    await page.goto(`/freezes?org=${tenant.orgId}`);
    const row = page.locator('tr[data-row]').filter({ hasText: 'ransomware on two machines' });
    await expect(row).toContainText('in force');
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Lift' }).click();
    await page.getByLabel('Reason').fill('cleaned');
    await page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click();
    await expect(row).toContainText('lifted');
    await expect(row).toContainText('cleaned');
  });
});
