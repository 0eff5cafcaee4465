import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 38: tickets', () => {
  test('one press asks for the required ticket, and a right one approves', async ({ world, openAs, watch }) => {
    watch.expect(/400/);
    const { tenant, device } = await world.makeTenantWithDevice();
    const desk = await openAs(
      await world.makePerson('Partner Admin', tenant),
      `/settings/defaults?org=${tenant.orgId}`,
    );
    await desk.getByRole('button', { name: 'Edit reason and ticket' }).click();
    const form = desk.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Ticket number' }).selectOption({ label: 'required' });
    await form.getByRole('textbox', { name: 'Ticket formats' }).fill('INC-####');
    await form.getByRole('textbox', { name: 'Hint shown with the ticket field' }).fill(HINT);
    await expectAccessible(desk);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(desk.getByText('The changes are saved.')).toBeVisible();
    await expect(desk.getByText('INC-####')).toBeVisible();
    await expectAccessible(desk);

    // A file that was never seen before is approved with care, not with one press.
    await report(device, PROMPT);
    const id = await report(device, PROMPT);
    const page = await openAs(await world.makePerson('Partner Technician', tenant), `/requests/${id}`);
    await page.getByRole('button', { name: 'More approval options' }).click();
    await page.getByRole('menuitem', { name: 'Approve for 1 h' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve vlc.exe' });
    const ticket = dialog.getByRole('textbox', { name: 'Ticket' });
    await expect(ticket).toBeFocused();
    await expect(ticket).toHaveAccessibleDescription(new RegExp(`requires a ticket number.*${HINT}`));
    await expect(dialog.getByRole('spinbutton', { name: /^Duration in minutes \(default: 15\)/ })).toHaveValue('60');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('for the training');
    await ticket.fill('CHG-1');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect(ticket).toHaveAccessibleDescription(/does not have the organisation's format/);
    await expect(ticket).toBeFocused();
    await expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue('for the training');
    await expectAccessible(page);
    await ticket.fill('inc-1042');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect(dialog).toBeHidden();

    await expect(page.locator('[data-status="approved"]').first()).toBeVisible();
    await expect(page.locator('dd', { hasText: 'inc-1042' })).toBeVisible();
    const { request } = await world.admin.must<{ request: Told }>('GET', `/pam/elevation-requests/${id}`);
    expect(request).toMatchObject({ ticket: 'inc-1042', status: 'approved' });
    await expectAccessible(page);
    const line = desk.locator('.gh-audit-line', { hasText: 'approved' });
    // The log follows within seconds.
    await expect(async () => {
      await desk.goto(`/audit?resource=${id}`);
      await expect(line).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await line.click();
    await expect(desk.getByText('"ticket": "inc-1042"')).toBeVisible();
  });

  test('who asks for rights enters the ticket, and a refusal stands at its field', async ({ world, openAs, watch }) => {
    watch.expect(/400/);
    const { tenant, device } = await world.makeTenantWithDevice();
    await world.admin.must('PUT', `/pam/justification-policy?orgId=${tenant.orgId}`, {
      reason: { mode: 'required', minLetters: 12 },
      ticket: { mode: 'required', masks: ['REQ*'], hint: HINT },
    });
    const page = await openAs(await world.makePerson('Partner Technician', tenant), `/requests?org=${tenant.orgId}`);
    await page.getByRole('button', { name: 'Request elevation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Device' }).click();
    await page.getByRole('option', { name: device.hostname }).click();
    const reason = dialog.getByRole('textbox', { name: 'Reason' });
    const ticket = dialog.getByRole('textbox', { name: 'Ticket' });
    await expect(ticket).toHaveAccessibleDescription(HINT);
    await reason.fill('aaaaaaaaaaaaaaaa');
    await ticket.fill('REQ');
    const ask = dialog.getByRole('button', { name: 'Request' });
    await ask.click();
    await expect(reason).toHaveAccessibleDescription(/requires a more detailed reason.*At least 12 letters/);
    await reason.fill('replace the broken disk');
    await ask.click();
    await expect(ticket).toHaveAccessibleDescription(/does not have the organisation's format/);
    await expect(ticket).toBeFocused();
    await expectAccessible(page);
    await ticket.fill('REQ-7');
    await ask.click();
    await page.waitForURL(/\/requests\/[\w-]+$/);
    await expect(page.locator('dd', { hasText: 'REQ-7' })).toBeVisible();
  });
});

const PROMPT = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'ab'.repeat(32) };
const HINT = 'The number that the service desk mailed you.';

interface Told {
  readonly ticket: string | null;
  readonly status: string;
}
