import { expect, expectAccessible, test } from '../journey.ts';

test.describe('journey 27: the palette', () => {
  test('Ctrl+K, some letters and Enter open a device', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    await world.makeDevice(tenant, 'LT-OTHER');
    const device = await world.makeDevice(tenant, 'LT-PALETTE');
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search screens, organisations, sites, devices, people').waitFor();
    await page.keyboard.type('LT-PAL');
    await expect(page.getByRole('button', { name: /LT-PALETTE/ })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/devices/${device.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('LT-PALETTE');
  });
});
