import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 8: the network', () => {
  test('is lost and comes back: the screen says so, nothing is decided, and the queue equals the server', async ({
    world,
    openAs,
    watch,
  }) => {
    // The browser may be fetching the worker when the network goes.
    watch.expect(/ERR_INTERNET_DISCONNECTED|error occurred when fetching the script/);
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant);
    const gone = await report(device, { ...PROGRAM, user: 'maria' });
    await report(device, { ...PROGRAM, user: 'ole' });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const rows = page.locator('li[data-request]');
    await expect(rows).toHaveCount(2);
    const dot = page.locator('.gh-dot');
    const approve = rows.first().getByRole('button', { name: 'Approve', exact: true });
    await expect(approve).toBeEnabled();
    await expect(dot).toHaveAttribute('data-state', 'live');

    await page.context().setOffline(true);
    const banner = page.getByText('You are offline.');
    await expect(banner).toBeVisible();
    await expect(dot).toHaveAttribute('data-state', 'offline');
    await expect(approve).toBeDisabled();
    await expectAccessible(page);
    await world.admin.must('POST', `/pam/elevation-requests/${gone}/respond`, { decision: 'deny' });
    await report(device, { ...PROGRAM, user: 'kim' });

    await page.context().setOffline(false);
    await expect(banner).toBeHidden();
    await expect(dot).toHaveAttribute('data-state', 'live');
    await page.getByRole('button', { name: '1 new request' }).click();
    const { requests } = await world.admin.must<{ requests: { id: string }[] }>(
      'GET',
      `/pam/elevation-requests?orgId=${tenant.orgId}&status=pending`,
    );
    const waiting = page.locator('li[data-request]:not([data-settled])');
    const shown = await waiting.evaluateAll((items) => items.map((item) => item.getAttribute('data-request')));
    expect(shown.toSorted()).toEqual(requests.map(({ id }) => id).toSorted());
    await expect(waiting.first().getByRole('button', { name: 'Approve', exact: true })).toBeEnabled();
  });
});

const PROGRAM = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN' };
