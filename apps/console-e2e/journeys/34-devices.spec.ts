import { expect, expectAccessible, test } from '../journey.ts';

test.describe('journey 34: devices', () => {
  test('a group is filled; a device says what it gets, and its fields are edited', async ({ world, openAs, watch }) => {
    watch.expect(/400 .*custom-fields/);
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'lt-0042');
    const { orgId } = tenant;
    const asset = { name: 'Asset', fieldKey: 'asset', type: 'number', ownerScope: 'organization', orgId };
    await world.admin.must('POST', '/custom-fields', asset);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/devices/groups?org=${orgId}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New group' }).first().click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Kiosks');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Kiosks' })).toBeVisible();
    await page.getByRole('button', { name: 'Add devices' }).click();
    await dialog.getByRole('checkbox', { name: 'lt-0042' }).check();
    await dialog.getByRole('button', { name: 'Add 1 device' }).click();
    await expect(page.getByRole('row', { name: /lt-0042/ })).toContainText('version not reported');
    await page.getByRole('link', { name: 'lt-0042' }).click();
    await expect(page.getByRole('link', { name: 'Kiosks' })).toBeVisible();
    await expectAccessible(page);

    await world.admin.must('POST', '/pam/software-policies', {
      name: 'Block games',
      mode: 'blocklist',
      target: { level: 'device', id: device.id },
      rules: [{ name: 'Steam', signer: 'Valve' }],
    });
    await page.getByRole('link', { name: 'Configuration' }).click();
    await expect(page.locator('[data-level="device"]')).toContainText(
      /The device.*closest.*Block games.*blocks 1 entry/s,
    );
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Custom fields' }).click();
    await page.getByRole('textbox', { name: 'Asset' }).fill('many');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('must be a number')).toBeVisible();
    await page.getByRole('textbox', { name: 'Asset' }).fill('4711');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('The values were saved.')).toBeVisible();
    await page.getByRole('navigation', { name: 'Pages of lt-0042' }).getByRole('link', { name: 'Overview' }).click();
    await expect(page.getByText('4,711')).toBeVisible();
    // What another screen has read of all devices is not said of this one.
    await page.getByRole('link', { name: 'Requests' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Requests' })).toBeVisible();
    await page.goBack();
    await expect.soft(page.getByRole('button', { name: `▸ ${tenant.orgName}` })).toBeVisible();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await expect.soft(dialog).toContainText(tenant.orgName);
    await expect.soft(dialog).toContainText('No elevations are active.');
    await expect.soft(dialog).not.toContainText('It affects');
  });

  test('several devices move at once: each says what became of it, and the refused ones are tried again', async ({
    world,
    openAs,
    watch,
  }) => {
    watch.expect(/40[39]/);
    const tenant = await world.makeTenant();
    const { orgId } = tenant;
    for (const name of ['lt-1', 'lt-2', 'lt-3']) await world.makeDevice(tenant, name);
    const target = await world.makeOrganization(tenant.partnerId, 'Contoso');
    await world.admin.must('PATCH', `/orgs/organizations/${target.orgId}`, { maxDevices: 2 });
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/devices?org=${orgId}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
    await page.getByRole('button', { name: 'Move' }).click();
    await dialog.getByRole('button', { name: 'Contents of Contoso' }).click();
    await dialog.getByRole('radio', { name: 'Main' }).check();
    await expect(dialog.getByText('The organisation changes')).toBeVisible();
    await dialog.getByRole('button', { name: 'Move' }).click();
    await expect(dialog.getByText('2 devices moved; 1 failed.')).toBeVisible();
    await expectAccessible(page);

    await world.admin.must('PATCH', `/orgs/organizations/${target.orgId}`, { maxDevices: 3 });
    await dialog.getByRole('button', { name: 'Retry the failed one' }).click();
    await expect(dialog.getByText('3 devices moved.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByText('No devices yet')).toBeVisible();
  });
});
