import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 27: the palette', () => {
  test('Ctrl+K, some letters and Enter open a device', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    await world.makeDevice(tenant, 'LT-OTHER');
    const device = await world.makeDevice(tenant, 'LT-PALETTE');
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(PLACEHOLDER).waitFor();
    await page.keyboard.type('LT-PAL');
    await expect(page.getByRole('button', { name: /LT-PALETTE/ })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/devices/${device.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('LT-PALETTE');
  });

  test('the palette finds requests, remembers what was seen, and begins what one may do', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-PALETTE-2');
    const id = await report(device, { path: String.raw`C:\Temp\frobnicate.exe`, user: 'winifred' });
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/orgs/${tenant.orgId}`);
    const heading = page.getByRole('heading', { level: 1 });
    const find = async (text: string) => {
      await heading.waitFor();
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder(PLACEHOLDER).fill(text);
    };
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/search=frob/, (route) => answered.then(() => route.continue()));
    const asked = page.waitForRequest(/search=frob/);
    await find('frob');
    await asked;
    await expect(page.getByText('Nothing found')).toHaveCount(0);
    answer();
    await expect(page.getByRole('button', { name: /^frobnicate\.exe/ })).toBeVisible();
    await page.keyboard.press('Escape');
    for (const text of ['frobni', 'winifr']) {
      await find(text);
      await page.getByRole('button', { name: /^frobnicate\.exe/ }).click();
      await page.waitForURL(`**/requests/${id}`);
      await page.goto(`/orgs/${tenant.orgId}`);
    }
    await find('winifr');
    await page.getByRole('button', { name: /^frobnicate\.exe/ }).click();
    await expect(heading).toHaveText(/frobnicate\.exe/); // Only what was shown is remembered.
    await find('');
    await expect(
      page.getByRole('dialog').getByRole('button', { name: 'frobnicate.exe on LT-PALETTE-2' }),
    ).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Northwind', exact: true }).click();
    await page.waitForURL(`**/orgs/${tenant.orgId}`);
    for (const [act, title] of [
      ['Invite a person', 'Invite a person'],
      ['New enrolment key', 'New key'],
      ['Freeze', /^Freeze /],
    ] as const) {
      await page.goto(`/devices?org=${tenant.orgId}`);
      await find(act);
      await page.getByRole('dialog').getByRole('button', { name: act, exact: true }).click();
      await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    }
    const viewer = await openAs(await world.makePerson('Partner Viewer', tenant), '/requests');
    await viewer.getByRole('heading', { level: 1 }).waitFor();
    await viewer.keyboard.press('Control+k');
    await viewer.getByPlaceholder(PLACEHOLDER).waitFor();
    await expect(viewer.getByRole('dialog').getByRole('button', { name: 'Requests' })).toBeVisible();
    for (const act of ['Freeze', 'Invite a person', 'New rule', 'New enrolment key'])
      await expect(viewer.getByRole('dialog').getByRole('button', { name: act, exact: true })).toHaveCount(0);
  });

  test('Escape, a press outside, Back or the shortcut closes what a phone opened', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-OVERLAY');
    const id = await report(device, { path: String.raw`C:\HP\HPDriverAssistantUpdaterService64.exe`, user: 'kim' });
    const decision = { decision: 'approve', durationMinutes: 60, reason: 'a test' };
    await world.admin.must('POST', `/pam/elevation-requests/${id}/respond`, decision);
    const person = await world.makePerson('Partner Technician', tenant);
    // By its address, so that no page of the console lies before it.
    const page = await openAs(person, '/active', { viewport: { width: 360, height: 800 } });
    const dialog = page.getByRole('dialog');
    const exits = ['Revoke', 'Search'].flatMap((name) =>
      [
        () => page.keyboard.press('Escape'),
        // Above the bar at the foot, which takes presses.
        () => page.mouse.click(12, 120),
        () => page.evaluate(() => history.back()),
        ...(name === 'Search' ? [() => page.keyboard.press('Control+k')] : []),
      ].map((leave) => ({ name, leave })),
    );
    for (const { name, leave } of exits) {
      const opener = page.getByRole('button', { name, exact: true }).filter({ visible: true });
      await opener.click();
      await expect(dialog).toContainText(name === 'Revoke' ? /HPDriver.*kim.*LT-OVERLAY.*Northwind/s : /./);
      if (name === 'Search') await expect(dialog.getByRole('textbox')).toBeFocused();
      else await expect(dialog.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
      await leave();
      await expect(dialog).toBeHidden();
      await expect(opener).toBeFocused();
      await expect(page).toHaveURL(/\/active$/);
    }
  });
});

const PLACEHOLDER = 'Search or run an action';
