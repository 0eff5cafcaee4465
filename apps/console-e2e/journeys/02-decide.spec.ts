import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journeys 2 to 4: decisions', () => {
  test('a prompt appears by itself, is approved, and its page tells why it waited', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-0412');
    // The first prompt with a file warns that it is new here; the second one does not.
    const hash = 'ab'.repeat(32);
    await report(device, { ...SIGNED, hash });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const rows = page.locator('li[data-request]');
    await expect(rows).toHaveCount(1);
    const id = await report(device, { ...SIGNED, hash, user: 'ole' });
    await page.getByRole('button', { name: /1 new request/ }).click();
    const row = page.locator(`li[data-request="${id}"]`);
    const navigation = page.getByRole('navigation').first();
    await expect(navigation.getByRole('link', { name: 'Approvals 2 pending' })).toBeVisible();
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(row).toContainText(/approved by/);
    await expect(navigation.getByRole('link', { name: 'Approvals 1 pending' })).toBeVisible();
    await expect(navigation.getByRole('link', { name: 'Active 1 active' })).toBeVisible();
    await page.goto(`/requests/${id}`);
    await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible();
    await expect(page.getByText("The organisation's default: require approval. Deciding step")).toBeVisible();
    await expect(page.getByRole('button', { name: 'Revoke' })).toBeVisible();
  });

  test('a flagged request needs a reason and a second press', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'WS-88');
    const id = await report(device, RISKY);
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const row = page.locator(`li[data-request="${id}"]`);
    await row.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Approve anyway' })).toBeDisabled();
    await dialog.getByLabel('Reason').fill('I called Maria');
    await dialog.getByRole('button', { name: 'Approve anyway' }).click();
    await expect(row).toContainText(/approved by/);
  });

  test('of two technicians one decides, and the other sees who it was', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const id = await report(await world.makeDevice(tenant, 'SRV-2'), SIGNED);
    const [first, second] = [
      await openAs(await world.makePerson('Partner Technician', tenant), '/approvals'),
      await openAs(await world.makePerson('Partner Technician', tenant), '/approvals'),
    ];
    const buttons = (page: typeof first) => page.locator(`li[data-request="${id}"]`);
    await buttons(second).getByRole('button', { name: 'Deny' }).waitFor();
    await buttons(first).getByRole('button', { name: 'Deny' }).click();
    await first.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
    await expect(buttons(first)).toContainText(/denied by/);
    await expect(buttons(second)).toContainText(/denied by/);
  });

  test('hidden characters and markup in a path are shown for what they are', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-77');
    const path = String.raw`C:\Temp\<img src=x onerror=alert(1)>` + '\u202egpj.exe';
    const id = await report(device, { path, commandLine: 'x'.repeat(32_000) });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), `/requests/${id}`);
    await expect(page.getByText('U+202E').first()).toBeVisible();
    await expect(page.getByText('<img src=x onerror=alert(1)>').first()).toBeVisible();
    await expect(page.locator('img[src="x"]')).toHaveCount(0);
  });
});

const SIGNED = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN' };
const RISKY = { path: String.raw`C:\Users\maria\Downloads\setup.exe`, reason: 'printer driver' };
