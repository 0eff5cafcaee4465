import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 29: many at once', () => {
  test('each of many decisions has its result, and failed ones are tried again', async ({ world, openAs, watch }) => {
    watch.expect(/status of 409/);
    const { tenant, device } = await world.makeTenantWithDevice();
    const decide = (id: string) =>
      world.admin.must('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'deny' });
    // Only the first prompt with a file warns that it is new here.
    await decide(await report(device, { ...PROGRAM, user: 'first' }));
    const [, other] = [
      await report(device, { ...PROGRAM, user: 'maria' }),
      await report(device, { ...PROGRAM, user: 'ole' }),
      await report(device, NEW_HERE),
    ];
    const place = { level: 'organization', targetId: tenant.orgId };
    const lockdown = { ...place, reason: 'a check', mode: 'lockdown', revokeOpen: false };
    const { freeze } = await world.admin.must<{ freeze: { id: string } }>('POST', '/pam/freezes', lockdown);
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const boxes = page.getByRole('checkbox');
    await expect(boxes).toHaveCount(3);
    for (const box of await boxes.all()) await box.click();
    await page.getByRole('button', { name: 'Approve selected' }).click();
    await expect(page.getByRole('dialog')).toContainText('1 request with warnings is excluded');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    const results = page.getByRole('region', { name: 'Results' });
    await expect(results.getByRole('status')).toHaveText('None succeeded, 2 failed');
    await expect(results.getByRole('listitem').filter({ hasText: 'refused: The device is frozen' })).toHaveCount(2);
    await expect(results.getByRole('listitem').filter({ hasText: 'skipped' })).toContainText('new.exe');
    await expectAccessible(page);

    await world.admin.must('POST', `/pam/freezes/${freeze.id}/lift`, { reason: 'checked' });
    await decide(other);
    await results.getByRole('button', { name: 'Retry the 2 that failed' }).click();
    await expect(results.getByRole('status')).toHaveText('1 succeeded, 1 failed');
    await expect(results.getByRole('listitem').filter({ hasText: 'ole' })).toContainText('already decided or expired');
    await expect(results.getByRole('button', { name: /Retry/ })).toHaveCount(0);
  });
});

const PROGRAM = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'ab'.repeat(32) };
const NEW_HERE = { path: String.raw`C:\Temp\new.exe`, user: 'kim' };
