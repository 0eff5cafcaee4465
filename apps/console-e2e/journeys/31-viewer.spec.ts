import { expect, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 31: a viewer', () => {
  test('sees what happens and is offered no change, by no button and no key', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const { orgId } = tenant;
    const id = await report(await world.makeDevice(tenant), PROMPT);
    await world.admin.must('POST', '/pam/rules', { orgId, name: 'HP', verdict: 'auto_deny', matchSigner: 'HP' });
    const why = /^Your role lacks the permission to/;
    const page = await openAs(await world.makePerson('Partner Viewer', tenant), '/approvals');
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeDisabled();
    await expect(page.locator('[data-obstacle]')).toHaveAttribute('data-obstacle', /devices:execute/);
    await expect(page.getByText(why)).toBeVisible();
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    // A key opens no dialog that its button does not.
    await page.locator('li[data-request] [data-open]').focus();
    await page.keyboard.press('a');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('?');
    await expect(page.getByRole('row', { name: /Open the row/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /Approve|Deny|Create a rule/ })).toHaveCount(0);
    await world.admin.must('POST', '/pam/signer-groups', { orgId, name: 'Printers', signers: ['HP'] });
    const lists = [`/rules?org=${orgId}`, `/rules/signer-groups?org=${orgId}`, '/requests'];
    const screens = [...lists, `/requests/${id}`, '/active', '/freezes'];
    for (const screen of screens) {
      await page.goto(screen);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect(page.getByRole('button', { name: CHANGES })).toHaveCount(0);
      await expect(page.getByRole('link', { name: CHANGES })).toHaveCount(0);
      if (lists.includes(screen)) await page.getByRole('row').nth(1).waitFor();
      await expect(page.getByRole('columnheader', { name: 'Actions' })).toHaveCount(0);
    }
    await page.goto(`/rules?org=${orgId}`);
    await page.getByRole('link', { name: 'HP' }).click();
    await expect(page.getByText(why)).toBeVisible();
  });

  test('of an organisation reads dates as its partner writes them', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const id = await report(await world.makeDevice(tenant), PROMPT);
    const settings = { dateFormat: 'YYYY-MM-DD', timeFormat: '24h' };
    await world.admin.must('PATCH', `/orgs/partners/${tenant.partnerId}`, { settings });
    const page = await openAs(await world.makePerson('Organization Viewer', tenant), `/requests/${id}`);
    await expect(page.getByText(/^\d{4}-\d{2}-\d{2}, \d{2}:\d{2}/).first()).toBeVisible();
    await page.goto('/requests');
    const from = page.getByLabel('From date');
    await expect(from).toHaveAttribute('placeholder', 'YYYY-MM-DD');
    await from.fill('2026-3-4');
    await from.blur();
    await expect(from).toHaveValue('2026-03-04');
    const address = /from=2026-03-0[345]T/; // The zone of the browser decides when a day begins.
    await expect(page).toHaveURL(address);
    await from.fill('2026-02-31');
    await from.blur();
    await expect(page.getByText('Enter a date such as 2026-11-08.')).toBeVisible();
    await expect(page).toHaveURL(address);
    // The browser's own calendar is not of the page: its field stands in for it.
    await page.locator('input[type=date]').first().fill('2026-03-05', { force: true });
    await expect(from).toHaveValue('2026-03-05');
  });

  test('reads the names of users whole where the list of requests has the least room', async ({ world, openAs }) => {
    const tenant = await world.makeTenant('Northwind Traders International');
    await report(await world.makeDevice(tenant), { ...PROMPT, user: String.raw`ACME\grace` });
    const viewport = { width: 1060, height: 800 };
    const page = await openAs(await world.makePerson('Organization Viewer', tenant), '/requests', { viewport });
    const user = page.getByRole('cell', { name: String.raw`ACME\grace` }).locator('.gh-data');
    const { height } = (await user.boundingBox()) ?? { height: Infinity };
    expect(height).toBeLessThan(30); // One line.
    expect(await page.locator('.gh-table').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  });

  test('sorts requests by device where all are open, and by time elsewhere', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    for (const name of ['LT-2', 'LT-1']) await report(await world.makeDevice(tenant, name), PROMPT);
    const page = await openAs(await world.makePerson('Organization Viewer', tenant), '/requests?sort=deviceHostname');
    await expect(page.getByRole('row')).toHaveCount(3);
    const byDevice = page.getByRole('button', { name: 'Sort by Device' });
    await expect(byDevice).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Filter: Status' }).selectOption('pending');
    await expect(page.getByRole('row').nth(1)).toContainText('LT-1');
    await byDevice.click();
    await expect(page.getByRole('row').nth(1)).toContainText('LT-2');
  });
});

const PROMPT = { path: String.raw`C:\Temp\setup.exe` };
/** What changes something on these screens; the permissions of a viewer allow none of it. */
const CHANGES = /^(New rule|Freeze|Revoke|Request elevation|Create rule from request|Disable|Delete|Save)$/;
