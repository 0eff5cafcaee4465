import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 18: the log', () => {
  test('filters survive a reload and are shared, and an entry leads to related ones', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const { orgId } = tenant;
    const rule = { orgId, name: 'HP drivers', verdict: 'require_approval', matchSigner: 'HP' };
    await world.admin.must('POST', '/pam/rules', rule);
    const page = await openAs(await world.makePerson('Partner Viewer', tenant), '/audit');
    const lines = page.locator('.gh-audit-line');
    await expect(lines.filter({ hasText: 'signed in' }).first()).toBeVisible();
    await page.getByRole('combobox', { name: 'Filter: Resource type' }).selectOption('Rules');
    await page.getByRole('combobox', { name: 'Period' }).selectOption('Today');
    await expect(page).toHaveURL(/kind=pam\.rule/);
    await expect(lines).toHaveText([/created the rule HP drivers/]);
    await page.reload();
    await expect(lines).toHaveText([/HP drivers/]);
    const address = page.url().slice(world.baseUrl.length);
    const colleague = await openAs(await world.makePerson('Partner Admin', tenant), address);
    await expect(colleague.locator('.gh-audit-line')).toHaveText([/HP drivers/]);

    await lines.first().click();
    await expect(page.getByRole('button', { name: 'Copy as JSON' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Same resource' }).click();
    await expect(page.getByRole('button', { name: 'Remove “Resource: HP drivers”' })).toBeVisible();
    await lines.first().click();
    await page.getByRole('link', { name: 'Same actor' }).click();
    await expect(page.getByRole('button', { name: /^Remove “Actor: / })).toBeVisible();
    await expect(lines.filter({ hasText: 'created the organisation' }).first()).toBeVisible();
    await page.goto('/audit?kind=pam.rule&result=maybe&org=northwind&colour=red');
    await expect(page).toHaveURL(/\/audit\?kind=pam\.rule$/); // Without what the screen does not know.
    await lines.first().click();
    await page.getByRole('link', { name: 'Permalink' }).click();
    await expect(page.locator('header')).toContainText(tenant.orgName);
  });

  test('a search finds what sentences say, and people hear what right they lack', async ({ world, openAs, watch }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'lt-0412');
    const id = await report(device, { path: String.raw`C:\Temp\setup.exe`, user: 'maria', reason: 'a lesson' });
    await world.admin.must('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'approve' });
    const page = await openAs(await world.makePerson('Partner Viewer', tenant), '/audit');
    const lines = page.locator('.gh-audit-line');
    await expect(page.getByText('your role needs the permission “Export the audit log”')).toBeVisible();

    const search = page.getByRole('searchbox', { name: 'Search' }).or(page.getByRole('textbox', { name: 'Search' }));
    await search.fill('pam.elevation.*');
    await expect(lines).toHaveCount(2);
    await search.fill('approved');
    await expect(lines).toHaveText([/approved C:\\Temp\\setup\.exe for maria on lt-0412/i]);
    await page.getByRole('button', { name: 'Clear the search' }).click();

    // The agent's report is no act of a person.
    const reports = lines.filter({ hasText: 'requested' });
    await expect(lines.filter({ hasText: 'signed in' }).first()).toBeVisible();
    await expect(reports).toHaveCount(0);
    await page.getByRole('switch', { name: 'Include agents and the system' }).check();
    await expect(reports.first()).toBeVisible();
    await page.getByRole('combobox', { name: 'Action' }).selectOption('approved an elevation');
    await expect(lines).toHaveText([/approved/]);
    await page.getByRole('combobox', { name: 'Action' }).selectOption('Requests: all');
    await expect(page).toHaveURL(/action=pam\.elevation_request/);
    await expect(lines).toHaveCount(2);
    await expectAccessible(page);

    watch.expect(/audit:read/);
    const technician = await openAs(await world.makePerson('Partner Technician', tenant), '/audit');
    const denied = technician.getByText('This requires the permission “Read and verify the audit log”.');
    await expect(denied.getByText('audit:read')).toBeVisible();
    await expectAccessible(technician);
    await expect(technician.getByRole('button', { name: 'Verify the log' })).toHaveCount(0);
  });

  test('verification says once that the log is whole, or which entry is not', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const page = await openAs(await world.makePerson('Partner Viewer', tenant), '/audit');
    const verdict = page.locator('.gh-verdict');
    await page.getByRole('button', { name: 'Verify the log', exact: true }).click();
    await expect(verdict).toContainText('none was changed, removed or added');
    await expect(page.getByText('Log verified: no tampering')).toHaveCount(1);
    // Tampering with the store itself is proved where the chain is: here its verdict is told.
    await page.route('**/audit-logs/verify*', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as object;
      await route.fulfill({ response, json: { ...answer, valid: false, firstBadSequence: 3 } });
    });
    await page.getByRole('button', { name: 'Verify the log', exact: true }).click();
    await expect(verdict).toContainText('Entry 3 was changed or is missing');

    let answer = () => undefined as void;
    const later = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/audit-logs/verify*', async (route) => {
      await later;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Verify the log', exact: true }).click();
    await page.getByRole('link', { name: 'Devices', exact: true }).first().click();
    // While the log is on screen, it tells the verdict itself.
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    const tasks = page.getByRole('region', { name: 'Background tasks' });
    await expect(tasks).toContainText('In progress');
    answer();
    await expect(tasks).toContainText('Log verified: no tampering');
  });
});
