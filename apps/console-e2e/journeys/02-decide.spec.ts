import type { Route } from '@playwright/test';
import { expect, expectAccessible, test } from '../journey.ts';
import { SignInPage } from '../pages/sign-in-page.ts';
import { report } from '../report.ts';
import { standingOut } from '../senses.ts';

const SIGNED = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN' };
const RISKY = { path: String.raw`C:\Users\maria\Downloads\setup.exe`, reason: 'printer driver' };

test.describe('journeys 2 to 4: decisions', () => {
  test('a prompt appears by itself, is approved, and its page tells why it waited', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-0412');
    const defaults = { defaultUnmatchedVerdict: 'require_approval', defaultApprovalMinutes: 30 };
    await world.admin.must('PUT', `/pam/config?orgId=${tenant.orgId}`, defaults);
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
    await expect(row).toContainText(/approved by.*30 min/);
    await expect(navigation.getByRole('link', { name: 'Approvals 1 pending' })).toBeVisible();
    await expect(navigation.getByRole('link', { name: 'Active 1 active' })).toBeVisible();
    await page.goto(`/requests/${id}`);
    await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible();
    const step = page.getByRole('listitem').filter({ hasText: "The organisation's default: require approval." });
    await expect(step.locator('.mantine-Badge-root')).toHaveText('Deciding step');
    await expect(page.getByRole('button', { name: 'Revoke' })).toBeVisible();
  });

  for (const [kind, prompt, most] of [
    ['plain', { ...SIGNED, hash: 'cd'.repeat(32), user: 'ole' }, 7],
    ['flagged', RISKY, 9],
  ] as const)
    test(`the first approval of a ${kind} request takes ${most} actions from /`, async ({ world, open }) => {
      const tenant = await world.makeTenant();
      const device = await world.makeDevice(tenant);
      const known = await report(device, { ...prompt, user: 'kim' });
      await world.admin.must('POST', `/pam/elevation-requests/${known}/respond`, { decision: 'deny' });
      const row = `li[data-request="${await report(device, prompt)}"]`;
      const person = await world.makePerson('Partner Technician', tenant);
      const page = await open('/');
      const anyway = page.getByRole('dialog').getByRole('button', { name: 'Approve anyway' });
      // Three fields, each with Enter.
      await new SignInPage(page).signIn(person);
      const actions = [
        () => page.locator(row).getByRole('button', { name: 'Approve', exact: true }).click(),
        async () => {
          await expect(anyway).toBeDisabled();
          await page.getByRole('dialog').getByLabel('Reason').fill('I called Maria');
        },
        () => anyway.click(),
      ];
      for (const act of actions.slice(0, most - 6)) await act();
      await expect(page.locator(row)).toContainText(/approved by/);
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

  test('a decision leaves the focus on the screen and is announced, whoever was faster', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-0412');
    const [own, lost, row] = [await report(device, SIGNED), await report(device, RISKY), await report(device, SIGNED)];
    const decide = (id: string) =>
      world.admin.must('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'deny' });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), `/requests/${own}`);
    const heading = page.getByRole('heading', { level: 1 });
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).press('Enter');
    await expect(page.getByRole('status').filter({ hasText: 'denied' })).toBeVisible();
    await expect(heading).toBeFocused();

    await page.goto(`/requests/${lost}`);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('I called Maria');
    await decide(lost);
    await expect(page.getByRole('status').filter({ hasText: 'denied' })).toBeVisible();
    await expect(heading).toBeFocused();

    await page.goto('/approvals');
    const waiting = page.locator(`li[data-request="${row}"]`);
    await expect(waiting.getByRole('button', { name: 'Deny' })).toBeEnabled();
    await waiting.getByRole('button', { name: 'Deny' }).focus();
    await decide(row);
    await expect(waiting).toContainText(/denied by/);
    await expect(waiting.getByRole('link', { name: /vlc\.exe/ })).toBeFocused();
  });

  test('an approval that the server refuses leaves the focus on its button', async ({ world, openAs, watch }) => {
    watch.expect(/status of 409/);
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant);
    const program = { ...SIGNED, hash: 'ab'.repeat(32) };
    const known = await report(device, program);
    await world.admin.must('POST', `/pam/elevation-requests/${known}/respond`, { decision: 'deny' });
    const id = await report(device, program);
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const answer = new Promise<Route>((resolve) => void page.route('**/respond', resolve));
    const approve = page.locator(`li[data-request="${id}"]`).getByRole('button', { name: 'Approve', exact: true });
    await expect(approve).toBeEnabled();
    await approve.press('Enter');
    const call = await answer;
    // The browser takes the focus from a disabled button when it draws.
    await expect(page.locator(':focus')).toHaveCount(0);
    await call.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: '{"status":409,"code":"conflict"}',
    });
    await expect(page.getByRole('alert').first()).toBeVisible();
    await expect(approve).toBeFocused();
  });

  test('a reason of one long word keeps the queue and the request within the window', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const reason = `https://shop.example/${'licence-'.repeat(60).replaceAll('-', '')}`;
    const id = await report(await world.makeDevice(tenant), { ...RISKY, reason });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const viewport = { width: 360, height: 800 };
    for (const address of ['/approvals', `/requests/${id}`]) {
      await page.goto(address);
      await page.setViewportSize(viewport);
      await page.getByText(reason).first().waitFor();
      expect(await standingOut(page), address).toEqual([]);
      await page.setViewportSize({ ...viewport, width: 1280 });
      expect(await standingOut(page), address).toEqual([]);
    }
  });
});
