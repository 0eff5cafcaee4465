import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.use({ serviceWorkers: 'allow' });

test.describe('journey 8: the network', () => {
  test('is lost and comes back: the screen says so, nothing is decided, and the queue equals the server', async ({
    world,
    openAs,
    watch,
  }) => {
    // The browser may be fetching the worker when the network goes.
    watch.expect(/ERR_INTERNET_DISCONNECTED|error occurred when fetching the script/);
    const { tenant, device } = await world.makeTenantWithDevice();
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
    const path = `/pam/elevation-requests?orgId=${tenant.orgId}&status=pending`;
    const { requests } = await world.admin.must<{ requests: { id: string }[] }>('GET', path);
    const waiting = page.locator('li[data-request]:not([data-settled])');
    const shown = await waiting.evaluateAll((items) => items.map((item) => item.getAttribute('data-request')));
    expect(shown.toSorted()).toEqual(requests.map(({ id }) => id).toSorted());
    await expect(waiting.first().getByRole('button', { name: 'Approve', exact: true })).toBeEnabled();
  });

  test('goes before the parts of the page are there: the shell stays, and they follow when it is back', async ({
    world,
    openAs,
    watch,
  }) => {
    watch.expect(/ERR_/);
    const tenant = await world.makeTenant();
    await report(await world.makeDevice(tenant), { ...PROGRAM, user: 'ole' });
    // A worker would have kept the parts.
    const from = { serviceWorkers: 'block' } as const;
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/devices', from);
    await page.route(/\/assets\/(?:side-panel|notifications)/, async (route) => {
      await page.context().setOffline(true);
      await route.abort('internetdisconnected');
    });
    await page.reload();
    const offline = page.getByText('You are offline.');
    await expect(offline).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Approvals' }).first().click();
    await expect(page).toHaveURL(/approvals/);
    await expect(offline).toBeVisible();

    await page.context().setOffline(false);
    await expect(page.locator('li[data-request]')).toHaveCount(1);
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
  });

  test('comes back to a screen that misses a part: its rows stay, and the reload is offered', async ({
    world,
    openAs,
    watch,
  }) => {
    watch.expect(/ERR_/);
    const { tenant, device } = await world.makeTenantWithDevice();
    await report(device, { ...PROGRAM, user: 'maria' });
    const from = { serviceWorkers: 'block' } as const;
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals', from);
    await page.route(/\/assets\/notifications/, (route) => route.abort('internetdisconnected'));
    await page.reload();
    const offer = page.getByRole('status').filter({ hasText: 'Part of this screen could not be loaded.' });
    await expect(offer).toBeVisible();
    await expect(page.locator('.gh-dot')).toHaveAttribute('data-state', 'live');
    await page.context().setOffline(true);
    await expect(page.getByText('You are offline.')).toBeVisible();
    await report(device, { ...PROGRAM, user: 'kim' });
    await page.unrouteAll();

    await page.context().setOffline(false);
    await expect(page.getByRole('button', { name: '1 new request' })).toBeVisible();
    await offer.getByRole('button', { name: 'Reload' }).click();
    await expect(page.locator('li[data-request]')).toHaveCount(2);
    await expect(offer).toBeHidden();
  });

  for (const route of ['/auth/refresh', '/auth/me'])
    test(`hides ${route} when the console opens: the page says so, and another try opens the screen`, async ({
      world,
      openAs,
      watch,
    }) => {
      watch.expect(/status of 500/);
      const page = await openAs(await world.makePerson('Partner Technician', await world.makeTenant()), '/active');
      const pattern = `**/api/v1${route}`;
      const contentType = 'application/problem+json';
      const body = JSON.stringify({ status: 500, code: 'internal_error', requestId: 'f00d' });
      await page.route(pattern, (call) => call.fulfill({ status: 500, contentType, body }));
      await page.goto('/requests?status=denied');
      await expect(page.getByRole('alert')).toContainText('f00d');
      await expectAccessible(page);
      await page.unroute(pattern);
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('heading', { name: 'Requests', level: 1 })).toBeVisible();
      await expect(page).toHaveURL(/\/requests\?status=denied$/);
    });

  test('R-122 loses one call of a screen: the screen says that a part is missing, and another try shows it', async ({
    world,
    openAs,
    watch,
  }) => {
    watch.expect(/status of 500/);
    const { tenant } = await world.makeTenantWithDevice();
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/active');
    const contentType = 'application/problem+json';
    const body = JSON.stringify({ status: 500, code: 'internal_error', requestId: 'f00d' });
    const pattern = '**/organizations/summary**';
    await page.route(pattern, (call) => call.fulfill({ status: 500, contentType, body }));
    await page.goto('/orgs');
    const row = page.getByRole('row', { name: tenant.orgName });
    await expect(row).not.toContainText('of 1 online');
    const notice = page.getByRole('status').filter({ hasText: 'Some data on this screen could not be loaded' });
    await expect(notice).toContainText('f00d');
    await expectAccessible(page);
    await page.unroute(pattern);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect(row).toContainText('of 1 online');
    await expect(notice).toHaveCount(0);
  });
});

const PROGRAM = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN' };
