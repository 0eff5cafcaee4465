import { expect, expectAccessible, test } from '../journey.ts';

test.describe('journey 37: software policies by place', () => {
  test('a policy is made for a device of the tree; the place says what reaches it', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const { orgId } = tenant;
    const device = await world.makeDevice(tenant, 'lt-0042');
    const target = { level: 'organization', id: orgId };
    const games = { name: 'Block games', mode: 'blocklist', target, rules: [] };
    await world.admin.must('POST', '/pam/software-policies', games);
    const person = await world.makePerson('Partner Admin', tenant);
    const page = await openAs(person, `/rules/software-policies/places?org=${orgId}`);
    const steps = page.locator('.gh-reach > li');
    await expect(steps).toHaveCount(1);
    await expect(steps).toContainText(/The organisation.*closest.*Block games/s);
    await page.getByRole('button', { name: 'New software policy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('This one machine');
    await dialog.getByRole('button', { name: 'Contents of Main' }).click();
    await dialog.getByRole('radio', { name: 'lt-0042' }).check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('lt-0042')).toBeVisible();

    await page.goto(`/rules/software-policies/places?org=${orgId}&level=device&place=${device.id}`);
    await expect(page.getByRole('radio', { name: 'lt-0042' })).toBeChecked();
    await expect(steps).toHaveCount(2);
    await expect(steps.first()).toContainText(/The device.*closest.*This one machine/s);
    await expectAccessible(page);
  });
});
