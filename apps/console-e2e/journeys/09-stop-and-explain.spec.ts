import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 9: what runs is stopped, and what was decided is explained', () => {
  test('several elevations end with one reason in three clicks', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const prompts = ['maria', 'ole', 'kim'].map((user) => report(device, { ...IN_TEMP, user }));
    const ids = await Promise.all(prompts);
    for (const id of ids)
      await world.admin.must('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'approve' });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/active');
    const rows = page.locator('tr[data-row]');
    await expect(rows).toHaveCount(3);
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
    await page.getByRole('button', { name: 'Revoke 3 selected' }).click();
    await expect(page.getByRole('dialog').getByText(/^Ends in 1\d minutes/)).toHaveCount(3);
    await page.getByLabel('Reason').fill('the call is over');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(rows).toHaveCount(0);
    const statuses = ids.map(async (id) => {
      const path = `/pam/elevation-requests/${id}`;
      return (await world.admin.must<{ request: { status: string } }>('GET', path)).request.status;
    });
    expect(await Promise.all(statuses)).toEqual(['revoked', 'revoked', 'revoked']);
    await page.goto(`/requests/${ids[0]}`);
    await expect(page.getByText('command queued for the device: end the elevation')).toBeVisible();
  });

  test('one click from the device leads to what decided, and what has changed since', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const { orgId } = tenant;
    const rule = (members: object) =>
      world.admin.must<{ rule: { id: string } }>('POST', '/pam/rules', { orgId, ...members });
    await rule({ name: 'HP drivers', verdict: 'auto_approve', matchSigner: 'HP', matchPathGlob: IN_TEMP.path });
    await rule({ name: 'Contoso watched', verdict: 'auto_approve', matchSigner: 'Contoso', mode: 'shadow' });
    const { rule: block } = await rule({ name: 'Block temp', verdict: 'auto_deny', matchPathGlob: 'C:\\Temp\\**' });
    await report(device, IN_TEMP);
    await world.admin.must('PATCH', `/pam/rules/${block.id}?orgId=${orgId}`, { name: 'Block temp folders' });

    const page = await openAs(await world.makePerson('Partner Viewer', tenant), `/devices/${device.id}`);
    await page.getByRole('link', { name: 'setup.exe' }).click();
    const why = page.getByRole('listitem');
    await expect(why.filter({ hasText: /^Rule \d matched: Block temp/ })).toBeVisible();
    await expect(why.filter({ hasText: /^Rule 1, HP drivers: the signer differs/ })).toBeVisible();
    await expect(why.filter({ hasText: 'Report-only: Contoso watched would have granted it.' })).toBeVisible();
    await expect(page.getByText('Based on the rules at the time; they have changed since.')).toBeVisible();
    await expectAccessible(page);
    await page.locator('main time').first().hover();
    await expect(page.getByRole('tooltip')).toHaveText(/ CET · \S+Z · at the site .* UTC$/);
  });

  test('what would have granted a request that is held back has not decided it', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const { orgId } = tenant;
    const rule = { orgId, name: '7-Zip', verdict: 'auto_approve', matchSigner: 'Contoso' };
    await world.admin.must('POST', '/pam/rules', rule);
    const freeze = { level: 'device', targetId: device.id, reason: 'lost', mode: 'hold' };
    await world.admin.must('POST', '/pam/freezes', freeze);
    const id = await report(device, IN_TEMP);
    const stored = await world.admin.must('GET', `/pam/elevation-requests/${id}`);
    expect(stored).toMatchObject({ request: { status: 'pending', pamRuleName: '7-Zip' } });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/requests');
    const row = page.getByRole('row', { name: /setup\.exe/ });
    await expect(row).toContainText('pending');
    await expect(row).not.toContainText('7-Zip');
    // What arrives moves no row.
    const place = await row.boundingBox();
    await report(device, { ...IN_TEMP, user: 'late' });
    const arrived = page.getByRole('button', { name: '1 new request – show' });
    await expect(arrived).toBeVisible();
    expect(await row.boundingBox()).toEqual(place);
    await arrived.click();
    await expect(page.getByRole('row', { name: /late/ })).toBeVisible();
    await row.first().getByRole('link', { name: 'setup.exe' }).click();
    await expect(page.getByText('A grant was held back')).toBeVisible();
  });
});

const IN_TEMP = { path: String.raw`C:\Temp\setup.exe`, signer: 'Contoso' };
