import { tap } from '../browser.ts';
import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';
import { covered } from '../senses.ts';

test.describe('journey 3: the queue by keyboard', () => {
  test('twenty requests are decided with a key a second within a minute, and a new one moves no row', async ({
    world,
    openAs,
  }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    // Only the first prompt with a file warns that it is new here, and a warning asks for a reason.
    const first = await report(device, PROGRAM);
    await world.admin.must('POST', `/pam/elevation-requests/${first}/respond`, { decision: 'deny' });
    for (let at = 1; at <= REQUESTS; at++) await report(device, { ...PROGRAM, user: `user${at}` });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const rows = page.locator('li[data-request]');
    await expect(rows).toHaveCount(REQUESTS);
    const current = page.locator('li[data-current]');
    let keys = 0;
    const press = (key: string): Promise<void> => {
      keys += 1;
      return page.keyboard.press(key);
    };

    await rows.first().locator('[data-open]').focus();
    await press('j');
    await press('k');
    await expect(rows.first()).toHaveAttribute('data-current', 'true');
    await press('a');
    await page.getByRole('dialog').waitFor();
    const held = { id: await current.getAttribute('data-request'), box: await current.boundingBox() };
    await report(device, { ...PROGRAM, user: 'late' });
    await page.getByRole('status').filter({ hasText: '1 new request' }).waitFor();
    expect({ id: await current.getAttribute('data-request'), box: await current.boundingBox() }).toEqual(held);
    await press('Enter');
    const decided = page.locator('li[data-settled]');
    const row = page.locator(`li[data-request="${held.id}"]`);
    // Asked in one step, because the row soon leaves.
    const height = await row.filter({ hasText: /approved by/ }).evaluate((li) => li.getBoundingClientRect().height);
    expect(height).toBe(held.box?.height);
    await expect(current.locator('[data-open]')).toBeFocused();

    // The decided row leaves by itself, and the focus goes on to the next.
    await expect(row).toHaveCount(0);
    await expect(current.locator('[data-open]')).toBeFocused();
    for (let at = 1; at < REQUESTS; at++) {
      await press('x');
      await press('j');
    }
    await expect(page.getByRole('region', { name: `${REQUESTS - 1} selected` })).toBeVisible();
    await page.getByRole('button', { name: 'Approve selected' }).focus();
    await press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).focus();
    await press('Enter');
    await expect(page.getByText(`${REQUESTS - 1} succeeded`)).toBeVisible();
    await expect(decided.first()).toBeVisible();
    expect(keys).toBeLessThan(KEYS_A_MINUTE);
    const { requests } = await world.admin.must<{ requests: { subjectUsername: string }[] }>(
      'GET',
      `/pam/elevation-requests?orgId=${tenant.orgId}&status=pending`,
    );
    expect(requests.map(({ subjectUsername }) => subjectUsername)).toEqual(['late']);
  });

  test('Enter opens the request that has the focus', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    for (const user of ['maria', 'ole']) await report(device, { ...PROGRAM, user });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const rows = page.locator('li[data-request]');
    await expect(rows).toHaveCount(2);
    await rows.first().locator('[data-open]').focus();
    await page.keyboard.press('j');
    const id = await page.locator('li[data-current]').getAttribute('data-request');
    expect(id).toBe(await rows.nth(1).getAttribute('data-request'));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/requests/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('vlc.exe');
  });

  test('each of 250 pending requests can be reached, and the first to expire is first', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-MANY');
    const [first] = [await report(device, { ...PROGRAM, user: 'user0' })];
    const numbers = Array.from({ length: WAITING - 1 }, (_, at) => at + 1);
    for (let at = 0; at < numbers.length; at += 8)
      await Promise.all(numbers.slice(at, at + 8).map((one) => report(device, { ...PROGRAM, user: `user${one}` })));
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const rows = page.locator('li[data-request]');
    await expect(rows.first()).toHaveAttribute('data-request', first);
    const seen = new Set<string>();
    for (const expected of [100, 100, 50]) {
      await expect(rows).toHaveCount(expected);
      for (const row of await rows.all()) seen.add((await row.getAttribute('data-request')) ?? '');
      const next = page.getByRole('button', { name: 'Next page' });
      if (await next.isEnabled()) {
        const before = page.url();
        await next.click();
        await page.waitForURL((url) => url.href !== before);
      }
    }
    expect(seen.size).toBe(WAITING);
    // A page after the last one is no empty list.
    for (const list of ['/approvals', '/requests']) {
      await page.goto(`${list}?page=9`);
      await expect(page.getByRole('heading', { name: 'Nothing on this page' })).toBeVisible();
      await page.getByRole('button', { name: 'Go to the last page' }).click();
      await expect(page.getByRole('button', { name: 'Previous page' })).toBeEnabled();
      await expect(page.getByText('vlc.exe').first()).toBeVisible();
    }
    // The button that turns to the first page keeps the focus there, where it can turn no further.
    await page.goto('/requests?page=2');
    const previous = page.getByRole('button', { name: 'Previous page' });
    await previous.press('Enter');
    await expect(previous).toBeDisabled();
    await expect(previous).toBeFocused();

    // From one to the next across the pages, and back to the row that one comes from.
    await page.goto('/approvals?sort=deviceHostname');
    await expect(rows).toHaveCount(100);
    await rows.last().locator('[data-open]').click();
    const list = page.getByRole('navigation', { name: 'List of requests' });
    await expect(list).toContainText('100 of 250');
    const heading = page.getByRole('heading', { level: 1 });
    const held = page.url();
    await expect(heading).toBeFocused();
    await list.getByRole('link', { name: 'Next request' }).press('Enter');
    await expect(list).toContainText('101 of 250');
    await expect(heading).toBeFocused();
    const shown = page.url().split('/').at(-1) ?? '';
    await list.getByRole('link', { name: 'Previous request' }).press('Enter');
    await expect(page).toHaveURL(held);
    await expect(heading).toBeFocused();
    await list.getByRole('link', { name: 'Next request' }).press('Enter');
    await expect(list).toContainText('101 of 250');
    await expect(heading).toBeFocused();
    await list.getByRole('link', { name: 'Back to approvals' }).press('Enter');
    await page.waitForURL('**/approvals?sort=deviceHostname&page=2');
    const row = page.locator(`li[data-request="${shown}"]`);
    await expect(row.locator('[data-open]')).toBeFocused();
    await row.locator('[data-open]').press('Enter');
    await expect(list).toContainText('101 of 250');
    await page.goBack();
    await expect(row.locator('[data-open]')).toBeFocused();
    await page.goto('/approvals');

    await page.getByLabel('Sort').selectOption('Newest first');
    await expect(rows.first()).not.toHaveAttribute('data-request', first);
    const asked: string[] = [];
    page.on(
      'request',
      (request) => /elevation-requests\/[\da-f-]{36}$/.test(request.url()) && asked.push(request.url()),
    );
    await page.getByRole('textbox', { name: 'Search' }).fill('no such program');
    await expect(page.getByText('Nothing matches these filters')).toBeVisible();
    await expect(rows).toHaveCount(0);
    expect(asked).toEqual([]);
  });

  test('a request that loads slowly takes no focus from whoever goes on meanwhile', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    for (const user of ['maria', 'ole', 'kim']) await report(device, { ...PROGRAM, user });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    await page.locator('[data-open]').first().click();
    const list = page.getByRole('navigation', { name: 'List of requests' });
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toBeFocused();
    const held: (() => Promise<void>)[] = [];
    await page.route(/elevation-requests\/[\da-f-]{36}$/, (route) => void held.push(() => route.continue()));
    await list.getByRole('link', { name: 'Next request' }).focus();
    await page.keyboard.press('Enter');
    await expect(list).toContainText('2 of 3');
    await page.keyboard.press('Shift+Tab');
    await expect(list.getByRole('link', { name: 'Previous request' })).toBeFocused();
    await Promise.all(held.map((release) => release()));
    await expect(heading).toBeVisible();
    await expect(list.getByRole('link', { name: 'Previous request' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(list).toContainText('1 of 3');
    await expect(heading).toBeFocused();
  });

  test('an approval that takes long leaves the focus to whoever goes on meanwhile', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const known = await report(device, PROGRAM);
    await world.admin.must('POST', `/pam/elevation-requests/${known}/respond`, { decision: 'deny' });
    for (const user of ['maria', 'ole']) await report(device, { ...PROGRAM, user });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const held: (() => Promise<void>)[] = [];
    await page.route('**/respond', (route) => void held.push(() => route.continue()));
    const [first, second] = [page.locator('li[data-request]').first(), page.locator('li[data-request]').nth(1)];
    await first.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect.poll(() => held.length).toBe(1);
    await second.locator('[data-open]').focus();
    await Promise.all(held.map((release) => release()));
    await expect(page.locator('li[data-settled]')).toContainText(/approved by/);
    await expect(second.locator('[data-open]')).toBeFocused();
  });

  test('the keys act from the start of the page, and a decision on many names them', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-KEYS');
    for (const user of ['maria', 'ole']) await report(device, { ...PROGRAM, user });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const rows = page.locator('li[data-request]');
    await expect(rows).toHaveCount(2);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.keyboard.press('x');
    await expect(rows.first().getByRole('checkbox')).toBeChecked();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Deny selected' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deny 2 requests' });
    for (const one of ['vlc.exe', 'LT-KEYS', 'maria', 'ole', tenant.orgName]) await expect(dialog).toContainText(one);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  test('identical requests are one row where a person asks for it, by keyboard', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const [first, second] = [await world.makeDevice(tenant, 'LT-ONE'), await world.makeDevice(tenant, 'LT-TWO')];
    // Only the first prompt with a file warns that it is new here.
    const known = await report(first, PROGRAM);
    await world.admin.must('POST', `/pam/elevation-requests/${known}/respond`, { decision: 'deny' });
    await world.admin.must('PUT', `/pam/config?orgId=${tenant.orgId}`, {
      defaultUnmatchedVerdict: 'require_approval',
      defaultApprovalMinutes: 30,
      approveReasons: ['Known installer'],
    });
    for (const user of ['maria', 'ole'])
      for (const device of [first, second]) await report(device, { ...PROGRAM, user });
    await report(first, { ...PROGRAM, hash: 'cd'.repeat(32), user: 'kim' });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const rows = page.locator('li[data-request]');
    await expect(rows).toHaveCount(5);
    const toggle = page.getByRole('button', { name: 'Group identical' });
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    await expect(rows).toHaveCount(2);
    const head = rows.first();
    await expect(head).toContainText('4 identical requests: vlc.exe');
    await expect(head).toContainText('2 devices, 2 people');
    await head.getByRole('button', { name: 'Approve 4' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Approve 4 requests' });
    await expect(dialog).toContainText('The device receives the reason and can show it to the user.');
    await dialog.getByRole('button', { name: 'Known installer' }).press('Enter');
    await dialog.getByRole('button', { name: 'Approve' }).press('Enter');
    await expect(page.getByText('4 succeeded')).toBeVisible();
    // Each has its own entry in the log, and the organisation's default.
    const log = `/audit-logs?orgId=${tenant.orgId}&action=pam.elevation_request.approve`;
    const entry = { details: { durationMinutes: 30 } };
    await expect.poll(() => world.admin.must('GET', log)).toMatchObject({ data: [entry, entry, entry, entry] });

    // Where two people have to approve, one decision votes on each.
    const colleagues = [await world.makePerson('Partner Technician', tenant)];
    colleagues.push(await world.makePerson('Partner Technician', tenant));
    await world.admin.must('PUT', '/pam/approval-policy', { orgId: tenant.orgId, default: { approvals: 2 } });
    for (const device of [first, second]) await report(device, { ...PROGRAM, user: 'ada' });
    await page.getByRole('button', { name: '2 new requests – show' }).click();
    const colleague = await openAs(colleagues[0]!, '/approvals');
    await colleague.getByRole('button', { name: 'Group identical' }).click();
    // A dialog opens with all that it asks: a reason that appears later would move "Approve" from under the pointer.
    await colleague.route('**/pam/config?*', (route) => setTimeout(() => void route.continue(), SLOW_MS));
    for (const [voter, ending] of [
      [page, 'your approval is recorded; another person must approve too'],
      [colleague, 'done'],
    ] as const) {
      const group = voter.locator('li[data-request]', { hasText: '2 identical requests' });
      await expect(group).toContainText('Needs 2 approvals');
      await group.getByRole('button', { name: 'Approve 2' }).click();
      const asked = voter.getByRole('dialog');
      await asked.waitFor();
      expect(await asked.getByRole('button', { name: 'Known installer' }).count()).toBe(1);
      await asked.getByRole('button', { name: 'Approve' }).click();
      const results = voter.getByRole('region', { name: 'Results' });
      await expect(results).toContainText('2 succeeded');
      await expect(results.getByRole('listitem').filter({ hasText: ending })).toHaveCount(2);
      if (voter !== page) continue;
      // The server says of each that this person has voted: the group asks no second vote of them.
      await expect(group.getByRole('button', { name: 'Approve', exact: true })).toBeDisabled();
      await expect(group).toContainText(/You have already approved/);
      await group.locator('[data-open]').press('a');
      await expect(voter.getByRole('dialog')).toHaveCount(0);
      await group.locator('[data-open]').click();
      await expect(page.locator('li[data-member] [data-obstacle*="already approved"]')).toHaveCount(2);
    }
    const [vote, last] = [{ details: { votesGiven: 1 } }, { details: { votesGiven: 2 } }];
    await expect
      .poll(() => world.admin.must('GET', `${log}&limit=4`))
      .toMatchObject({ data: [last, last, vote, vote] });
  });

  test('colleagues see who took a request; risk, device and views narrow the queue', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const [first, second] = [await world.makeDevice(tenant, 'LT-ONE'), await world.makeDevice(tenant, 'LT-TWO')];
    const plain = await report(first, PROGRAM);
    const risky = await report(second, { path: String.raw`C:\Users\maria\Downloads\tool.exe` });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals');
    const colleague = await openAs(await world.makePerson('Partner Technician', tenant), '/approvals', {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    });
    const rowOf = (of: typeof page, id: string) => of.locator(`li[data-request="${id}"]`);
    const own = rowOf(colleague, risky).getByRole('button', { name: "I'm on it" });
    await tap(own);
    await expect(own).toHaveAttribute('aria-pressed', 'true');
    await expect(rowOf(page, risky)).toContainText('is on it');
    await expectAccessible(page);
    await expectAccessible(colleague);
    await tap(own);
    await expect(rowOf(page, risky)).not.toContainText('is on it');
    await rowOf(page, risky).getByRole('button', { name: "I'm on it" }).press('Enter');
    await expect(rowOf(colleague, risky)).toContainText('is on it');

    const rows = page.locator('li[data-request]');
    await rowOf(page, risky).getByRole('checkbox').check();
    await expect(page.getByRole('button', { name: 'Approve selected' })).toBeDisabled();
    await expect(page.getByRole('region', { name: '1 selected' })).toContainText('must be approved one at a time');
    await rowOf(page, risky).getByRole('checkbox').uncheck();
    await page.getByLabel('Sort').selectOption('Most warnings first');
    await expect(rows.first()).toHaveAttribute('data-request', risky);
    await page.getByLabel('Filter: Warning').selectOption('unsigned');
    await expect(rows).toHaveCount(1);
    await page.getByRole('button', { name: 'Views' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Save this view…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Save this view' });
    await dialog.getByLabel('Name').fill('Risky');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Risky' })).toBeVisible();
    await page.goto('/approvals');
    await expect(rows).toHaveCount(2);
    await rowOf(page, plain).getByRole('link', { name: 'LT-ONE', exact: true }).click();
    await expect(rows).toHaveCount(1);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Risky' }).click();
    await expect(rowOf(page, risky)).toBeVisible();
    await expect(rows).toHaveCount(1);

    // A number of what came before leads to the requests that it counts.
    await world.admin.must('POST', `/pam/elevation-requests/${plain}/respond`, { decision: 'deny' });
    const again = await report(first, PROGRAM);
    await page.goto(`/requests/${again}`);
    await page.getByRole('link', { name: '1 denied' }).first().click();
    await page.waitForURL('**/requests?*earlier=*');
    await expect(page.locator('[data-row]')).toHaveCount(1);
    await expect(page.locator(`[data-row="${plain}"]`)).toBeVisible();
  });

  test('minutes and reasons take one press, the default is the organisation’s', async ({ world, openAs, watch }) => {
    watch.expect(/status of 400/);
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-PRESS');
    const config = { defaultUnmatchedVerdict: 'require_approval', defaultApprovalMinutes: 30 };
    await world.admin.must('PUT', `/pam/config?orgId=${tenant.orgId}`, config);
    const known = await report(device, PROGRAM);
    await world.admin.must('POST', `/pam/elevation-requests/${known}/respond`, { decision: 'deny' });
    const granted = await report(device, { ...PROGRAM, user: 'maria' });
    const page = await openAs(
      await world.makePerson('Partner Admin', tenant),
      `/settings/defaults?org=${tenant.orgId}`,
    );
    const dialog = page.getByRole('dialog');
    const card = page.locator('.gh-card', { has: page.getByRole('heading', { name: 'When no rule matches' }) });
    await card.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('textbox', { name: 'Reasons to deny' }).fill('Not licensed\n not LICENSED');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toContainText('must not name anything twice');
    await dialog.getByRole('textbox', { name: 'Reasons to deny' }).fill('Not licensed\nAsk your manager');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(page.locator('.mantine-Notification-root')).toBeVisible();
    expect(await covered(page, 'main, footer')).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
    await expect(card).toContainText('Not licensed · Ask your manager');

    await page.goto('/approvals');
    await page.locator(`li[data-request="${granted}"]`).getByRole('button', { name: 'More approval options' }).click();
    await page.getByRole('menuitem', { name: 'Approve with duration and reason…' }).click();
    await dialog.getByRole('button', { name: '4 h' }).click();
    await expect(dialog.getByRole('spinbutton')).toHaveValue('240');
    await dialog.getByRole('button', { name: 'Default (30 min)' }).click();
    await expect(dialog.getByRole('spinbutton')).toHaveValue('');
    await expect(dialog).toContainText('Maximum: 1440');
    await dialog.getByRole('spinbutton').fill('45');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Known installer');
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(dialog).toHaveCount(0);
    const { request } = await world.admin.must<{ request: object }>('GET', `/pam/elevation-requests/${granted}`);
    expect(request).toMatchObject({ status: 'approved', durationMinutes: 45, decisionReason: 'Known installer' });
  });
});

const PROGRAM = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'ab'.repeat(32) };
const REQUESTS = 20;
/** Of a person who presses one a second. */
const KEYS_A_MINUTE = 60;
const WAITING = 250;
const SLOW_MS = 500;
