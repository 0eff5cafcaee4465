import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 26: freeze', () => {
  test('an organisation is frozen in four clicks, says so, and the freeze is lifted', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    await world.makeDevice(tenant);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/orgs/${tenant.orgId}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Freeze' }).click();
    await expect(page.getByRole('dialog')).toContainText('It affects 1 device. No elevations are active.');
    await page.getByLabel('Reason').fill('ransomware on two machines');
    await page.getByRole('dialog').getByRole('button', { name: 'Freeze' }).click();
    await expect(page.getByText(`${tenant.orgName} is frozen.`)).toBeVisible();
    const freezes = `/pam/freezes?orgId=${tenant.orgId}`;
    expect(JSON.stringify(await world.admin.must('GET', freezes))).toContain('ransomware on two machines');

    await page.goto(`/freezes?org=${tenant.orgId}`);
    const row = page.locator('tr[data-row]').filter({ hasText: 'ransomware on two machines' });
    await expect(row).toContainText('active');
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Lift' }).click();
    await page.getByLabel('Reason').fill('cleaned');
    await page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click();
    await expect(row).toContainText('lifted');
    await expect(row).toContainText('cleaned');
    await expect(row).not.toContainText(/\bin \d/);
    // Without an organisation it is the whole partner that would be frozen.
    await page.goto('/freezes');
    await page.getByRole('button', { name: 'Freeze' }).first().click();
    await expect(page.getByRole('dialog')).toContainText(/any device of any organisation.*It affects 1 device/);
  });

  test('in a lockdown an approval at one press is refused in words, and a request can still be denied', async ({
    world,
    openAs,
    watch,
  }) => {
    watch.expect(/409/);
    const { tenant, device } = await world.makeTenantWithDevice();
    const known = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'ab'.repeat(32) };
    await report(device, { ...known, user: 'first' });
    const prompt = await report(device, { ...known, user: 'maria' });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const row = page.locator(`li[data-request="${prompt}"]`);
    const approve = row.getByRole('button', { name: 'Approve', exact: true });
    await expect(approve).toBeEnabled();
    const freeze = { level: 'device', targetId: device.id, mode: 'lockdown', reason: 'stolen' };
    await world.admin.must('POST', '/pam/freezes', freeze);
    await approve.click();
    await expect(page.getByText('The device is frozen')).toBeVisible();

    const own = await world.sessionOf(page.context());
    const asked = { deviceId: device.id, reason: 'replace the disk' };
    const { id } = await own.must<{ id: string }>('POST', '/pam/elevation-requests', asked);
    await page.goto(`/requests/${id}`);
    await expect(page.locator('.gh-decide')).toContainText(/frozen|your own request/);
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeDisabled();
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deny', exact: true }).click();
    await expect(page.locator('[data-status="denied"]').first()).toBeVisible();
  });
});
