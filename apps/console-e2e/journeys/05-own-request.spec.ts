import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 5: what one may not decide', () => {
  test("one's own request for rights cannot be approved: the screen says why, and the API agrees", async ({
    world,
    openAs,
  }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const technician = await world.makePerson('Partner Technician', tenant);
    const own = await technician.signIn(world.baseUrl);
    const asked = { deviceId: device.id, reason: 'replace the disk' };
    const { id } = await own.eventually<{ id: string }>('POST', '/pam/elevation-requests', asked);
    const page = await openAs(technician, `/requests/${id}`);
    const why = 'You cannot approve your own request.';
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeDisabled();
    await page.getByRole('button', { name: 'Approve', exact: true }).hover({ force: true });
    await expect(page.getByRole('tooltip')).toHaveText(why);
    await expectAccessible(page);
    await expect(page.getByRole('button', { name: 'Deny', exact: true })).toBeEnabled();
    const answer = await own.call('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'approve' });
    expect(answer.status).toBe(403);
    expect(answer.body['code']).toMatch(/self/);
  });

  test('a request that another person decides loses its buttons without an error', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const id = await report(device, { path: String.raw`C:\Temp\setup.exe`, signer: 'Contoso' });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), `/requests/${id}`);
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    await expect(approve).toBeEnabled();
    await world.admin.must('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'deny', reason: 'not now' });
    await expect(approve).toHaveCount(0);
    await expect(page.locator('[data-status="denied"]').first()).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('a request that expires on screen loses its buttons without an error', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const id = await report(device, { path: String.raw`C:\Temp\setup.exe`, signer: 'Contoso' });
    const soon = `UPDATE elevation_requests SET pending_until = now() + interval '10 seconds' WHERE id = '${id}'`;
    await world.age('pam', soon);
    const page = await openAs(await world.makePerson('Partner Technician', tenant), `/requests/${id}`);
    await expect(page.getByText('expired', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});
