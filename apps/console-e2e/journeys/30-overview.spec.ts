import type { Request } from '@playwright/test';
import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';
import { until } from '../world.ts';

test.describe('journey 30: the overview', () => {
  test('leads a partner from a site to a second person, ticked by what the server has', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const page = await openAs(await world.makePerson('Partner Admin', tenant), '/');
    const steps = page.getByRole('region', { name: 'First steps' });
    const next = steps.locator('[aria-current=step]');
    const done = (name: string) => steps.getByRole('listitem').filter({ hasText: name, has: page.getByLabel('done') });
    await expect(done('Add a site')).toBeVisible();
    await expect(next).toContainText('Create an enrolment key');
    await expectAccessible(page);

    await next.getByRole('link').click();
    await page.getByRole('button', { name: 'New key' }).click();
    await expect(page.getByRole('dialog').getByLabel('Site')).toHaveValue(tenant.siteId);
    await page.getByLabel('Name').fill('Workstations');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const key = page.getByRole('dialog', { name: 'New enrolment key' });
    await expect(key.getByText(/^npm run agent-sim -- --url http\S+ --key=\S+ /)).toBeVisible();
    await expect(key.getByText(/^Invoke-RestMethod .*\/api\/v1\/agents\/enroll/)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await expect(next).toContainText('Enrol the first device');
    await next.getByRole('link').click();
    await page.getByRole('button', { name: 'Show command' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Show command' }).click();
    await expect(key.getByText(/^Invoke-RestMethod .*\/api\/v1\/agents\/enroll/)).toBeVisible();
    await page.goto('/');

    const device = await world.makeDevice(tenant);
    await expect(next).toContainText('Receive the first prompt');
    await report(device, { path: String.raw`C:\Temp\setup.exe` });
    await expect(next).toContainText('Create the first rule');
    await next.getByRole('link').click();
    await page.waitForURL(`**/orgs/${tenant.orgId}/rules/new`);
    await page.goBack();
    await expect(steps.getByRole('link', { name: 'Invite a second person' })).toHaveAttribute('href', '/people');
    const rule = { orgId: tenant.orgId, name: 'First', verdict: 'auto_deny', matchHash: 'ab'.repeat(32) };
    await world.admin.must('POST', '/pam/rules', rule);
    await expect(next).toContainText('Connect single sign-on');
    await next.getByRole('link').click();
    await page.waitForURL(`**/sign-on/new?org=${tenant.orgId}`);
    await world.makeProvider('oidc', tenant);
    await page.goBack();
    await expect(next).toContainText('Invite a second person');
    await next.getByRole('link').click();
    await page.getByRole('button', { name: 'Invite a person' }).first().waitFor();
    await world.invite('Partner Technician', tenant);
    // With the last step the list goes by itself.
    await page.goBack();
    const perDay = page.getByRole('heading', { name: 'Requests in the last two weeks', exact: true });
    await expect(perDay).toBeVisible();
    await expect(steps).toHaveCount(0);
  });

  test('tells what waits, what is frozen and what needs attention, each with its list', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const silent = await world.makeDevice(tenant, 'LT-SILENT');
    const page = await openAs(await world.makePerson('Partner Admin', tenant), '/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await report(device, { path: String.raw`C:\Temp\setup.exe` });
    await expect(page.locator('a[href^="/approvals"]').filter({ hasText: /^1$/ })).toBeVisible();
    await expect(attention).toHaveCount(0);
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('button', { name: 'Dismiss first steps' }).click();
    await expect(steps).toHaveCount(0);
    // What only time brings about.
    const late = await report(device, { path: String.raw`C:\Temp\late.exe` });
    await world.age('pam', `UPDATE elevation_requests SET status = 'expired', ended_at = now() WHERE id = '${late}'`);
    const days = (count: number) => new Date(Date.now() + count * DAY_MS).toISOString();
    await world.makeProvider('oidc', tenant, { name: 'Expiring', clientSecretExpiresAt: days(10) });
    await world.makeProvider('saml', tenant, { name: 'Lasting' });

    const rule = { orgId: tenant.orgId, name: 'For three days', verdict: 'auto_approve', matchHash: 'ab'.repeat(32) };
    await world.admin.must('POST', '/pam/rules', { ...rule, expiresAt: days(3) });
    const freeze = { level: 'organization', targetId: tenant.orgId, mode: 'lockdown', revokeOpen: false };
    await world.admin.must('POST', '/pam/freezes', { ...freeze, reason: 'ransomware on two machines' });
    await expect(page.getByRole('status').filter({ hasText: 'Freeze active' })).toContainText('ransomware');
    await page.reload();
    await expect(page.getByRole('img', { name: /Bar chart of requests/ })).toBeVisible();
    await expect(steps).toHaveCount(0);
    await expectAccessible(page);
    await attention.getByRole('link', { name: '1 rule expires within 7 days' }).click();
    await expect(page.getByRole('table').getByRole('link', { name: 'For three days' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'All rules' }).click();
    await expect(page).toHaveURL(/\/rules\?org=/);
    await page.goto('/approvals');
    await expect(page.getByRole('link', { name: 'Freeze active' })).toBeVisible();

    const weekOld = `status = 'offline', last_seen_at = '${days(-8)}'`;
    const fallSilent = async () => {
      await world.age('tenancy', `UPDATE devices SET ${weekOld} WHERE id = '${silent.id}'`);
      await world.age('tenancy', `DELETE FROM device_presence WHERE device_id = '${silent.id}'`);
    };
    for (const [name, row] of [
      ['1 request expired undecided in the last 7 days', 'late.exe'],
      ['1 identity provider has warnings', 'Expiring'],
      ['1 device not seen for 7 days', 'LT-SILENT'],
    ] as const) {
      // The device's last call, which is noted within half a minute, may undo the first attempt at any step.
      await expect(async () => {
        await fallSilent();
        await page.goto('/');
        await attention.getByRole('link', { name }).click({ timeout: 5_000 });
        await expect(page.locator('[data-row]')).toContainText([row], { timeout: 5_000 });
      }).toPass();
    }
  });

  test('what arrives in a list moves no row, and a search without hits leaves none', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    await world.makeOrganization(tenant.partnerId, 'Zenith');
    await report(device, { path: String.raw`C:\Temp\setup.exe` });
    const freeze = (level: string, targetId: string) =>
      world.admin.must('POST', '/pam/freezes', { level, targetId, mode: 'hold', reason: 'a test' });
    await freeze('device', device.id);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), '/devices');
    const rows = page.locator('[data-row]');
    for (const [address, kind, arrive] of [
      ['/devices', 'device', () => world.makeDevice(tenant, 'A-FIRST')],
      ['/orgs?sort=name', 'organisation', () => world.makeOrganization(tenant.partnerId, 'Abacus')],
      ['/freezes', 'freeze', () => freeze('organization', tenant.orgId)],
    ] as const) {
      await page.goto(address);
      await expect(rows.first()).toBeVisible();
      const seen = async () => ({
        id: await rows.first().getAttribute('data-row'),
        box: await rows.first().boundingBox(),
      });
      const before = await seen();
      await arrive();
      const show = page.getByRole('button', { name: `1 new ${kind} – show` });
      await expect(show).toBeVisible();
      expect(await seen()).toEqual(before);
      await show.click();
      await expect(rows.first()).not.toHaveAttribute('data-row', before.id ?? '');
    }
    for (const address of ['/requests', '/devices', '/orgs', '/people', '/audit']) {
      await page.goto(address);
      await expect(page.getByRole('main').getByRole('row').or(page.locator('main li')).nth(1)).toBeVisible();
      const asked: string[] = [];
      const note = (one: Request) => /search=|[\da-f-]{36}$/.test(one.url()) && asked.push(one.url());
      page.on('request', note);
      await page.getByRole('main').getByRole('textbox', { name: 'Search' }).first().fill('no such thing');
      await expect(page.getByText('Nothing matches these filters')).toBeVisible();
      await expect(rows).toHaveCount(0);
      page.off('request', note);
      expect([...new Set(asked)], address).toHaveLength(1);
    }
  });

  test('an almost empty organisation has no riddle, and the only one need not be chosen', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const customer = await openAs(await world.makePerson('Organization Admin', tenant), '/orgs');
    await expect(customer.getByRole('link', { name: tenant.orgName })).toBeVisible();
    await expect(customer.getByRole('columnheader')).toHaveText([/^Name/, 'Status']);
    await customer.goto('/rules/software-policies/places');
    await expect(customer.getByRole('heading', { name: `Policies for ${tenant.orgName}` })).toBeVisible();
    await expect(customer.getByRole('group', { name: 'Location' })).not.toContainText('The whole partner');
    await customer.goto('/people/roles');
    await expect(customer.getByRole('link', { name: /^(Partner|Organization) \w+$/ })).toHaveText([/^O/, /^O/, /^O/]);
    await customer.goto('/requests');
    await expect(customer.getByRole('heading', { name: 'No requests yet' })).toBeVisible();
    await expect(customer.getByRole('button', { name: 'Request elevation' })).toHaveCount(0);
    await customer.goto('/library/custom-fields/values');
    await expect(customer.getByRole('heading', { name: 'No custom fields yet' })).toBeVisible();
    const technician = await openAs(await world.makePerson('Partner Technician', tenant), '/rules');
    await expect(technician).toHaveURL(`/rules?org=${tenant.orgId}`);
  });

  test('R-120 shows operators how each service is, and which does not answer', async ({ world, openAs, watch }) => {
    watch.expect(/status of 500/);
    // Another worker may have used the code of the authenticator.
    const page = await until(() => openAs(world.operator, '/'));
    await page.getByRole('link', { name: 'Service health' }).click();
    const table = page.getByRole('table', { name: 'Service health' });
    await expect(table.getByRole('row', { name: / Healthy / })).toHaveCount(6);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await expect(page.getByRole('menu')).toContainText('Operator (role Partner Admin)');
    await page.keyboard.press('Escape');
    await page.route('**/services/notifier', (route) => route.fulfill({ status: 500, body: '' }));
    await expect(table.getByRole('row', { name: /^notifier Not responding/ })).toBeVisible();
    await expect(table.getByRole('row', { name: /^audit Healthy/ })).toBeVisible();
  });
});

const DAY_MS = 86_400_000;
