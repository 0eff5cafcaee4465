import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 30: the overview', () => {
  test('leads a new partner to the first device, and then tells what waits and what is frozen', async ({
    world,
    openAs,
  }) => {
    const tenant = await world.makeTenant();
    const page = await openAs(await world.makePerson('Partner Admin', tenant), '/');
    const steps = page.getByRole('region', { name: 'First steps' });
    await expect(steps.getByRole('listitem').filter({ hasText: 'Give it a site' })).toHaveAttribute('data-done');
    await expect(steps.locator('[aria-current=step]')).toContainText('Make an enrolment key');

    const device = await world.makeDevice(tenant);
    await expect(steps).toHaveCount(0);
    await report(device, { path: String.raw`C:\Temp\setup.exe` });
    await expect(page.locator('a[href^="/approvals"]').filter({ hasText: /^1$/ })).toBeVisible();
    await world.admin.must('POST', '/pam/freezes', {
      level: 'organization',
      targetId: tenant.orgId,
      reason: 'ransomware on two machines',
      mode: 'lockdown',
      revokeOpen: false,
    });
    await expect(page.getByRole('status').filter({ hasText: 'Freeze active' })).toContainText('ransomware');
    await page.reload();
    await expect(page.getByRole('img', { name: /Bars of the requests/ })).toBeVisible();
    await expectAccessible(page);
    await page.goto('/approvals');
    await expect(page.getByRole('link', { name: 'Freeze active' })).toBeVisible();
  });
});
