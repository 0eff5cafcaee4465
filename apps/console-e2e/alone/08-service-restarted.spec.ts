import { expect, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 8: a service is restarted', () => {
  test('the screen follows the events again, and its queue equals the server', async ({ world, openAs, watch }) => {
    // What the page asks while the service is away.
    watch.expect(/ 50[234] |ERR_/);
    const { tenant, device } = await world.makeTenantWithDevice();
    const gone = await report(device, { ...PROGRAM, user: 'maria' });
    await report(device, { ...PROGRAM, user: 'ole' });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const dot = page.locator('.gh-dot');
    await expect(page.locator('li[data-request]')).toHaveCount(2);
    await expect(dot).toHaveAttribute('data-state', 'live');

    await world.restart('notifier');
    await world.admin.must('POST', `/pam/elevation-requests/${gone}/respond`, { decision: 'deny' });
    await report(device, { ...PROGRAM, user: 'kim' });
    // A service that drains and returns within a second may be missed by the dot; what happened since may not.
    await expect(dot).toHaveAttribute('data-state', 'live');
    await page.getByRole('button', { name: '1 new request' }).click();
    const path = `/pam/elevation-requests?orgId=${tenant.orgId}&status=pending`;
    const { requests } = await world.admin.must<{ requests: { id: string }[] }>('GET', path);
    const waiting = page.locator('li[data-request]:not([data-settled])');
    const shown = () => waiting.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-request')).toSorted());
    await expect.poll(shown).toEqual(requests.map(({ id }) => id).toSorted());
    expect(requests).toHaveLength(2);
  });
});

const PROGRAM = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN' };
